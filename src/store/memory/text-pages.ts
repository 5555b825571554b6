// Lists of texts outside of V8's heap. A busy world keeps an entry for less than a second, which is what the garbage
// collector does worst: it copies each object twice, and learns much later that it has gone. A page is written over once
// nothing that is on it is kept.

export interface Page {
  readonly bytes: Buffer;
  /** Where the next list goes. */
  end: number;
  /** How many lists on it are kept. */
  lists: number;
}

/** Where a list is. It begins with its size in bytes, how many texts it has, and the bytes of a character; then lengths. */
export interface KeptTexts {
  readonly page: Page;
  readonly start: number;
}

const NUMBER_BYTES = 4;
const TEXTS_AT = NUMBER_BYTES;
const WIDTH_AT = 2 * NUMBER_BYTES;
const LENGTHS_AT = 3 * NUMBER_BYTES;
/** The length of what is null. */
const NULL = -1;

/** Most worlds are small. */
const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 256 * 1024;

export class TextPages {
  #page: Page | null = null;
  /** Nothing on it is kept. */
  #spare: Page | null = null;
  #bytes = 0;

  keep(texts: readonly (string | null)[]): KeptTexts {
    let joined = '';
    for (const text of texts) if (text !== null) joined += text;
    const isAscii = Buffer.byteLength(joined) === joined.length;
    const width = isAscii ? 1 : 2;
    const size = LENGTHS_AT + texts.length * NUMBER_BYTES + joined.length * width;
    const page = this.#pageFor(size);
    const { bytes, end: start } = page;
    bytes.writeInt32LE(size, start);
    bytes.writeInt32LE(texts.length, start + TEXTS_AT);
    bytes.writeInt32LE(width, start + WIDTH_AT);
    let at = start + LENGTHS_AT;
    for (const text of texts) at = bytes.writeInt32LE(text === null ? NULL : text.length, at);
    bytes.write(joined, at, encodingOf(width));
    page.end += size;
    page.lists += 1;
    this.#bytes += size;
    return { page, start };
  }

  /** Called once for what `keep` has returned, which must not be read after that. */
  release({ page, start }: KeptTexts): void {
    page.lists -= 1;
    this.#bytes -= page.bytes.readInt32LE(start);
    if (page.lists > 0) return;
    page.end = 0;
    if (page !== this.#page) this.#spare = page;
  }

  #pageFor(size: number): Page {
    const { page, spare } = { page: this.#page, spare: this.#spare };
    if (page && page.bytes.length - page.end >= size) return page;
    // As large as all that is kept, so that the page before the last is soon empty and few texts have many pages.
    const usual = Math.max(size, Math.min(MAX_PAGE_BYTES, Math.max(MIN_PAGE_BYTES, this.#bytes)));
    const isFit = spare !== null && spare.bytes.length >= size && spare.bytes.length * 2 >= usual;
    const next = isFit ? spare : { bytes: Buffer.allocUnsafeSlow(usual), end: 0, lists: 0 };
    this.#spare = page?.lists === 0 ? page : null;
    this.#page = next;
    return next;
  }
}

const encodingOf = (width: number): BufferEncoding => (width === 1 ? 'latin1' : 'utf16le');

export function textsOf({ page: { bytes }, start }: KeptTexts): (string | null)[] {
  const count = bytes.readInt32LE(start + TEXTS_AT);
  const width = bytes.readInt32LE(start + WIDTH_AT);
  const end = start + bytes.readInt32LE(start);
  const joined = bytes.toString(encodingOf(width), start + LENGTHS_AT + count * NUMBER_BYTES, end);
  const texts: (string | null)[] = [];
  let at = 0;
  for (let n = 0; n < count; n++) {
    const length = bytes.readInt32LE(start + LENGTHS_AT + n * NUMBER_BYTES);
    texts.push(length === NULL ? null : joined.slice(at, at + length));
    if (length !== NULL) at += length;
  }
  return texts;
}

/** The first text of a list that begins with one. */
export function firstTextOf({ page: { bytes }, start }: KeptTexts): string {
  const count = bytes.readInt32LE(start + TEXTS_AT);
  const width = bytes.readInt32LE(start + WIDTH_AT);
  const at = start + LENGTHS_AT + count * NUMBER_BYTES;
  return bytes.toString(encodingOf(width), at, at + bytes.readInt32LE(start + LENGTHS_AT) * width);
}
