// The keys of a table as their literal type.

/** `Object.keys` for an object whose keys are exactly those of its type, as those of a table written in code are. */
export function keysOf<Key extends string>(table: { readonly [Each in Key]?: unknown }): Key[] {
  // TypeScript types the keys of any object as strings, since it may have more of them than its type says.
  return Object.keys(table) as Key[];
}
