// The parts of a body that have arrived. Once a large one is admitted, each is copied as it comes.

/** Smaller parts are put together on pages: by itself, one of a byte would take some 200. */
const SMALL = 1024;
const PAGE_BYTES = 8 * 1024;

export class BodyParts {
  readonly #size: number;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #whole: Buffer | undefined;
  #page: Buffer | undefined;
  /** Where on the page small parts begin that are not among the chunks yet, and where they end. */
  #start = 0;
  #end = 0;

  /** `size` is the most that may come; a body over the limit is a large one. */
  constructor(size: number, limit: number) {
    this.#size = size;
    this.#limit = limit;
  }

  get isLarge(): boolean {
    return this.#length > this.#limit;
  }

  add(chunk: Buffer): void {
    // Most bodies come in one part, which is not copied.
    const isFirst = this.#length === 0;
    this.#length += chunk.length;
    if (!isFirst && chunk.length < SMALL) return this.#addSmall(chunk);
    this.#endPiece();
    this.#chunks.push(chunk);
  }

  #addSmall(chunk: Buffer): void {
    if (!this.#page || this.#page.length - this.#end < chunk.length) {
      this.#endPiece();
      this.#page = Buffer.allocUnsafeSlow(PAGE_BYTES);
      this.#start = 0;
      this.#end = 0;
    }
    this.#end += chunk.copy(this.#page, this.#end);
  }

  #endPiece(): void {
    if (this.#page && this.#end > this.#start) this.#chunks.push(this.#page.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  /** Copies what has come into memory for all of it. */
  join(): Buffer {
    this.#endPiece();
    this.#whole ??= Buffer.allocUnsafeSlow(this.#size);
    let at = this.#length - this.#chunks.reduce((sum, { length }) => sum + length, 0);
    for (const chunk of this.#chunks) at += chunk.copy(this.#whole, at);
    this.#chunks = [];
    return this.#whole;
  }

  /** All that has come. */
  end(): Buffer {
    if (this.isLarge) return this.join().subarray(0, this.#length);
    this.#endPiece();
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks);
  }
}
