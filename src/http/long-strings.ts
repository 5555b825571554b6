// The long strings of a large JSON text, such as a document in base64: parsed as a part of the text, each would be copied
// and searched several times, while all other requests wait.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Strings of fewer bytes stay in the text. */
const LONG_BYTES = 64 * 1024;
/** Stands for a long string in the text that is left. */
const MARK = '\u0000long ';

export interface ShortText {
  readonly bytes: Buffer;
  /** What a string of the parsed text stands for. */
  restore(value: unknown): unknown;
}

/** The text without its long strings of plain ASCII; undefined if it has none that can be told from the rest. */
export function withoutLongStrings(json: Buffer): ShortText | undefined {
  const rest: Buffer[] = [];
  const long: Buffer[] = [];
  let copied = 0;
  for (let start = json.indexOf(QUOTE); start >= 0; ) {
    const end = endOfString(json, start);
    if (end < 0) return undefined;
    const text = json.subarray(start + 1, end);
    if (text.length >= LONG_BYTES && isPlain(text) && json[end + 1] !== COLON) {
      rest.push(json.subarray(copied, start + 1), Buffer.from(`\\u0000long ${long.length}`));
      long.push(text);
      copied = end;
    }
    start = json.indexOf(QUOTE, end + 1);
  }
  if (long.length === 0) return undefined;
  const bytes = Buffer.concat([...rest, json.subarray(copied)]);
  // No other string may look like a mark once it is parsed.
  const marks = bytes.toString('latin1').split('\\u0000').length - 1;
  if (marks !== long.length) return undefined;
  return {
    bytes,
    restore: (value) =>
      typeof value === 'string' && value.startsWith(MARK)
        ? long[Number(value.slice(MARK.length))]?.toString('latin1')
        : value,
  };
}

/** Printable ASCII, with nothing escaped. */
function isPlain(text: Buffer): boolean {
  for (const byte of text) if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return false;
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
