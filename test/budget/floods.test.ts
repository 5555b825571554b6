// Floods of what no test needs many of: rooms, sub-entities, worlds with two weeks of generated records. A budget of 16 MB
// has 4 MB for records.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';

let sandbox: Sandbox;
let full: Client;
beforeAll(async () => {
  sandbox = await createSandbox({ memory: '16mb', rateLimit: 'off', concurrentCalls: 'off', clock: 'manual' });
  full = clientOf(sandbox.url);
  await fill(full);
});
afterAll(() => sandbox.close());

const records = async () => (await clientOf(sandbox.url, null).get('/_sandbox/health')).body.data.memory.shares.records;

/** Fills what a world may have of the memory for records, with lists of jobs. */
async function fill(client: Client): Promise<void> {
  const agent_id = (await client.get('/v1/agents')).body.data[0].id;
  for (let count = 1000; count >= 1; count = Math.floor(count / 10)) {
    const to_numbers = Array.from({ length: count }, (_, n) => `+1212556${1000 + n}`);
    while ((await client.post('/v1/jobs', { agent_id, to_numbers })).status === 201) {}
  }
}

/** Sends so many requests, and returns the answers that refuse one. */
async function refusedOf(count: number, send: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const refused: Answer[] = [];
  for (let n = 0; n < count; n++) {
    const answer = await send(n);
    if (answer.status >= 400) refused.push(answer);
  }
  return refused;
}

describe('a flood, where the memory for records is full,', () => {
  it.each([
    ['sub-entities', (client: Client, n: number) => client.post('/v1/sub-entities', { name: `Child ${n}` })],
    [
      'rooms',
      async (client: Client) => {
        const [agent] = (await client.get('/v1/agents')).body.data;
        return client.post(`/v1/agents/${agent.id}/web-call`, {});
      },
    ],
  ])('of %s is refused, and takes no more of it', async (_, send) => {
    const before = await records();
    const refused = await refusedOf(10, (n) => send(full, n));
    expect(refused).toHaveLength(10);
    for (const answer of refused) expectError(answer, 429, 'rate_limited');
    // Coverage remembers the latest refused requests, and no more than a hundred.
    expect((await records()).used_bytes).toBeLessThanOrEqual(before.used_bytes + 5000);
  });

  it('of worlds with generated records is refused, and takes no more than is left', async () => {
    for (const name of ['b', 'c', 'd', 'e']) await fill(clientOf(sandbox.url, `svc_test_${name}`));
    const refused = await refusedOf(12, async (n) => {
      const made = await full.post('/_sandbox/worlds', { name: `flood-${n}`, fixtures: 'demo' });
      if (made.status >= 400) return made;
      return clientOf(sandbox.url, `svc_test_flood-${n}`).get('/v1/calls?page_size=1');
    });
    // Worlds that are in Redis need no place here while nobody uses them.
    expect(refused.length > 0).toBe(!isOnRedis);
    const { used_bytes, limit_bytes } = await records();
    expect(used_bytes).toBeLessThanOrEqual(limit_bytes * 1.05);
  });
});
