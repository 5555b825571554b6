// Removes secrets from what journals and logs keep: first the values of secret fields and headers, by name, then
// whatever looks like a secret. A journaled body may be malformed (refused requests are journaled too) or truncated
// (only the beginning of a large one is kept), so it is searched as plain text; the text around a secret is unchanged.
import { setHeader } from '../header-fields.ts';
import { isSecretHeader, secretNameHint, secretNamePattern } from './names.ts';
import { REDACTED, withoutSecrets } from './patterns.ts';
import { redactedUrl } from './urls.ts';

/** Most bodies contain no such name and no escape that could hide one; those are searched no further. */
const suspicious = new RegExp(`${secretNameHint}|\\\\u|webhook`, 'i');
/**
 * A name in quotes (escaped ones in JSON within a string), or a bare one where a field or parameter begins. Repetition
 * before a name is bounded, so that no body takes long.
 */
const field = new RegExp(
  `(?:(\\\\{0,7}["'])(?:${secretNamePattern})\\\\{0,7}["']|(?<=(?:^|[{,;&\\r\\n])\\s{0,20})(?:${secretNamePattern}))\\s*[:=]\\s*`,
  'gi',
);
/** Elements of XML and parts of forms, which are refused, but journaled all the same. */
const element = new RegExp(`<(${secretNamePattern})>[^<]*`, 'gi');
const formPart = new RegExp(
  `(name="(?:${secretNamePattern})"[^\\r\\n]{0,200}\\r?\\n(?:[^\\r\\n]{1,200}\\r?\\n)?\\r?\\n)[^\\r\\n]*`,
  'gi',
);
/** What follows is a text with the address: alone, in a message about it, or in an array, which is refused. */
const webhookUrl = /webhook[-_]?url\\{0,7}["']\s*:\s*/gi;
/** Between the parts of such a text; an address that is refused can have spaces. */
const betweenParts = /(\s+|\\{0,7}["'])/;
/** Escapes of letters, digits, `_` and `-`, which are never necessary. */
const needlessEscape = /\\u00(2d|3\d|[46][1-9a-f]|5f|[57][\da])/gi;
const opening = /\\{0,7}["']/y;
/** A value without quotes or brackets. */
const bare = /[^,;&}\]\r\n"']*/y;

export function redactedHeader(name: string, value: string): string {
  return isSecretHeader(name) ? REDACTED : withoutSecrets(value);
}

export function redactedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const name in headers) setHeader(redacted, name, redactedHeader(name.toLowerCase(), headers[name] ?? ''));
  return redacted;
}

export function redactedBody(text: string): string {
  if (!suspicious.test(text)) return withoutSecrets(text);
  const plain = text.replace(needlessEscape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const clean = withoutSecrets(withoutMarkup(withoutFields(plain)));
  return clean === plain ? text : clean;
}

function withoutMarkup(text: string): string {
  let kept = text.includes('<') ? text.replace(element, `<$1>${REDACTED}`) : text;
  if (kept.includes('name="')) kept = kept.replace(formPart, `$1${REDACTED}`);
  return withValues(kept, webhookUrl, (value) =>
    value
      .split(betweenParts)
      .map((part, index) => (index % 2 === 0 ? redactedUrl(part) : part))
      .join(''),
  );
}

function withoutFields(text: string): string {
  return withValues(text, field, (value, quote, match) => {
    if (value.trim() === 'null') return value;
    const marks = quote || (match[1] ?? '');
    return marks + REDACTED + marks;
  });
}

/** Replaces the value that follows each match; `quote` is the quotation mark of one, or empty. */
function withValues(
  text: string,
  names: RegExp,
  replace: (value: string, quote: string, match: RegExpExecArray) => string,
): string {
  let clean = '';
  let kept = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match; match = names.exec(text)) {
    const from = names.lastIndex;
    const quote = quoteAt(text, from);
    const to = quote === '' ? endOfValue(text, from) : endOfString(text, from, quote);
    names.lastIndex = to;
    clean += text.slice(kept, from) + replace(text.slice(from, to), quote, match);
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
