// Large JSON values, in the pieces in which a store in Redis writes them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Joined, PIECE, piecesOf } from '../../src/store/redis/json-pieces.ts';
import { StoredBytes } from '../../src/stored-bytes.ts';
import { runs } from '../support/thorough.ts';

function joined(pieces: Iterable<string>): unknown {
  const whole = new Joined();
  for (const piece of pieces) whole.add(piece);
  return whole.value;
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a JSON value in pieces', () => {
  it('is the same when they are put together, whatever it is', () => {
    const bytes = fc.uint8Array({ maxLength: 9 }).map((each) => new StoredBytes(Buffer.from(each)));
    const leaf = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      bytes,
    );
    const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'value', '0'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value')), fc.dictionary(name, tie('value'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value), (each) => {
        // As text: matchers take a field named __proto__ for a prototype.
        expect(JSON.stringify(joined(piecesOf(each)))).toBe(JSON.stringify(each));
      }),
      { numRuns: runs(300, 10_000) },
    );
  });

  it('is in pieces of a bounded length, however long its lists and its bytes are', () => {
    const value = {
      rows: {
        contacts: Array.from({ length: 9000 }, (_, n) => ({ id: n, name: 'x'.repeat(300) })),
        contents: [{ id: 'a', content: new StoredBytes(Buffer.alloc(5 * PIECE + 1, 'a')) }, { id: 'b' }],
      },
      bytes: new StoredBytes(Buffer.alloc(3 * PIECE, 'b')),
    };
    const pieces = [...piecesOf(value)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(3 * PIECE);
    expect(pieces.length).toBeGreaterThan(15);
    expect(joined(pieces)).toEqual(asJson(value));
  });

  it.each(['', '{}', '[1]', '[[["a"],1]]', '[[[],[]],[[],5,1]]', '[[[],"x"],[["y"],1]]'])(
    'that were not written as such are refused: %s',
    (piece) => {
      expect(() => joined([piece])).toThrow('written by another application');
    },
  );
});
