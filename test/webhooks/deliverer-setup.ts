// A deliverer whose receiver never answers, without a server.
import { createBudget } from '../../src/budget/budget.ts';
import { newClock, systemNow } from '../../src/clock/clock.ts';
import type { Log } from '../../src/log.ts';
import type { DeliveryEntry } from '../../src/model.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { type Commit, type NewWorld, RUN_ELSEWHERE } from '../../src/store/store.ts';
import { ownWork, type Work } from '../../src/store/work.ts';
import { Deliverer } from '../../src/webhooks/deliver.ts';
import { OpenWork } from '../../src/webhooks/open-work.ts';
import { notSent, type Poster } from '../../src/webhooks/post.ts';
import { ReceiverSlots } from '../../src/webhooks/receiver.ts';
import { sendTicks } from '../../src/webhooks/send-ticks.ts';
import { base, delivery, ORGANIZATION } from '../store/setup.ts';
import { subscriptionOf } from '../unit/held-setup.ts';

const URL = 'http://x.test/';
const quiet: Log = { error() {}, info() {}, debug() {}, line() {}, shows: () => false, dropped: 0 };

const world: NewWorld = {
  name: 'w',
  seed: 1,
  origin: 'posted',
  organization_id: ORGANIZATION,
  fixture: 'default',
  clock: newClock({ mode: 'manual', speed: 0 }, 0, systemNow()),
  assumptions: {},
  epoch: 1,
};

/** A world `w`, and what sends its deliveries; those that are being sent end when the deliverer stops. */
export async function silentReceiver() {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10_000, budget: createBudget(1e9) });
  const addWorld = (epoch = 1): Promise<boolean> => store.addWorld({ ...world, epoch });
  await addWorld();
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  const stopped = { ...notSent(new Error('stopped')), error_class: 'shutdown' } as const;
  const posted: string[] = [];
  const poster: Poster = {
    abort: () => abort(),
    giveUpOthers: () => undefined,
    async post(_of, url) {
      posted.push(url);
      await aborted;
      return stopped;
    },
    close: async () => {},
  };
  const openWork = new OpenWork();
  const turns = new Turns();
  const listeners: ((commit: Commit) => void)[] = [];
  const work: Work = {
    ...ownWork(store),
    onCommit(listener) {
      listeners.push(listener);
      store.onCommit(listener);
    },
  };
  /** As where another process runs the world from now on. */
  const endRun = (): void => {
    for (const listener of listeners) listener({ world: 'w', epoch: RUN_ELSEWHERE, appended: [], schedule: null });
  };
  const parts = { store, work, turns, poster, slots: new ReceiverSlots(), openWork, log: quiet };
  sendTicks(parts);
  const deliverer = new Deliverer({ ...parts, play: async () => {} });
  const send = (deliveries: readonly Partial<DeliveryEntry>[]): Promise<void> =>
    store.transaction('w', (tx) => {
      const epoch = tx.state('epoch');
      for (const each of deliveries) {
        const sent = { ...delivery('', 'pending'), url: URL, epoch, ...each };
        subscriptionOf(tx, sent.subscription_id);
        tx.append('deliveries', sent);
      }
    });
  const sendTick = (id: string): Promise<void> =>
    store.transaction('w', (tx) => {
      const status = 'pending';
      const epoch = tx.state('epoch');
      tx.append('ticks', { id, at: '', url: URL, body: '{}', status, attempts: [], next_attempt_at: null, epoch });
    });
  return { store, turns, openWork, deliverer, posted, addWorld, send, sendTick, endRun };
}
