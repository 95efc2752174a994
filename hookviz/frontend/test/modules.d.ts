/** vite gives a file's text where its import ends so. */
declare module "*?raw" {
  const text: string;
  export default text;
}

/** The one function of Node that the tests call. */
declare module "node:events" {
  export function setMaxListeners(count: number): void;
}
