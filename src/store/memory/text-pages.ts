// The long texts of a journal, outside of V8's heap. A busy world keeps an entry for less than a second, which is what
// the garbage collector does worst: it copies each body twice, and learns much later that it has gone. A page is written
// over once nothing that is on it is kept.

interface Page {
  readonly bytes: Buffer;
  /** Where the next text goes. */
  end: number;
  /** How many pairs on it are kept. */
  pairs: number;
}

/** Two texts next to one another; the second one may be empty. */
export interface KeptTexts {
  readonly page: Page;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** Most worlds are small. */
const MIN_PAGE_BYTES = 4096;
const MAX_PAGE_BYTES = 256 * 1024;
/** Fewer are as well kept as strings. */
const MIN_BYTES = 256;

export class TextPages {
  #page: Page | null = null;
  /** Nothing on it is kept. */
  #spare: Page | null = null;
  #bytes = 0;

  /** Null for texts that are to stay strings: short ones, and those beyond ASCII, which would have to be decoded. */
  keep(first: string, second = ''): KeptTexts | null {
    const length = first.length + second.length;
    if (length < MIN_BYTES || !isAscii(first) || !isAscii(second)) return null;
    const page = this.#pageFor(length);
    const start = page.end;
    const middle = start + page.bytes.write(first, start, 'latin1');
    const end = middle + page.bytes.write(second, middle, 'latin1');
    page.end = end;
    page.pairs += 1;
    this.#bytes += length;
    return { page, start, middle, end };
  }

  /** Called once for what `keep` has returned, which must not be read after that. */
  release({ page, start, end }: KeptTexts): void {
    page.pairs -= 1;
    this.#bytes -= end - start;
    if (page.pairs > 0) return;
    page.end = 0;
    if (page !== this.#page) this.#spare = page;
  }

  #pageFor(length: number): Page {
    if (this.#page && this.#page.bytes.length - this.#page.end >= length) return this.#page;
    // As large as all that is kept, so that the page before the last is soon empty and few texts have many pages.
    const size = Math.max(length, Math.min(MAX_PAGE_BYTES, Math.max(MIN_PAGE_BYTES, this.#bytes)));
    const { page, spare } = { page: this.#page, spare: this.#spare };
    const isFit = spare !== null && spare.bytes.length >= length && spare.bytes.length * 2 >= size;
    this.#page = isFit ? spare : { bytes: Buffer.allocUnsafeSlow(size), end: 0, pairs: 0 };
    this.#spare = page?.pairs === 0 ? page : null;
    return this.#page;
  }
}

export const firstOf = ({ page, start, middle }: KeptTexts): string => page.bytes.toString('latin1', start, middle);
export const secondOf = ({ page, middle, end }: KeptTexts): string => page.bytes.toString('latin1', middle, end);

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
