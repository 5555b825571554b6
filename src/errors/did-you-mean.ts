// Suggestions for misspelled names, by edit distance and regardless of case.
import { distance } from 'fastest-levenshtein';
import { withoutEndSlashes } from '../end-slashes.ts';

/** A typing error changes at most a third of a name; more than that is another name, and a guess would mislead. */
const MAX_CHANGED = 1 / 3;

/** Whether one name may be a misspelling of the other. Short names may have one error. */
function isNear(a: string, b: string): boolean {
  const length = Math.max(a.length, b.length);
  return length > 1 && typingErrors(a, b) <= Math.max(1, Math.floor(length * MAX_CHANGED));
}

/** Whether two names are equal but for one typing error at most. */
export const isOneErrorFrom = (a: string, b: string): boolean => typingErrors(a.toLowerCase(), b.toLowerCase()) <= 1;

/** How many typing errors make one name of the other; two letters in the wrong order are one. */
function typingErrors(a: string, b: string): number {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  const swapped = `${a.slice(0, at)}${a[at + 1]}${a[at]}${a.slice(at + 2)}`;
  return at >= 0 && swapped === b ? 1 : distance(a, b);
}

/**
 * `; did you mean x?` with the nearest allowed name, if it is near enough to be what was meant; else empty. Names are
 * compared without a prefix that all of them share, which would make any two look alike.
 */
export function didYouMean(given: string, allowed: readonly string[], prefix = ''): string {
  if (allowed.length === 0 || given.length > 100) return '';
  const shared = prefix.toLowerCase();
  const bare = (name: string): string => {
    const lower = name.toLowerCase();
    return lower.startsWith(shared) ? lower.slice(shared.length) : lower;
  };
  return nearest(given, allowed, bare).next().value ?? '';
}

/** How many names are compared at once. */
const AT_ONCE = 50;

/** The same among names of which there can be thousands, in pieces of work. */
export function* didYouMeanAmong(given: string, allowed: readonly string[]): Generator<void, string> {
  if (given.length > 100) return '';
  return yield* nearest(given, allowed, (name) => name.toLowerCase(), AT_ONCE);
}

function* nearest(
  given: string,
  allowed: readonly string[],
  bare: (name: string) => string,
  atOnce = Number.POSITIVE_INFINITY,
): Generator<void, string> {
  const typed = bare(given);
  let found = '';
  let fewest = Number.POSITIVE_INFINITY;
  for (const [index, name] of allowed.entries()) {
    const errors = typingErrors(typed, bare(name));
    if (errors < fewest) [found, fewest] = [name, errors];
    if (index % atOnce === atOnce - 1) yield;
  }
  return found !== '' && isNear(typed, bare(found)) ? `; did you mean ${found}?` : '';
}

/**
 * The same for a path, among templates such as `/v1/calls/{id}` or `/calls/:id`. Every segment must be near, and a
 * parameter stands for what was given in its place, so that the suggestion can be requested; `exists` can refuse one where
 * that is the name of another path.
 */
export function didYouMeanPath(
  given: string,
  templates: readonly string[],
  exists: (path: string) => boolean = () => true,
): string {
  // A path that ends in a slash is not the one without it, but means that.
  const segments = withoutEndSlashes(given).split('/');
  const candidates = templates.flatMap((template) => {
    const path = filledIn(template.split('/'), segments);
    return path !== undefined && path !== given && exists(path) ? path : [];
  });
  const suggestion = didYouMean(given, [...new Set(candidates)]);
  if (suggestion !== '' || segments.length < 2) return suggestion;
  // Without one of its names, such as /calls/dial or /_sandbox/advance; only if that can be one path alone.
  const longer = templates.flatMap((template) => {
    const parts = template.split('/');
    return parts.slice(1).flatMap((left, index) => {
      const next = parts[index + 2];
      // What follows a name may be its parameter, and what it ends with may be left out on purpose.
      if (next === undefined || isParameter(next) || isParameter(left)) return [];
      if (parts.length !== segments.length + 1) return [];
      const rest = parts.toSpliced(index + 1, 1);
      const at = segments.toSpliced(index + 1, 0, left);
      return rest.every((part, place) => part === segments[place] || (isParameter(part) && segments[place] !== ''))
        ? at.join('/')
        : [];
    });
  });
  const [only, ...others] = new Set(longer.filter(exists));
  return only !== undefined && others.length === 0 ? `; did you mean ${only}?` : '';
}

const isParameter = (part: string): boolean => /^(\{.+\}|:.+)$/.test(part);

/** A template with what was given in place of its parameters, if every other part is near; undefined otherwise. */
function filledIn(template: readonly string[], segments: readonly string[]): string | undefined {
  if (template.length !== segments.length) return undefined;
  const parts = template.map((part, index) => (isParameter(part) ? (segments[index] ?? '') : part));
  return parts.every((part, index) => part === segments[index] || isNear(part, segments[index] ?? ''))
    ? parts.join('/')
    : undefined;
}
