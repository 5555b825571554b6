// The rate window of a key on a store of its own: what requests do not show, such as the end of windows that are no longer
// asked for, and a machine's clock that is set back.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import type { Caller } from '../../src/engine/operation.ts';
import { countRequest, fullQuota, type RateStatus, refuseExceeded } from '../../src/http/rate-limit.ts';
import type { Row } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, ORGANIZATION } from '../store/setup.ts';

const START = Date.UTC(2026, 0, 5, 15);
const MINUTE = 60_000;

const callerOf = (id: string): Caller => ({
  id,
  organization_id: ORGANIZATION,
  scopes: [],
  is_demo: false,
  requests_per_minute: 3,
});

/** A world on a running clock, whose machine shows `START` and then whatever it is set to. */
async function world() {
  let now = START;
  const systemTime = () => now;
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9), systemTime });
  const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  const clock = { mode: 'real', speed: 1, systemTime: START, at: START, frozen: false, waited: 0 } as const;
  await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
  return {
    count: (key: string): Promise<RateStatus> => store.transaction('w', (tx) => countRequest(tx, callerOf(key))),
    windows: (): Promise<Row<'rate_windows'>[]> =>
      store.transaction('w', (tx) => tx.page('rate_windows', 'all', 'all')),
    at(ms: number) {
      now = START + ms;
    },
  };
}

const idsOf = (windows: readonly Row<'rate_windows'>[]): string[] => windows.map(({ id }) => id);

describe('the rate window of a key', () => {
  it('belongs to the organization of the key, and counts up to the limit', async () => {
    const { count, windows } = await world();
    for (const remaining of [2, 1, 0]) {
      expect(await count('a')).toEqual({
        limit: 3,
        remaining,
        secondsLeft: 60,
        resetAt: START + MINUTE,
        exceeded: false,
      });
    }
    expect(await count('a')).toMatchObject({ remaining: 0, exceeded: true });
    expect(await windows()).toEqual([
      { id: 'a', began: expect.any(Number), count: 3, private: { organization_id: ORGANIZATION, rank: START } },
    ]);
  });

  it('that has ended goes when a new one begins, two at a time and the oldest first', async () => {
    const { count, windows, at } = await world();
    for (const [ms, key] of ['a', 'b', 'c', 'd'].entries()) {
      at(ms);
      await count(key);
    }
    at(MINUTE + 2);
    // That of a key starts over in its place, which deletes none.
    await count('a');
    expect(idsOf(await windows())).toEqual(['b', 'c', 'd', 'a']);
    await count('e');
    expect(idsOf(await windows()).sort()).toEqual(['a', 'd', 'e']);
    // The oldest two are looked at; that of `a` has just begun.
    at(MINUTE + 3);
    await count('f');
    expect(idsOf(await windows()).sort()).toEqual(['a', 'e', 'f']);
  });

  it('ends where the clock of the machine was set back by more than a second', async () => {
    const { count, at } = await world();
    for (let n = 0; n < 4; n++) await count('a');
    at(-1000);
    expect(await count('a')).toMatchObject({ exceeded: true });
    at(-1001);
    expect(await count('a')).toMatchObject({ remaining: 2, exceeded: false });
  });

  it('is shown unused where the limit is off', () => {
    const quota = { limit: 3, remaining: 3, secondsLeft: 60, resetAt: START + MINUTE, exceeded: false };
    expect(fullQuota(callerOf('a'), START)).toEqual(quota);
    expect(() => refuseExceeded(quota)).not.toThrow();
  });

  it('that is exceeded is refused with the limit, the seconds to wait, and what that rests on', () => {
    const exceeded = { limit: 3, remaining: 0, secondsLeft: 7, resetAt: START, exceeded: true };
    expect(() => refuseExceeded(exceeded)).toThrow(
      expect.objectContaining({
        code: 'rate_limited',
        message: 'More than 3 requests in one minute.',
        detail: expect.objectContaining({ headers: { 'Retry-After': '7' }, assumption: 'rate_window' }),
      }),
    );
  });
});
