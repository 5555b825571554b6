// Lanes that take turns, by number or by what they have had.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/fair-queue.ts';

describe('a fair queue', () => {
  it('takes one of each lane after another', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(item.charAt(0), item);
    const taken = Array.from({ length: 7 }, () => queue.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('keeps no lane from its turn by fresh lanes without end', () => {
    const queue = new FairQueue<string>();
    for (let n = 0; n < 3; n++) queue.add('mine', 'mine');
    const taken = Array.from({ length: 20 }, (_, n) => {
      queue.add(`fresh ${n}`, 'fresh');
      return queue.take();
    });
    expect(taken.filter((item) => item === 'mine')).toHaveLength(3);
  });

  it('lets lanes pay for what they have had, so that who asks for little goes before who asks for much', () => {
    const queue = new FairQueue<string>();
    const had = new Map<string, number>();
    const take = (): string => {
      const lane = queue.take(0) ?? '';
      const cost = lane === 'small' ? 1 : 8;
      queue.charge(lane, cost);
      had.set(lane, (had.get(lane) ?? 0) + cost);
      queue.add(lane, lane);
      return lane;
    };
    for (const lane of ['large 1', 'large 2', 'small', 'large 3']) queue.add(lane, lane);
    for (let n = 0; n < 400; n++) take();
    const amounts = [...had.values()];
    expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(16);
    queue.add('new', 'new');
    expect([take(), take(), take()]).toContain('new');
  });

  it('serves no item that was taken away, and loses no other', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item.charAt(0), item);
    expect([
      queue.remove('a', 'a1'),
      queue.remove('a', 'a1'),
      queue.remove('b', 'b1'),
      queue.remove('c', 'c1'),
    ]).toEqual([true, false, true, false]);
    queue.add('b', 'b2');
    expect([queue.size, queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
      3,
      'a2',
      'b2',
      'a3',
      undefined,
    ]);
    queue.add('a', 'a4');
    expect([queue.remove('a', 'a4'), queue.size, queue.take()]).toEqual([true, 0, undefined]);
  });

  it('takes everything, in the order of its lane, whatever comes when', () => {
    const action = fc.oneof(fc.constant(null), fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = new FairQueue<[lane: string, number: number]>();
        const taken: [string, number][] = [];
        let added = 0;
        const take = (): void => {
          const item = queue.take();
          if (item) taken.push(item);
        };
        for (const lane of actions) {
          if (lane === null) take();
          else queue.add(lane, [lane, added++]);
        }
        while (queue.size > 0) take();
        expect(taken).toHaveLength(added);
        for (const lane of ['a', 'b', 'c', 'd']) {
          const numbers = taken.filter(([of]) => of === lane).map(([, number]) => number);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});
