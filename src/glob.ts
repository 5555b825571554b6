// Globs for paths and names: `*` matches any text without a slash, `**` any text. A regular expression with several of
// them can take exponential time; here, a wildcard reads a text once at most, since a journal can have thousands of long
// ones.

export const globForm = '`*` for any text without a slash, `**` for any text';
export const MAX_GLOB_LENGTH = 256;

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
export const canMatch = (glob: string, template: string): boolean => meet(tokensOf(glob), templateTokens(template));

/** Code units, or one of the wildcards. */
type Tokens = Int32Array;

const STAR = -1;
const STARS = -2;
const SLASH = 0x2f;
const wildcards: ReadonlyMap<string, number> = new Map([
  ['*', STAR],
  ['**', STARS],
]);

const tokensOf = (glob: string): Tokens =>
  Int32Array.from(glob.match(/\*\*|./gs) ?? [], (part) => wildcards.get(part) ?? part.charCodeAt(0));

/** By template; those of the contract, of which there are few. */
const known = new Map<string, Tokens>();

function templateTokens(template: string): Tokens {
  const tokens = known.get(template) ?? tokensOf(template.replace(/\{[^}]*\}/g, '*'));
  known.set(template, tokens);
  return tokens;
}

const isWild = (token: number): boolean => token < 0;

/** Whether a wildcard can stand for a token of the other side. */
const takes = (wild: number, other: number): boolean => wild === STARS || (other !== SLASH && other !== STARS);

/**
 * Whether some text matches both. `reached[n]`: whether what has been read of `a` and the first n of `b` can be equal. One
 * request can have a hundred globs, each compared with every operation.
 */
function meet(a: Tokens, b: Tokens): boolean {
  let reached = new Uint8Array(b.length + 1);
  let next = new Uint8Array(b.length + 1);
  reached[0] = 1;
  for (let count = 0; count < b.length && isWild(b[count] ?? 0); count++) reached[count + 1] = 1;
  let first = 0;
  for (const token of a) {
    const wild = isWild(token);
    const from = first;
    first = -1;
    for (let count = from; count <= b.length; count++) {
      const above = reached[count] === 1;
      // Nothing is reached before `from`.
      const left = count > from && next[count - 1] === 1;
      const other = count > 0 ? (b[count - 1] ?? 0) : 0;
      const can =
        (wild && (above || (left && takes(token, other)))) ||
        (count > 0 && isWild(other) && (left || (above && takes(other, token)))) ||
        (count > from && other === token && reached[count - 1] === 1);
      next[count] = can ? 1 : 0;
      if (can && first < 0) first = count;
    }
    if (first < 0) return false;
    [reached, next] = [next, reached];
  }
  return reached[b.length] === 1;
}
