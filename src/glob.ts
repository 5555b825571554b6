// Globs for paths and names: `*` matches any text without a slash, `**` any text. They are matched character by
// character, since a regular expression with several of them can take exponential time.

export const globForm = '`*` for any text without a slash, `**` for any text';
export const MAX_GLOB_LENGTH = 256;

type Token = string;

const tokensOf = (glob: string): readonly Token[] => glob.match(/\*\*|./gs) ?? [];

/** Whether a glob matches a text. */
export const matchesGlob = (glob: string, text: string): boolean =>
  glob.includes('*') ? meet(tokensOf(glob), [...text]) : glob === text;

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
