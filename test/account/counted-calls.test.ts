// Usage counts each call once, however often it is read: a world can have 100,000 of them.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { usageOf } from '../../src/domain/calls/plan.ts';
import type { Row } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { base, callOf, kitFor, ORGANIZATION, START, WORLD } from '../store/setup.ts';

const CALLS = 2500;

async function worldWith(calls: readonly Row<'calls'>[]) {
  const limits = { journalLimit: 10, budget: createBudget(1e9) };
  const store = await kitFor(() => new MemoryStore({ fixtureView: () => base, ...limits })).storeWithWorld();
  await store.transaction(WORLD, (tx) => calls.forEach((call) => void tx.put('calls', call)));
  /** The usage, and how many records it took to know it. */
  const read = () =>
    store.transaction(WORLD, (tx) => {
      let rows = 0;
      const watched: Tx = new Proxy(tx, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          if (name !== 'page') return value.bind(target);
          return (...given: Parameters<Tx['page']>) => {
            const found = target.page(...given);
            rows += found.length;
            return found;
          };
        },
      });
      return { usage: usageOf(watched, ORGANIZATION), rows };
    });
  return { store, read };
}

const inMonthOfStart = (call: Row<'calls'>): Row<'calls'> => ({ ...call, started_at: new Date(START).toISOString() });
const callsFrom = (status: Row<'calls'>['status']): Row<'calls'>[] =>
  Array.from({ length: CALLS }, (_, n) => inMonthOfStart(callOf(`c-${n}`, n + 1, n === 0 ? status : 'COMPLETED')));

describe('the calls of an organization', () => {
  it('are read for its usage once, also behind one that is in progress', async () => {
    const { read } = await worldWith(callsFrom('IN_PROGRESS'));
    const usage = { placed: CALLS, minutes: 2 * (CALLS - 1), seconds: 61 * (CALLS - 1) };
    expect(await read()).toEqual({ usage, rows: CALLS });
    expect(await read()).toEqual({ usage, rows: 0 });
  });

  it('count their minutes when they end after that, and a transaction that is undone counts nothing', async () => {
    const { store, read } = await worldWith(callsFrom('IN_PROGRESS'));
    const { usage } = await read();
    const end = (tx: Tx): void => tx.put('calls', inMonthOfStart(callOf('c-0', 1)));
    const undone = store.transaction(WORLD, (tx) => {
      end(tx);
      throw new Error('on purpose');
    });
    await expect(undone).rejects.toThrow('on purpose');
    expect((await read()).usage).toEqual(usage);
    await store.transaction(WORLD, end);
    const ended = { placed: CALLS, minutes: usage.minutes + 2, seconds: usage.seconds + 61 };
    expect(await read()).toEqual({ usage: ended, rows: 0 });
  });
});
