// The keys of a typed table, as literals.

/** `Object.keys` for an object with exactly the keys of its type, such as a table written in code. */
export function keysOf<Key extends string>(table: { readonly [Name in Key]?: unknown }): Key[] {
  // TypeScript types the keys of any object as strings, since it may have more of them than its type says.
  return Object.keys(table) as Key[];
}
