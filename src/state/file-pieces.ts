// Reads a file in pieces or line by line: all of a state file can be longer than a string or a buffer can be.
import { closeSync, openSync, readSync } from 'node:fs';

const PIECE = 1024 ** 2;
const LINE_BREAK = '\n'.charCodeAt(0);

/** The bytes between two positions. */
export function* piecesOf(path: string, from = 0, to = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const descriptor = openSync(path, 'r');
  try {
    for (let at = from; at < to; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, to - at));
      const length = readSync(descriptor, piece, 0, piece.length, at);
      if (length === 0) return;
      at += length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Its lines without their breaks. */
export function* linesOf(path: string): Generator<Buffer> {
  let begun: Buffer[] = [];
  for (const piece of piecesOf(path)) {
    let from = 0;
    for (let end = piece.indexOf(LINE_BREAK); end >= 0; end = piece.indexOf(LINE_BREAK, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]);
      begun = [];
      from = end + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}
