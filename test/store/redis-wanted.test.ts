// Contents that a transaction needs and that are still in Redis, where the next transaction resets the world.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { newClock, systemNow } from '../../src/clock/clock.ts';
import { resetWorld } from '../../src/engine/epochs.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { openRedis } from '../../src/store/redis/open.ts';
import type { RedisStore } from '../../src/store/redis/store.ts';
import { hasRedis } from '../support/redis.ts';
import { useRedisServers } from '../support/redis-servers.ts';
import { base, delivery, ORGANIZATION } from './setup.ts';

const { redis, ended } = useRedisServers();

describe.runIf(hasRedis)('an entry whose contents are in Redis', () => {
  it('is read where a reset of its world follows at once', async () => {
    const { address } = await redis();
    const open = async (): Promise<RedisStore> => {
      const { store, close } = await openRedis(
        { address, copies: 0, seed: 1 },
        { fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) },
        { onError() {}, onProblem() {}, onWarning() {} },
      );
      ended.push(close);
      return store;
    };
    const [writer, reader] = [await open(), await open()];
    const clock = newClock({ mode: 'manual', speed: 0 }, 0, systemNow());
    const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    await writer.addWorld({ ...facts, name: 'w', clock, assumptions: {}, epoch: 1 });
    await writer.transaction('w', (tx) => tx.append('deliveries', delivery('one', 'delivered')));
    await reader.transaction('w', () => {});
    const read = reader.transaction('w', (tx) => tx.entry('deliveries', 'one')?.status);
    const reset = resetWorld({ store: reader, turns: new Turns() }, 'w', 0);
    expect(await Promise.all([read, reset])).toEqual(['delivered', 2]);
  });
});
