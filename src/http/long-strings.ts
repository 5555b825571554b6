// The long strings of a large JSON text, such as a document in base64. They are found, checked and decoded in pieces of
// a fraction of a millisecond, so that requests are served in between, and are never parsed with the rest of the text.
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileContent } from '../stored-bytes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;
/** Strings of fewer bytes stay in the text. */
const LONG_BYTES = 64 * 1024;
/** How many bytes are searched, or decoded, at once. */
const PIECE_BYTES = 16 * 1024;
/** After a string, how far a colon is looked for, which makes it a name. */
const MAX_SPACE = 1024;

/** Where its bytes are, between the quotation marks. */
export interface LongString {
  readonly start: number;
  readonly end: number;
}

/** The text has more than that many bytes beside its long strings. */
export class TooMuchBeside extends Error {}
/** A string of the text has no end. */
export class NoEnd extends Error {}

/** Finds the long strings that are values. Throws TooMuchBeside and NoEnd. */
export function* findLongStrings(json: Buffer, mostBeside: number): Generator<void, LongString[]> {
  const found: LongString[] = [];
  let beside = json.length;
  /** Where the string began that is being read; -1 between strings. */
  let start = -1;
  let at = 0;
  for (let from = 0; from < json.length; from += PIECE_BYTES) {
    yield;
    const piece = json.subarray(from, from + PIECE_BYTES);
    const to = from + piece.length;
    const next = nextIn(piece, from);
    while (at < to) {
      const quote = next(QUOTE, at);
      const slash = start < 0 ? to : next(BACKSLASH, at);
      if (slash < quote) {
        // What it escapes may be in the next piece.
        at = slash + 2;
      } else if (quote === to) {
        at = to;
      } else {
        if (start >= 0 && quote - start > LONG_BYTES && !isName(json, quote)) {
          found.push({ start: start + 1, end: quote });
          beside -= quote - start - 1;
        }
        start = start < 0 ? quote : -1;
        at = quote + 1;
      }
    }
    const unread = json.length - to + (start >= 0 && to - start > LONG_BYTES ? to - start : 0);
    if (beside - unread > mostBeside) throw new TooMuchBeside();
  }
  if (start >= 0) throw new NoEnd();
  if (beside > mostBeside) throw new TooMuchBeside();
  return found;
}

/** Looks for bytes in a piece, from any place on; `to`, its end, if there is none. No place is looked at twice. */
function nextIn(piece: Buffer, from: number): (byte: number, at: number) => number {
  const to = from + piece.length;
  const known = new Map<number, number>();
  return (byte, at) => {
    const before = known.get(byte);
    if (before !== undefined && before >= at) return before;
    const found = piece.indexOf(byte, at - from);
    const place = found < 0 ? to : from + found;
    known.set(byte, place);
    return place;
  };
}

function isName(json: Buffer, quote: number): boolean {
  const most = quote + MAX_SPACE;
  for (let at = quote + 1; at < most; at++) {
    const byte = json[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte === COLON;
  }
  return true;
}

/** Where the string that begins there ends, or -1. */
export function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let slashes = end;
    while (json[slashes - 1] === BACKSLASH) slashes -= 1;
    if ((end - slashes) % 2 === 0) return end;
  }
  return -1;
}

/** What a long string says, piece by piece. Throws SyntaxError if it is not a JSON string. */
function* textIn(json: Buffer, { start, end }: LongString): Generator<string> {
  for (let from = start; from < end; ) {
    const to = cutBefore(json, from, Math.min(from + PIECE_BYTES, end));
    const piece = json.subarray(from, to);
    yield plainText(piece) ?? parsedText(piece);
    from = to;
  }
}

/** What JSON forbids in a string unless it is escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f]/;

/** What a piece says that has nothing to parse, such as base64: parsing makes two more copies of it. */
function plainText(piece: Buffer): string | undefined {
  if (!isAscii(piece) || piece.includes(BACKSLASH)) return undefined;
  const text = piece.toString('latin1');
  return CONTROL.test(text) ? undefined : text;
}

function parsedText(piece: Buffer): string {
  if (!isUtf8(piece)) throw new SyntaxError('not UTF-8');
  return String(JSON.parse(`"${piece.toString('utf8')}"`));
}

/** The last place before `to` that is within neither an escape nor a character. */
function cutBefore(json: Buffer, from: number, to: number): number {
  const slash = json.subarray(from, to).lastIndexOf(BACKSLASH);
  if (slash >= 0 && slash >= to - from - 5) {
    let first = from + slash;
    while (first > from && json[first - 1] === BACKSLASH) first -= 1;
    const isEscape = (from + slash - first) % 2 === 0;
    const length = json[from + slash + 1] === LETTER_U ? 6 : 2;
    if (isEscape && from + slash + length > to) return from + slash > from ? from + slash : to;
  }
  let cut = to;
  while (cut > from && cut > to - 4 && ((json[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut > from ? cut : to;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether whole groups of four characters are the base64 of those bytes: unused bits must be zero. */
function isBase64Of(text: string, decoded: Buffer): boolean {
  if (!BASE64.test(text)) return false;
  return !text.endsWith('=') || decoded.toString('base64', decoded.length - (decoded.length % 3)) === text.slice(-4);
}

/** The content of a file in base64 with padding; undefined if it is none. Throws SyntaxError. */
export function* decodeFile(json: Buffer, string: LongString): Generator<void, FileContent | undefined> {
  // Four characters are three bytes; more would stay in memory with the file.
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((string.end - string.start) / 4) * 3);
  const hash = createHash('sha256');
  let length = 0;
  let rest = '';
  let isBase64 = true;
  let isPadded = false;
  for (const text of textIn(json, string)) {
    const given = rest + text;
    const part = given.slice(0, given.length - (given.length % 4));
    rest = given.slice(part.length);
    const decoded = bytes.subarray(length, length + bytes.write(part, length, 'base64'));
    isBase64 &&= !isPadded && isBase64Of(part, decoded);
    isPadded = part.endsWith('=');
    if (isBase64) {
      hash.update(decoded);
      length += decoded.length;
    }
    yield;
  }
  return isBase64 && rest === '' ? { bytes: bytes.subarray(0, length), sha256: hash.digest('hex') } : undefined;
}

/** The beginning of a long string, and a hash that tells it from any other. Throws SyntaxError. */
export function* shorten(json: Buffer, string: LongString): Generator<void, string> {
  const hash = createHash('sha256');
  let beginning = '';
  for (const text of textIn(json, string)) {
    if (beginning.length < LONG_BYTES) beginning += text;
    hash.update(text);
    yield;
  }
  return `${beginning} … ${hash.digest('hex')}`;
}
