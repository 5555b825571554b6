// Which images are logos: branded calling shows a BMP of one size (the ledger's display_logo). Only the headers are
// read, and every length that they claim is checked against the length of the file.

const SIDE = 256;
const DEPTHS: readonly number[] = [1, 4, 8, 16, 24, 32];
const MAX_BYTES = 1_000_000;

export const logoForm = `an uncompressed BMP of exactly ${SIDE} by ${SIDE} pixels, with ${DEPTHS.join(', ')} bits per pixel and at most ${MAX_BYTES} bytes`;

/** The sizes of the file header, and of the info header that follows it. */
const FILE_HEADER = 14;
const CORE_HEADER = 12;
const OS2_HEADER = 64;
const INFO_HEADERS: readonly number[] = [CORE_HEADER, 40, 52, 56, OS2_HEADER, 108, 124];

/** How many bytes `logoProblem` reads. */
export const LOGO_HEAD = FILE_HEADER + Math.max(...INFO_HEADERS);

/** The methods of uncompressed pixels; masks only define which bits of a pixel belong to which colour. */
const PLAIN = 0;
const MASKED: readonly number[] = [3, 6];
const COMPRESSIONS: Readonly<Record<number, string>> = { 1: 'RLE8', 2: 'RLE4', 4: 'JPEG', 5: 'PNG' };

/**
 * Why a document is not a logo, as in "which is …"; undefined if it is one. `head` is its beginning, `size` its length
 * in bytes.
 */
export function logoProblem(head: Buffer, size: number): string | undefined {
  if (head.toString('latin1', 0, 2) !== 'BM') {
    const found = head.subarray(0, 4).toString('hex').replace(/..\B/g, '$& ');
    return `not a BMP: its bytes begin with ${found}, those of a BMP with 42 4d ("BM")`;
  }
  const cut = `a truncated BMP: it ends after ${size} bytes, within its headers`;
  if (head.length < FILE_HEADER + 4) return cut;
  const info = head.readUInt32LE(14);
  if (!INFO_HEADERS.includes(info)) return `a broken BMP: its second header claims a size of ${info} bytes`;
  if (head.length < FILE_HEADER + info) return cut;

  const claimed = head.readUInt32LE(2);
  if (claimed > size) return `a truncated BMP: it claims to have ${claimed} bytes but has ${size}`;
  const { width, height, planes, depth, compression } = infoIn(head, info);
  const plain = compression === PLAIN || (MASKED.includes(compression) && info !== OS2_HEADER);
  if (!plain) return `a compressed BMP (${COMPRESSIONS[compression] ?? `method ${compression}`})`;
  if (planes !== 1) return `a broken BMP: it claims to have ${planes} planes`;
  // The height is negative if the top row comes first.
  if (width !== SIDE || Math.abs(height) !== SIDE || !DEPTHS.includes(depth) || size > MAX_BYTES) {
    return `a BMP of ${width} by ${Math.abs(height)} pixels, with ${depth} bits per pixel and ${size} bytes`;
  }
  const pixels = head.readUInt32LE(10);
  if (pixels < FILE_HEADER + info) return `a broken BMP: its pixels begin at byte ${pixels}, within its headers`;
  const end = pixels + (SIDE * SIDE * depth) / 8;
  if (end > size) return `a truncated BMP: its pixels end at byte ${end}, and it has ${size} bytes`;
  return undefined;
}

function infoIn(head: Buffer, info: number) {
  if (info === CORE_HEADER) {
    return {
      width: head.readUInt16LE(18),
      height: head.readUInt16LE(20),
      planes: head.readUInt16LE(22),
      depth: head.readUInt16LE(24),
      compression: PLAIN,
    };
  }
  return {
    width: head.readInt32LE(18),
    height: head.readInt32LE(22),
    planes: head.readUInt16LE(26),
    depth: head.readUInt16LE(28),
    compression: head.readUInt32LE(30),
  };
}
