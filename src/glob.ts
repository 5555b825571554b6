// Globs for paths and names: `*` matches any text without a slash, `**` any text. A regular expression with several of
// them can take exponential time; here, a wildcard reads a text once at most, since a journal can have thousands of long
// ones.

export const globForm = '`*` for any text without a slash, `**` for any text';
export const MAX_GLOB_LENGTH = 256;

type Token = string;

const tokensOf = (glob: string): readonly Token[] => glob.match(/\*\*|./gs) ?? [];

/** Whether a glob matches a text. */
export function matchesGlob(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split(/(\*+)/);
  if (rest.length === 0) return glob === text;
  const [wild, last = ''] = rest.slice(-2);
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let reached: readonly number[] = [first.length];
  for (let at = 0; at + 2 < rest.length; at += 2) {
    const literal = rest[at + 1] ?? '';
    reached = rest[at] === '*' ? behindInSegment(text, literal, reached) : behindAnywhere(text, literal, reached);
    if (reached.length === 0) return false;
  }
  const end = text.length - last.length;
  const from = wild === '*' && end > 0 ? text.lastIndexOf('/', end - 1) + 1 : 0;
  return reached.some((start) => from <= start && start <= end);
}

/**
 * Where a literal that follows `**` can end, for a text that is read up to one of `reached`. Of each segment of the path,
 * the first such place is enough, there and below: a wildcard leads from there to all others.
 */
function behindAnywhere(text: string, literal: string, [first = 0]: readonly number[]): number[] {
  const ends: number[] = [];
  for (let from = first; ; ) {
    const at = text.indexOf(literal, from);
    if (at < 0) return ends;
    ends.push(at + literal.length);
    const slash = text.indexOf('/', at);
    if (slash < 0) return ends;
    from = slash + 1;
  }
}

/** The same for one that follows `*`: it begins in the segment that has been reached. */
function behindInSegment(text: string, literal: string, reached: readonly number[]): number[] {
  const ends: number[] = [];
  let at = -1;
  for (const start of reached) {
    if (at < start) at = text.indexOf(literal, start);
    if (at < 0) return ends;
    const slash = text.indexOf('/', start);
    if (slash < 0 || at <= slash) ends.push(at + literal.length);
  }
  return ends;
}

/** Whether some text matches both a glob and a template such as `/v1/calls/{id}`. */
export const canMatch = (glob: string, template: string): boolean =>
  meet(tokensOf(glob), tokensOf(template.replace(/\{[^}]*\}/g, '*')));

const isWild = (token: Token | undefined): boolean => token === '*' || token === '**';

/** Whether a wildcard can stand for a token of the other side. */
const takes = (wild: Token, other: Token | undefined): boolean =>
  other !== undefined && (wild === '**' || (other !== '/' && other !== '**'));

/** Whether some text matches both. `reached[n]`: whether what has been read of `a` and the first n of `b` can be equal. */
function meet(a: readonly Token[], b: readonly Token[]): boolean {
  const firstText = b.findIndex((token) => !isWild(token));
  let reached = Array.from({ length: b.length + 1 }, (_, count) => firstText < 0 || count <= firstText);
  for (const token of a) {
    const next: boolean[] = [];
    for (let count = 0; count <= b.length; count++) next.push(isReached(token, b[count - 1], count, reached, next));
    reached = next;
  }
  return reached.at(-1) === true;
}

/** `above` is the row without `token`, `row` the one with it, as far as it goes; `other` is the last token of this place. */
function isReached(
  token: Token,
  other: Token | undefined,
  count: number,
  above: readonly boolean[],
  row: readonly boolean[],
): boolean {
  const without = { token: above[count] === true, other: row[count - 1] === true };
  if (isWild(token) && (without.token || (without.other && takes(token, other)))) return true;
  if (other !== undefined && isWild(other) && (without.other || (without.token && takes(other, token)))) return true;
  return other === token && above[count - 1] === true;
}
