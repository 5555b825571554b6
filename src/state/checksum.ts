// Checksums of what `--state` writes, so that a start refuses what a disk has damaged. They are no signatures: whoever can
// write the file can also make its checksum, and a file that a tool has written anew has none at its end.
import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { piecesOf } from './file-pieces.ts';

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
export function isIntactFile(path: string): boolean | undefined {
  const end = Math.max(0, statSync(path).size - fileEnd(new Checksum()).length);
  const given = Buffer.concat([...piecesOf(path, end)]).toString('latin1');
  if (!given.startsWith(FIELD)) return undefined;
  const sum = new Checksum();
  for (const piece of piecesOf(path, 0, end)) sum.add(piece);
  return given === fileEnd(sum);
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
