// Removes secrets from what journals and logs keep: the values of secret fields, and this server's API keys wherever a
// client put them. A journaled body may be malformed (refused requests are journaled too) or cut off (only the beginning of a
// large one is kept), so it is searched as plain text; the text around a secret is unchanged.

const REDACTED = '[redacted]';

/** Names of fields, parameters and headers whose values are secret (`interface.md` section 5), in lower case. */
export const secretNames = [
  'api_key',
  'control_key',
  'token',
  'signing_secret',
  'source_secret',
  'authorization',
] as const;

const secrets: ReadonlySet<string> = new Set(secretNames);
const secretHeaders: ReadonlySet<string> = new Set([
  ...secretNames,
  'proxy-authorization',
  'cookie',
  'x-source-secret',
]);
/** The end of a test key may be any visible text; here it ends where text in a body, a query or a path usually does. */
const strayKeys = /svc_(?:key_[0-9a-f]+|control_[0-9a-f]+|sandbox_\w+|test_[\w-]+(?:\.[^\s"'\\,;&<>[\]{}()]*)?)/g;
/** Tokens signed by this server. Their headers are short; without a bound, `eyJeyJeyJ…` would take seconds to match. */
const strayTokens = /eyJ[\w-]{1,200}\.[\w-]+\.[\w-]+/g;

const anyName = secretNames.join('|');
/** Most bodies contain no such name and no escape that could hide one; those are searched no further. */
const suspicious = new RegExp(`${anyName}|\\\\u`, 'i');
/**
 * A name in quotes (escaped ones in JSON within a string), or a bare one where a field or parameter begins. Repetition
 * before a name is bounded, so that no body takes long.
 */
const field = new RegExp(
  `(?:(\\\\{0,7}["'])(?:${anyName})\\\\{0,7}["']|(?<=(?:^|[{,;&\\r\\n])\\s{0,20})(?:${anyName}))\\s*[:=]\\s*`,
  'gi',
);
/** Escapes of letters, digits, `_` and `-`, which are never necessary. */
const needlessEscape = /\\u00(2d|3\d|[46][1-9a-f]|5f|[57][\da])/gi;
const opening = /\\{0,7}["']/y;
/** A value without quotes or brackets. */
const bare = /[^,;&}\]\r\n"']*/y;

export function redactedHeader(name: string, value: string): string {
  return secretHeaders.has(name) ? REDACTED : withoutKeys(value);
}

/** For a string without fields, such as a path. */
export function withoutKeys(text: string): string {
  const kept = text.includes('svc_') ? text.replace(strayKeys, REDACTED) : text;
  return kept.includes('eyJ') ? kept.replace(strayTokens, REDACTED) : kept;
}

export function redactedQuery(query: string): string {
  if (query === '') return query;
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    const isSecret = secrets.has(decoded(name).trim().toLowerCase());
    const plain = decoded(part);
    if (isSecret || withoutKeys(plain) !== plain) return `${withoutKeys(name)}=${REDACTED}`;
    return part;
  });
  return parts.join('&');
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export function redactedBody(text: string): string {
  if (!suspicious.test(text)) return withoutKeys(text);
  const plain = text.replace(needlessEscape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const clean = withoutKeys(withoutFields(plain));
  return clean === plain ? text : clean;
}

function withoutFields(text: string): string {
  let clean = '';
  let kept = 0;
  field.lastIndex = 0;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    const from = field.lastIndex;
    const quote = quoteAt(text, from);
    const to = quote === '' ? endOfValue(text, from) : endOfString(text, from, quote);
    field.lastIndex = to;
    if (text.slice(from, to).trim() === 'null') continue;
    const marks = quote || (match[1] ?? '');
    clean += text.slice(kept, from) + marks + REDACTED + marks;
    kept = to;
  }
  return clean + text.slice(kept);
}

/** The quotation mark at a position, with the backslashes before it; empty if there is none. */
function quoteAt(text: string, at: number): string {
  opening.lastIndex = at;
  return opening.exec(text)?.[0] ?? '';
}

/** The position after the closing quote; the end of the text if it was cut off. */
function endOfString(text: string, from: number, quote: string): number {
  const mark = quote.slice(-1);
  const depth = quote.length - 1;
  for (let at = text.indexOf(mark, from + quote.length); at >= 0; at = text.indexOf(mark, at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (depth === 0 ? escapes % 2 === 0 : escapes <= depth) return at + 1;
  }
  return text.length;
}

/** The same for an array, an object, a number or a word. */
function endOfValue(text: string, from: number): number {
  if (text[from] !== '{' && text[from] !== '[') {
    bare.lastIndex = from;
    bare.test(text);
    return bare.lastIndex;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at, '"') - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
