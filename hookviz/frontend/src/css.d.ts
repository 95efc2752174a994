/** The bundler takes style sheets; to TypeScript they are empty. */
declare module "*.css";
