// Worlds that something has damaged in Redis: the others are served, and lists say what is wrong with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { Connection } from '../../src/store/redis/connection.ts';
import { clientOf } from '../support/client.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';

describe.runIf(hasRedis)('a server whose worlds are in Redis', () => {
  let redis: RedisServer;
  let commands: Connection;
  let sandbox: Sandbox;
  let other: Sandbox;
  beforeAll(async () => {
    redis = await startRedis();
    commands = await Connection.open(redis.socket);
    const options = { store: redis.address, log: 'silent', clock: 'manual' } as const;
    [sandbox, other] = await Promise.all([createSandbox(options), createSandbox(options)]);
  });
  afterAll(async () => {
    await Promise.all([sandbox?.close(), other?.close()]);
    commands?.close();
    await redis?.stop();
  });

  const keyOf = async (kind: string, world: string): Promise<string> =>
    String([await commands.command('KEYS', [`rb:*:${kind}:${world}`])].flat()[0]);
  const create = (name: string) => clientOf(sandbox.url).post('/_sandbox/worlds', { name });
  const list = async () => (await clientOf(other.url).get('/_sandbox/worlds')).body.data;

  const damages: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    facts: (key) => commands.command('HSET', [key, 'facts', 'theirs']),
    state: (key) => commands.command('HDEL', [key, 's:clock']),
    key: (key) => commands.command('SET', [key, 'theirs']),
    record: (key) => commands.command('HSET', [key, 'r:contacts:x', 'null']),
  };

  it.each(Object.keys(damages))(
    'lists a world whose %s is damaged with what is wrong, and the others',
    async (what) => {
      const name = `damaged-${what}`;
      await create(name);
      await damages[what]?.(await keyOf('W', name));
      const worlds = await list();
      expect(worlds.find((world: { name: string }) => world.name === name)).toMatchObject({
        clock: 'unknown',
        problem: 'one of its keys rb:… has been written by another application',
      });
      expect(worlds.find((world: { name: string }) => world.name === 'default')).toEqual({
        name: 'default',
        organization_id: expect.any(String),
        origin: 'bundled',
        fixture: 'default',
        clock: 'manual',
      });
      const headers = { Authorization: `Bearer svc_test_${name}` };
      const answer = await fetch(`${other.url}/v1/calls`, { headers });
      expect(answer.status).toBe(503);
    },
  );

  it('refuses a key with 401 whose world is gone, though Redis still knows the key', async () => {
    const made = await create('gone');
    const { api_key } = (await clientOf(sandbox.url, made.body.data.api_key).post('/_sandbox/keys', {})).body.data;
    expect((await clientOf(other.url, api_key).get('/v1/calls')).status).toBe(200);
    // As where the replica that deletes it is cut off before it has released what is unique.
    await commands.command('UNLINK', [await keyOf('W', 'gone')]);
    expect((await clientOf(other.url, api_key).get('/v1/calls')).status).toBe(401);
  });
});
