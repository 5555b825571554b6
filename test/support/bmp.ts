// Valid and invalid BMP files, written from the description of the format: a file header of 14 bytes, an image header, the
// colour table, and pixel rows padded to four bytes.

export interface BmpForm {
  readonly width?: number;
  /** Negative if the rows are stored from top to bottom. */
  readonly height?: number;
  readonly depth?: number;
  /** The size of the image header in bytes: 12 in the oldest version, 124 in the newest. */
  readonly header?: number;
  readonly compression?: number;
  readonly planes?: number;
  /** Bytes after the pixels. */
  readonly trailing?: number;
}

export function bmp(form: BmpForm = {}): Buffer {
  const { width = 256, height = 256, depth = 24, header = 40, compression = 0, planes = 1, trailing = 0 } = form;
  const colours = depth <= 8 ? 2 ** depth * (header === 12 ? 3 : 4) : 0;
  const pixels = 14 + header + colours;
  const row = Math.ceil((width * depth) / 32) * 4;
  const file = Buffer.alloc(pixels + row * Math.abs(height) + trailing, 0x7f);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(0, 6);
  file.writeUInt32LE(pixels, 10);
  file.writeUInt32LE(header, 14);
  if (header === 12) {
    for (const [index, value] of [width, height, planes, depth].entries()) file.writeUInt16LE(value, 18 + 2 * index);
    return file;
  }
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(planes, 26);
  file.writeUInt16LE(depth, 28);
  file.writeUInt32LE(compression, 30);
  return file;
}

/** A copy of the file with `value` written at the offset `at`. */
export function withNumber(file: Buffer, at: number, value: number, bytes: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(file);
  copy.writeUIntLE(value, at, bytes);
  return copy;
}
