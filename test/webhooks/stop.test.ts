// What becomes of deliveries that wait when the server stops.
import { describe, expect, it } from 'vitest';
import { Egress } from '../../src/webhooks/egress.ts';
import { limitsFor } from '../../src/webhooks/failures.ts';
import { Names } from '../../src/webhooks/names.ts';
import { createPoster } from '../../src/webhooks/post.ts';
import { silentReceiver } from './deliverer-setup.ts';

async function waitingDeliveries(count: number) {
  const sending = await silentReceiver();
  await sending.send(Array.from({ length: count }, (_, n) => ({ id: `d${n}` })));
  return sending;
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
    const result = await poster.post({ world: 'w', epoch: 1 }, 'http://receiver.test/', {}, '{}', limitsFor(10_000));
    expect(result).toMatchObject({ error_class: 'shutdown', status: null, latency_ms: 0 });
    expect(lookedUp).toEqual([]);
    await poster.close();
  });
});
