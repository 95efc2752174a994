/** The names of the fields of a wire form, as the tests of these forms compare them. */

/** The names of all fields of a type: the compiler refuses one that is missing or too many. */
export function fields<T>(names: Record<keyof T, true>): string[] {
  return Object.keys(names).sort();
}

export function keys(value: unknown): string[] {
  return Object.keys(value as object).sort();
}
