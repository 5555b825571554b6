// Text messages as a server sends them: frames without a mask (RFC 6455, section 5.2), many of them in one buffer, which
// the system takes at once. `ws` gives it two pieces for each message.

const FINAL_TEXT = 0x81;
/** Up to here, the length is a byte; the two larger forms begin with one of these. */
const MAX_SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MAX_TWO_BYTES = 0xffff;

export function framesOf(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0));
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = writeHeader(frames, at, lengths[index] ?? 0);
    at += frames.write(text, at);
  }
  return frames;
}

function headerBytes(length: number): number {
  if (length <= MAX_SHORT) return 2;
  return length <= MAX_TWO_BYTES ? 4 : 10;
}

/** Returns where the payload begins. */
function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = FINAL_TEXT;
  if (length <= MAX_SHORT) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length <= MAX_TWO_BYTES) {
    frames[at + 1] = TWO_BYTES;
    return frames.writeUInt16BE(length, at + 2);
  }
  frames[at + 1] = EIGHT_BYTES;
  return frames.writeBigUInt64BE(BigInt(length), at + 2);
}
