// What `npm run test:all` adds to `npm test`: tests that are long by nature, and more runs of those made from random cases.

/** Whether the long tests run too. */
export const thorough = process.env.TEST_ALL === 'true';

/** Whether every transaction body runs twice: `vitest run --mode twice`. */
export const isTwice = process.env.TEST_TWICE === 'true';

/** How often a property is tried: `few` times by `npm test`, `many` times by `npm run test:all`. */
export const runs = (few: number, many: number): number => (thorough ? many : few);

/**
 * The pairs of two lists: every one in `npm run test:all`, and in `npm test` as many as it takes to have each item of
 * both in one.
 */
export function pairs<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  if (thorough) return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
  return Array.from({ length: Math.max(first.length, second.length) }, (_, n) => [
    first[n % first.length] as A,
    second[n % second.length] as B,
  ]);
}

/**
 * Rows that walk the same code: every one in `npm run test:all`, and in `npm test` the first of each key, or without a
 * key every tenth.
 */
export function sample<const T>(rows: readonly T[], keyOf?: (row: T) => unknown): readonly T[] {
  if (thorough) return rows;
  if (!keyOf) return rows.filter((_, n) => n % 10 === 0);
  const seen = new Set<unknown>();
  return rows.filter((row) => {
    const key = keyOf(row);
    return !seen.has(key) && seen.add(key);
  });
}
