// Text messages as a server sends them: frames without a mask (RFC 6455, section 5.2). They are written piece by piece to
// pages, one behind the other, so that the system takes many of them at once, and V8 never puts a message together. `ws`
// gives the system two pieces for each message.

/** A message on its page, with its header; it belongs to nobody, so any number of readers may be sent it. */
export interface Frame {
  readonly page: Buffer;
  readonly start: number;
  readonly end: number;
}

const FINAL_TEXT = 0x81;
/** Up to here, the length is a byte; the two larger forms begin with one of these. */
const MAX_SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MAX_TWO_BYTES = 0xffff;
/** Of most frames. */
const USUAL_HEADER = 4;
const LONGEST_HEADER = 10;

const PAGE_BYTES = 128 * 1024;
/** Bytes that a UTF-16 unit can take in UTF-8. */
const MAX_UNIT = 3;
/** The bytes of longer texts are counted. */
const MAX_GUESSED = 4096;

export class Frames {
  #page = Buffer.alloc(0);
  /** Where the payload of the message begins that is being written, and where it ends so far. */
  #start = USUAL_HEADER;
  #end = USUAL_HEADER;

  /** Begins a message, in the place of one that did not come to its end. */
  begin(): void {
    this.#end = this.#start;
  }

  /** Adds to the message. */
  write(text: string): void {
    const bytes = text.length <= MAX_GUESSED ? text.length * MAX_UNIT : Buffer.byteLength(text);
    if (this.#page.length - this.#end < bytes) this.#turnPage(bytes);
    this.#end += this.#page.write(text, this.#end);
  }

  /** Ends the message. */
  end(): Frame {
    const length = this.#end - this.#start;
    const header = length <= MAX_SHORT ? 2 : length <= MAX_TWO_BYTES ? USUAL_HEADER : LONGEST_HEADER;
    if (header !== USUAL_HEADER) this.#moveBy(header - USUAL_HEADER);
    const frame = { page: this.#page, start: this.#start - header, end: this.#end };
    writeHeader(frame.page, frame.start, length);
    this.#start = this.#end + USUAL_HEADER;
    this.#end = this.#start;
    return frame;
  }

  /** Takes the message to a new page, with room for that much more of it, and for others. */
  #turnPage(bytes: number): void {
    const before = this.#page.subarray(this.#start, this.#end);
    this.#page = Buffer.allocUnsafeSlow(before.length + bytes + PAGE_BYTES);
    this.#start = USUAL_HEADER;
    this.#end = this.#start + before.copy(this.#page, this.#start);
  }

  /** Makes place for another header, so that the frame still begins where the one before has ended. */
  #moveBy(bytes: number): void {
    if (this.#page.length < this.#end + bytes) this.#turnPage(bytes);
    this.#page.copyWithin(this.#start + bytes, this.#start, this.#end);
    this.#start += bytes;
    this.#end += bytes;
  }
}

function writeHeader(page: Buffer, at: number, length: number): void {
  page[at] = FINAL_TEXT;
  if (length <= MAX_SHORT) page[at + 1] = length;
  else if (length <= MAX_TWO_BYTES) {
    page[at + 1] = TWO_BYTES;
    page.writeUInt16BE(length, at + 2);
  } else {
    page[at + 1] = EIGHT_BYTES;
    page.writeBigUInt64BE(BigInt(length), at + 2);
  }
}

/** The bytes of frames in their order, those that are next to one another in one piece. */
export function bytesOf(frames: readonly Frame[]): Buffer[] {
  const pieces: { page: Buffer; start: number; end: number }[] = [];
  for (const { page, start, end } of frames) {
    const last = pieces.at(-1);
    if (last?.page === page && last.end === start) last.end = end;
    else pieces.push({ page, start, end });
  }
  return pieces.map(({ page, start, end }) => page.subarray(start, end));
}
