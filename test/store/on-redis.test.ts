// `vitest run --mode redis` runs the other tests on Redis only if this holds.
import { describe, expect, it } from 'vitest';
import { isOnRedis } from '../support/on-redis.ts';
import { useSandbox } from '../support/sandbox.ts';

describe.runIf(isOnRedis)('a sandbox of a test that names no store', () => {
  const { client } = useSandbox();

  it('is a replica on Redis', async () => {
    expect((await client.get('/_sandbox/health')).body.data.store).toMatchObject({ kind: 'redis' });
  });
});
