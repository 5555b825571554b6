// What becomes of deliveries that wait when the server stops.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { newClock, systemNow } from '../../src/clock/clock.ts';
import type { Log } from '../../src/log.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { Deliverer } from '../../src/webhooks/deliver.ts';
import { Egress } from '../../src/webhooks/egress.ts';
import { limitsFor } from '../../src/webhooks/failures.ts';
import { Names } from '../../src/webhooks/names.ts';
import { OpenWork } from '../../src/webhooks/open-work.ts';
import { createPoster, notSent, type Poster } from '../../src/webhooks/post.ts';
import { base, delivery, ORGANIZATION } from '../store/setup.ts';
import { subscriptionOf } from '../unit/held-setup.ts';

const quiet: Log = { error() {}, info() {}, debug() {}, line() {}, shows: () => false, dropped: 0 };

/** A deliverer with so many deliveries, the first of which is being sent. */
async function waitingDeliveries(count: number) {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10_000, budget: createBudget(1e9) });
  const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  const clock = newClock({ mode: 'manual', speed: 0 }, 0, systemNow());
  await store.addWorld({ ...facts, name: 'w', clock, assumptions: {}, epoch: 1 });
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  const stopped = { ...notSent(new Error('stopped')), error_class: 'shutdown' } as const;
  const poster: Poster = { abort: () => abort(), post: () => aborted.then(() => stopped), close: async () => {} };
  const deliverer = new Deliverer({
    store,
    work: ownWork(store),
    turns: new Turns(),
    poster,
    openWork: new OpenWork(),
    log: quiet,
    play: async () => {},
  });
  await store.transaction('w', (tx) => {
    subscriptionOf(tx, 'whk');
    for (let n = 0; n < count; n++) tx.append('deliveries', { ...delivery(`d${n}`, 'pending'), url: 'http://x.test/' });
  });
  return { store, deliverer };
}

describe('a stop', () => {
  it('ends the deliveries that wait 500 at a time, in few transactions', async () => {
    const { store, deliverer } = await waitingDeliveries(1200);
    let commits = 0;
    store.onCommit(() => {
      commits += 1;
    });
    await deliverer.stop();
    const ended = await store.transaction('w', (tx) => tx.journal('deliveries').entries);
    expect(ended.filter(({ status }) => status === 'failed')).toHaveLength(1200);
    expect(ended.at(-1)?.attempts).toMatchObject([{ error_class: 'shutdown' }]);
    // Three for those that wait, and two for the one that was being sent.
    expect(commits).toBeLessThanOrEqual(5);
  });

  it('leaves the deliveries pending that it has no time to end', async () => {
    const { store, deliverer } = await waitingDeliveries(10);
    await deliverer.stop(0);
    const left = await store.transaction('w', (tx) => tx.journal('deliveries').entries);
    // The first one was being sent.
    expect(left.map(({ status }) => status)).toEqual(['failed', ...Array(9).fill('pending')]);
  });

  it.each(['fresh', 'reuse'] as const)('lets no delivery look up a name or connect (%s connections)', async (kept) => {
    const lookedUp: string[] = [];
    const ask = async (name: string) => {
      lookedUp.push(name);
      return [];
    };
    const names = new Names({ ask, hosts: () => undefined, now: () => 0 });
    const poster = createPoster(new Egress('private', null), names, kept);
    poster.abort();
    const result = await poster.post('w', 'http://receiver.test/', {}, '{}', limitsFor(10_000));
    expect(result).toMatchObject({ error_class: 'shutdown', status: null, latency_ms: 0 });
    expect(lookedUp).toEqual([]);
    await poster.close();
  });
});
