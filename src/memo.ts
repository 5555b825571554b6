// Caches values derived from a text alone, such as the parts of a URL, for texts that recur.

/** How many results are kept. */
const MAX_KNOWN = 1000;

export function memo<Value extends NonNullable<unknown>>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = find(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, value);
    return value;
  };
}
