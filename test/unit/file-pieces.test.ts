// Files that are read in pieces: lines come out whole wherever a piece ends.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf, piecesOf } from '../../src/state/file-pieces.ts';
import { temporaryFolders } from '../support/folders.ts';

const folderOf = temporaryFolders();
const PIECE = 1024 ** 2;

function fileOf(text: string): string {
  const path = join(folderOf(), 'file');
  writeFileSync(path, text);
  return path;
}
const linesIn = (text: string): string[] => [...linesOf(fileOf(text))].map(String);

describe('the lines of a file', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb', ['a', '', 'b']],
  ])('of %j are %j', (text, lines) => {
    expect(linesIn(text)).toEqual(lines);
  });

  it('are whole where they begin or end with a piece, and where they are longer than several', () => {
    const lines = [PIECE - 1, PIECE, 3 * PIECE + 5, 0, 1, PIECE - 3, 2].map((length, n) => String(n).repeat(length));
    expect(linesIn(lines.join('\n'))).toEqual(lines);
  });

  it('are whole where a piece ends within a character', () => {
    const lines = [`${'x'.repeat(PIECE - 1)}é`, 'é'];
    expect(linesIn(lines.join('\n'))).toEqual(lines);
  });
});

it('the pieces between two positions are the bytes between them', () => {
  const text = Array.from({ length: 3 * PIECE }, (_, n) => String(n % 10)).join('');
  const path = fileOf(text);
  const between = (from: number, to?: number): string => Buffer.concat([...piecesOf(path, from, to)]).toString();
  expect(between(0)).toBe(text);
  expect(between(7, PIECE + 9)).toBe(text.slice(7, PIECE + 9));
  expect(between(text.length - 3)).toBe(text.slice(-3));
  expect(between(text.length)).toBe('');
});
