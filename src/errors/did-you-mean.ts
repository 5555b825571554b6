// What someone may have meant: the nearest of the names that are known, whatever the case.
import { closest } from 'fastest-levenshtein';

/** `; did you mean …?`, or nothing where there is nothing to offer. */
export function didYouMean(given: string, known: readonly string[]): string {
  if (known.length === 0 || given.length > 100) return '';
  const found = closest(
    given.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  return `; did you mean ${known.find((name) => name.toLowerCase() === found)}?`;
}
