// Suggestions for misspelled names, by edit distance and regardless of case.
import { closest, distance } from 'fastest-levenshtein';

/** A typing error changes at most a third of a name; more than that is another name, and a guess would mislead. */
const MAX_CHANGED = 1 / 3;

/** Whether one name may be a misspelling of the other. Short names may have one error. */
function isNear(a: string, b: string): boolean {
  const length = Math.max(a.length, b.length);
  return length > 1 && distance(a, b) <= Math.max(1, Math.floor(length * MAX_CHANGED));
}

/** `; did you mean x?` with the nearest allowed name, if it is near enough to be what was meant; else empty. */
export function didYouMean(given: string, allowed: readonly string[]): string {
  if (allowed.length === 0 || given.length > 100) return '';
  const typed = given.toLowerCase();
  const found = closest(
    typed,
    allowed.map((name) => name.toLowerCase()),
  );
  return isNear(typed, found) ? `; did you mean ${allowed.find((name) => name.toLowerCase() === found)}?` : '';
}

/**
 * The same for a path, among templates such as `/v1/calls/{id}` or `/calls/:id`. Every segment must be near, and a
 * parameter stands for what was given in its place, so that the suggestion can be requested.
 */
export function didYouMeanPath(given: string, templates: readonly string[]): string {
  // A path that ends in a slash is not the one without it, but means that.
  const segments = given.replace(/\/+$/, '').split('/');
  const candidates = templates.flatMap((template) => {
    const parts = template.split('/').map((part, index) => (/^(\{.+\}|:.+)$/.test(part) ? segments[index] : part));
    if (parts.length !== segments.length) return [];
    const near = parts.every((part = '', index) => part === segments[index] || isNear(part, segments[index] ?? ''));
    return near ? parts.join('/') : [];
  });
  return didYouMean(given, [...new Set(candidates)]);
}
