// Removes secrets from what journals and logs keep: first the values of secret fields and headers, by name, then
// whatever looks like a secret. A journaled body may be malformed (refused requests are journaled too) or truncated
// (only the beginning of a large one is kept), so it is searched as plain text; the text around a secret is unchanged.
import { setHeader } from '../header-fields.ts';
import { isSecretHeader, isSecretName, secretNameHint } from './names.ts';
import { REDACTED, withoutSecrets } from './patterns.ts';
import { redactedUrl } from './urls.ts';

/** Most bodies contain no such name and no escape that could hide one; those are searched no further. */
const suspicious = new RegExp(`${secretNameHint}|\\\\u|%[4-7]|webhook`, 'i');
/**
 * A name and what is between it and its value: in quotes (escaped ones in JSON within a string), or a bare one where a
 * field or parameter begins. Names are of bounded length, so that no body takes long.
 */
const field =
  /(?:(\\{0,7}["'])([^"'\\\r\n]{1,100})\\{0,7}["']|(?<=(?:^|[{,;&?#\r\n])\s{0,20})([\w.%+[\]-]{1,100}))\s*[:=]\s*/g;
/** Elements of XML, their attributes, and parts of forms, which are refused, but journaled all the same. */
const element = /<(?:[\w.-]{1,50}:)?([\w.-]{1,100})((?:\s[^<>]{0,500})?)>(?:<!\[CDATA\[[^\]]{0,200}\]\]>|[^<])*/g;
const attribute = /(?<=\s)([\w:.-]{1,100})(\s{0,5}=\s{0,5}\\{0,7})(?:"[^"]*"|'[^']*')/g;
const formPart =
  /(name="([^"\r\n]{1,100})"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,3}\r?\n)(?:[^\r\n]|\r?\n(?!--))*/g;
/** What follows is a text with the address: alone, in a message about it, or in an array, which is refused. */
const webhookUrl = /webhook[-_]?url\\{0,7}["']\s*:\s*/gi;
/** Between the parts of such a text; an address that is refused can have spaces. */
const betweenParts = /(\s+|\\{0,7}["'])/;
/** Escapes of letters, digits, spaces, `.`, `_` and `-`, which are never necessary. */
const needlessEscape = /\\u00(2[0de]|3\d|[46][1-9a-f]|5f|[57][\da])/gi;
const opening = /\\{0,7}["']/y;
/** A value without quotes or brackets. */
const bare = /[^,;&}\]\r\n"']*/y;

export function redactedHeader(name: string, value: string): string {
  if (isSecretHeader(name)) return REDACTED;
  // The address of a page, of a redirect, of the request before a proxy has changed it.
  const clean = value.includes('=') && suspicious.test(value) ? withoutFields(value) : value;
  return withoutSecrets(clean);
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
  let kept = text;
  if (kept.includes('<')) {
    kept = kept
      .replace(element, (whole, name: string, rest: string) =>
        isSecretName(name) ? `${whole.slice(0, whole.indexOf(name) + name.length)}${rest}>${REDACTED}` : whole,
      )
      .replace(attribute, (whole, name: string, is: string) =>
        isSecretName(name) ? `${name}${is}"${REDACTED}${is.includes('\\') ? '\\' : ''}"` : whole,
      );
  }
  if (kept.includes('name="')) {
    kept = kept.replace(formPart, (whole, head: string, name: string) =>
      isSecretName(name) ? `${head}${REDACTED}` : whole,
    );
  }
  return withValues(kept, webhookUrl, (value) =>
    value
      .split(betweenParts)
      .map((part, index) => (index % 2 === 0 ? redactedUrl(part) : part))
      .join(''),
  );
}

function withoutFields(text: string): string {
  const replace = (value: string, quote: string, match: RegExpExecArray): string => {
    if (value.trim() === 'null') return value;
    const marks = quote || (match[1] ?? '');
    return marks + REDACTED + marks;
  };
  return withValues(text, field, replace, ([, , quoted, bare = '']) => isSecretName(quoted ?? unescaped(bare)));
}

/** Names of parameters can be percent-encoded. */
function unescaped(name: string): string {
  return name.replace(/%([4-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Replaces the value that follows each match that is meant; `quote` is the quotation mark of one, or empty. */
function withValues(
  text: string,
  names: RegExp,
  replace: (value: string, quote: string, match: RegExpExecArray) => string,
  isMeant: (match: RegExpExecArray) => boolean = () => true,
): string {
  let clean = '';
  let kept = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match; match = names.exec(text)) {
    if (!isMeant(match)) continue;
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
