// What a replica is told of the worlds that it runs, on a Redis server of its own.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { newClock, systemNow } from '../../src/clock/clock.ts';
import { resetWorld } from '../../src/engine/epochs.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { openRedis } from '../../src/store/redis/open.ts';
import { hasRedis } from '../support/redis.ts';
import { useRedisServers } from '../support/redis-servers.ts';
import { until } from '../support/until.ts';
import { base, delivery, ORGANIZATION } from './setup.ts';

/** More than one commit ends. */
const MANY = 130;

const { redis, ended } = useRedisServers();

describe.runIf(hasRedis)('a replica that begins to run a world while it is reset', () => {
  it('is told of no earlier epoch after it has been told what is left to do', async () => {
    const server = await redis();
    const onError = (error: unknown): never => {
      throw error;
    };
    const { store, work, close } = await openRedis(
      { address: server.address, copies: 0, seed: 1 },
      { fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) },
      { onError, onProblem() {}, onWarning() {} },
    );
    ended.push(close);
    const told: { readonly epoch: number; readonly ids: readonly string[] }[] = [];
    work.onCommit(({ epoch, appended }) => void told.push({ epoch, ids: appended.map(({ entry }) => entry.id) }));
    const clock = newClock({ mode: 'manual', speed: 0 }, 0, systemNow());
    const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    await store.addWorld({ ...facts, name: 'w', clock, assumptions: {}, epoch: 1 });
    const send = (id: string): Promise<void> =>
      store.transaction('w', (tx) => tx.append('deliveries', { ...delivery(id, 'pending'), epoch: tx.state('epoch') }));
    // The first makes this replica the runner; what is left to do is read after the last.
    const first = send('first');
    const others = Array.from({ length: MANY }, (_, n) => store.transaction('w', (tx) => tx.setCounter('n', n)));
    await Promise.all([first, ...others, resetWorld({ store, turns: new Turns() }, 'w', 0), send('last')]);
    await until(() => told.length).toBeGreaterThan(MANY / 2);
    expect(told[0]).toEqual({ epoch: 2, ids: ['last'] });
    expect(new Set(told.map(({ epoch }) => epoch))).toEqual(new Set([2]));
  });
});
