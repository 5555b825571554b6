// Checksums of what `--state` writes, so that a start refuses what a disk has damaged. They are no signatures: whoever can
// write the file can also make its checksum, and a file that a tool has written anew has none at its end.
import { crc32 } from 'node:zlib';

/** The checksum of bytes that may come in pieces: `before` is that of the pieces before. */
export class Checksum {
  #value = 0;

  add(bytes: Uint8Array): this {
    this.#value = crc32(bytes, this.#value);
    return this;
  }

  toString(): string {
    return this.#value.toString(16).padStart(8, '0');
  }
}

const sumOf = (bytes: Uint8Array): string => new Checksum().add(bytes).toString();

const FIELD = ',\n"checksum":';

/** The end of a file: what is left out of its object until its checksum is known. */
export const fileEnd = (sum: Checksum): string => `${FIELD}"${sum}"}\n`;

/** Whether the content of a file is what its checksum is of; undefined if it does not end with one. */
export function isIntactFile(bytes: Buffer): boolean | undefined {
  const end = bytes.length - fileEnd(new Checksum()).length;
  const given = bytes.toString('latin1', Math.max(0, end));
  if (!given.startsWith(FIELD)) return undefined;
  return given === fileEnd(new Checksum().add(bytes.subarray(0, end)));
}

/** A line of a log: an object, with the checksum of its JSON as its first field. */
export function sealedLine(object: object): Buffer {
  const json = Buffer.from(JSON.stringify(object));
  return Buffer.concat([Buffer.from(`{"checksum":"${sumOf(json)}",`), json.subarray(1), Buffer.from('\n')]);
}

/** The object of such a line; undefined if the line is not intact. */
export function unsealedLine(line: string): unknown {
  const [start, sum] = /^\{"checksum":"([0-9a-f]{8})",/.exec(line) ?? [];
  if (start === undefined) return undefined;
  const json = `{${line.slice(start.length)}`;
  return sumOf(Buffer.from(json)) === sum ? JSON.parse(json) : undefined;
}
