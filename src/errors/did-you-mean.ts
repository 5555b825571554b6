// Suggestions for misspelled names, by edit distance and regardless of case.
import { closest } from 'fastest-levenshtein';

/** `; did you mean x?` with the nearest known name; empty where nothing is known or the given name is too long. */
export function didYouMean(given: string, known: readonly string[]): string {
  if (known.length === 0 || given.length > 100) return '';
  const found = closest(
    given.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  return `; did you mean ${known.find((name) => name.toLowerCase() === found)}?`;
}
