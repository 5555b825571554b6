// Suggestions for misspelled names, by edit distance and regardless of case.
import { closest } from 'fastest-levenshtein';

/** `; did you mean x?` with the nearest allowed name; empty if none is allowed or the given name is too long. */
export function didYouMean(given: string, allowed: readonly string[]): string {
  if (allowed.length === 0 || given.length > 100) return '';
  const found = closest(
    given.toLowerCase(),
    allowed.map((name) => name.toLowerCase()),
  );
  return `; did you mean ${allowed.find((name) => name.toLowerCase() === found)}?`;
}
