// What a server says of a Redis that refuses what it has to do, while it runs.
import { describe, expect, it } from 'vitest';
import { clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { hasRedis } from '../support/redis.ts';
import { useRedisServers } from '../support/redis-servers.ts';
import { eventually } from '../support/until.ts';

const KEY = 'svc_test_refused';

describe.runIf(hasRedis)('a server whose store is in Redis', () => {
  const { serve } = programs();
  const { ended, redis, commandsOf } = useRedisServers();
  async function start(address: string): Promise<Program> {
    const program = await serve(['--store', address, '--clock', 'manual']);
    ended.push(() => program.stop());
    return program;
  }
  const dial = (url: string) =>
    clientOf(url, KEY).post('/v1/calls/dial', { from_number: FROM, to_number: '+14155550102' });
  /** With an answer that the contract of the platform does not know. */
  const dialRefused = (url: string): Promise<Response> =>
    fetch(`${url}/v1/calls/dial`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ from_number: FROM, to_number: '+14155550102' }),
    });

  it('answers 503 with the reason for a world whose key another application has overwritten, and serves the others', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const { url } = await start(server.address);
    expect((await dial(url)).status).toBe(202);
    const [key] = [await commands.command('KEYS', ['rb:*:W:refused'])].flat();
    await commands.command('SET', [String(key), 'theirs']);
    const answer = await fetch(`${url}/v1/calls`, { headers: { Authorization: `Bearer ${KEY}` } });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('another application')]);
    expect((await clientOf(url, 'svc_test_another').get('/v1/calls')).status).toBe(200);
  });

  it('answers 503 with the reason while its user lacks a right, and goes on', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const { url } = await start(server.address);
    expect((await dial(url)).status).toBe(202);
    await commands.command('ACL', ['SETUSER', 'default', '-hset', '-evalsha', '-eval']);
    const answer = await dialRefused(url);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.text()).toContain("no permissions to run the 'evalsha' command");
    await eventually(async () => expect((await clientOf(url).get('/_sandbox/ready')).status).toBe(503));
    await commands.command('ACL', ['SETUSER', 'default', '+@all']);
    await eventually(async () => expect((await clientOf(url).get('/_sandbox/ready')).status).toBe(200));
    expect((await dial(url)).status).toBe(202);
  });

  it('says of a snapshot that it cannot be restored now, and not that it is damaged, while Redis refuses that', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const { url } = await start(server.address);
    const headers = { Authorization: `Bearer ${KEY}` };
    await clientOf(url, KEY).post('/_sandbox/snapshots', { name: 'kept' });
    const restore = () => fetch(`${url}/_sandbox/snapshots/kept/restore`, { method: 'POST', headers });
    await commands.command('ACL', ['SETUSER', 'default', '-unlink']);
    const answer = await restore();
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('lacks a right')]);
    await commands.command('ACL', ['SETUSER', 'default', '+@all']);
    expect((await restore()).status).toBe(200);
  });

  it('logs why a script fails without what it was given to store', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const program = await start(server.address);
    expect((await dial(program.url)).status).toBe(202);
    const [key] = [await commands.command('KEYS', ['rb:*:W:refused'])].flat();
    // Another commit than its copy has, which no script can read.
    await commands.command('LPUSH', [String(key).replace(':W:', ':L:'), 'no list']);
    await commands.command('HINCRBY', [String(key), 'version', 1]);
    const headers = { Authorization: `Bearer ${KEY}` };
    expect((await fetch(`${program.url}/v1/calls`, { headers })).status).toBe(500);
    await eventually(() => expect(JSON.stringify(program.log())).toContain('user_script'));
    expect(JSON.stringify(program.log())).not.toContain(String(key));
  });

  it('answers 503 with the reason while the memory of Redis is full, has written nothing, and goes on', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const { url } = await start(server.address);
    expect((await dial(url)).status).toBe(202);
    const list = async (): Promise<number> => (await clientOf(url, KEY).get('/v1/calls')).body.data.length;
    const before = await list();
    await commands.command('CONFIG', ['SET', 'maxmemory', '1']);
    const answer = await dialRefused(url);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('reached its maxmemory') } });
    await eventually(async () => expect((await clientOf(url).get('/_sandbox/ready')).status).toBe(503));
    await commands.command('CONFIG', ['SET', 'maxmemory', '0']);
    await eventually(async () => expect((await clientOf(url).get('/_sandbox/ready')).status).toBe(200));
    expect(await list()).toBe(before);
    await commands.command('SCRIPT', ['FLUSH']);
    expect((await dial(url)).status).toBe(202);
    expect(await list()).toBe(before + 1);
  });
});
