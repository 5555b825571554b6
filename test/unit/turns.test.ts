// How turns of background work are given and paid for, to the quarter of a millisecond.
import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/scheduler/turns.ts';
import { ownLoop } from './own-loop.ts';

/** Worlds that take turns until so many were taken, each working for so long; the order in which they did. */
async function taken(most: number, worlds: Record<string, (turn: number) => number>): Promise<string[]> {
  const { turns, spend, goRound } = ownLoop();
  const order: string[] = [];
  const working = Object.entries(worlds).map(async ([world, msOf]) => {
    for (let turn = 0; order.length < most; turn++) {
      await turns.next(world);
      turns.work(() => spend(msOf(turn)));
      order.push(world);
    }
  });
  const done = Promise.all(working);
  for (let round = 0; order.length < most && round < 10 * most; round++) await goRound();
  for (const _ of working) await goRound();
  await done;
  return order.slice(0, most);
}

const count = (order: readonly string[], world: string): number => order.filter((each) => each === world).length;

describe('a turn', () => {
  it('is over with its slice where nobody waits, and after a quarter of a millisecond where somebody does', async () => {
    const { turns, spend, goRound } = ownLoop();
    const work = (ms: number): boolean => {
      turns.work(() => spend(ms));
      return turns.isOver;
    };
    expect([turns.isOver, work(0.9), work(0.1)]).toEqual([false, false, true]);
    await goRound();
    expect([turns.isOver, work(0.125)]).toEqual([false, false]);
    const next = turns.next('other');
    expect([turns.isOver, work(0.0625), work(0.0625)]).toEqual([false, false, true]);
    await goRound();
    await next;
    expect(turns.isOver).toBe(false);
    void turns.workThrough('bulk', [undefined, undefined].values()).then(() => {});
    turns.work(() => spend(0.25));
    expect(turns.isOver).toBe(false);
  });

  it('is over after a quarter of a millisecond where work on much data waits', async () => {
    const { turns, spend, goRound } = ownLoop();
    turns.work(() => spend(1));
    const bulk = turns.workThrough('bulk', [undefined].values());
    await goRound();
    await bulk;
    turns.work(() => spend(1));
    const other = turns.workThrough('bulk', [undefined].values());
    expect(turns.isOver).toBe(true);
    await goRound();
    await other;
  });

  it('goes on as long as it lasts for whatever else waits of its world', async () => {
    const { turns, spend, goRound } = ownLoop();
    const order: string[] = [];
    const wait = (name: string, ms: number): void => {
      void turns.next(name).then(() => {
        turns.work(() => spend(ms));
        order.push(name);
      });
    };
    for (const name of ['a', 'b', 'a', 'b', 'a']) wait(name, 0.125);
    await goRound();
    expect(order).toEqual(['a', 'a', 'b', 'b', 'a']);
    order.length = 0;
    for (const name of ['c', 'd', 'c', 'd']) wait(name, 0.25);
    await goRound();
    expect(order).toEqual(['c', 'd', 'c', 'd']);
  });

  it('is not given beyond the slice, not even for what else waits of its world', async () => {
    const { turns, spend, goRound } = ownLoop();
    let began = 0;
    for (let n = 0; n < 8; n++) {
      void turns.next('a').then(() => {
        turns.work(() => spend(0.24));
        began += 1;
      });
    }
    await goRound();
    expect(began).toBe(5);
    await goRound();
    expect(began).toBe(8);
  });
});

describe('worlds', () => {
  it('take turns by how long they work, not by how often', async () => {
    const order = await taken(120, { quick: () => 0.3, slow: () => 1.5 });
    expect(count(order, 'quick') / count(order, 'slow')).toBeCloseTo(5, 0);
  });

  it('pay no more than two milliseconds for a turn, in which the machine may have done something else', async () => {
    const order = await taken(30, { unlucky: (turn) => (turn === 1 ? 100 : 0.5), other: () => 0.5 });
    expect(count(order, 'unlucky')).toBeGreaterThanOrEqual(12);
    expect(count(order, 'unlucky')).toBeLessThanOrEqual(14);
  });
});

describe('the slice', () => {
  it('is a quarter of the time that requests take, without that of background work', async () => {
    const { turns, spend, goRound } = ownLoop();
    turns.work(() => spend(0.5));
    turns.work(() => spend(0.3));
    spend(20);
    await goRound();
    turns.work(() => spend(4.9));
    expect(turns.isOver).toBe(false);
    turns.work(() => spend(0.11));
    expect(turns.isOver).toBe(true);
  });

  it('tells of each piece of a world how long it has taken, half a millisecond at most', () => {
    const { turns, spend } = ownLoop();
    expect(turns.work(() => 'unheard', 'w')).toBe('unheard');
    const heard: [string, number][] = [];
    turns.onWork((world, ms) => heard.push([world, ms]));
    turns.work(() => spend(0.25), 'w');
    turns.work(() => spend(100), 'w');
    turns.work(() => spend(1));
    expect(heard).toEqual([
      ['w', 0.25],
      ['w', 0.5],
    ]);
  });

  it('is not left by work on much data before it is used up', async () => {
    const { turns, spend } = ownLoop();
    const pieces = function* (): Generator<void, string> {
      for (let n = 0; n < 4; n++) yield spend(0.2);
      return 'done';
    };
    expect(await turns.workThrough('bulk', pieces())).toBe('done');
  });

  it('comes with the event loop of the process by default', async () => {
    await expect(new Turns().next('w')).resolves.toBeUndefined();
  });
});
