// What a server says of a Redis that it cannot use, or that holds something else, and what it leaves alone.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientOf, FROM } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { freePort, programs } from '../support/program.ts';
import { hasRedis, redisProgram } from '../support/redis.ts';
import { useRedisServers } from '../support/redis-servers.ts';
import { selfSigned } from '../support/self-signed.ts';
import { eventually } from '../support/until.ts';

const KEY = 'svc_test_start';

describe.runIf(hasRedis)('a server with --store', () => {
  const { serve, run } = programs();
  const folderOf = temporaryFolders();
  const { ended, redis, commandsOf } = useRedisServers();
  async function start(address: string, environment = {}): Promise<string> {
    const program = await serve(['--store', address, '--clock', 'manual'], environment);
    ended.push(() => program.stop());
    return program.url;
  }
  /** The only line of a start that fails. */
  async function refusalOf(address: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--store', address, ...args]);
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    return stderr;
  }
  const dial = (url: string) =>
    clientOf(url, KEY).post('/v1/calls/dial', { from_number: FROM, to_number: '+14155550102' });

  it('refuses a database where its keys are those of another application, and leaves them as they are', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('SET', ['rb:meta', 'theirs']);
    expect(await refusalOf(server.address)).toContain('its key rb:meta belongs to another application');
    expect(await commands.command('KEYS', ['*'])).toEqual(['rb:meta']);
    expect(await commands.command('GET', ['rb:meta'])).toBe('theirs');
  });

  it('leaves a hash alone that is named as its own, and is that of another application', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('HSET', ['rb:meta', 'theirs', 'kept']);
    expect(await refusalOf(server.address)).toContain('its key rb:meta belongs to another application');
    expect(await commands.command('KEYS', ['*'])).toEqual(['rb:meta']);
    expect(await commands.command('HGETALL', ['rb:meta'])).toEqual(['theirs', 'kept']);
  });

  it('starts on a Redis that was emptied while a replica wrote what all have in common', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('HSET', ['rb:meta', 'seed', '1', 'secret', 'shared']);
    expect((await dial(await start(server.address))).status).toBe(202);
    expect(await commands.command('HGET', ['rb:meta', 'secret'])).toBe('shared');
  });

  it.each(['rb:alive', 'rb:settings'])('refuses one where %s is theirs, and leaves nothing of its own', async (key) => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('SET', [key, 'theirs']);
    expect(await refusalOf(server.address)).toContain(`its key ${key} belongs to another application`);
    expect(await commands.command('KEYS', ['*'])).toEqual([key]);
    expect(await commands.command('GET', [key])).toBe('theirs');
  });

  it('leaves the keys of other applications in its database alone, and has none that does not begin with rb:', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('HSET', ['worlds', 'theirs', 'kept']);
    const url = await start(server.address);
    expect((await dial(url)).status).toBe(202);
    expect((await clientOf(url, KEY).delete('/_sandbox/worlds/start')).status).toBe(204);
    const keys = await commands.command('KEYS', ['*']);
    const others = Array.isArray(keys) ? keys.filter((key) => !String(key).startsWith('rb:')) : keys;
    expect(others).toEqual(['worlds']);
    expect(await commands.command('HGETALL', ['worlds'])).toEqual(['theirs', 'kept']);
  });

  it('refuses worlds that a version with another format has stored, and says which', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    await commands.command('HSET', ['rb:meta', 'format', '99', 'seed', '1', 'secret', 's']);
    expect(await refusalOf(server.address)).toContain('its worlds are stored in format 99; this version reads 4');
    expect(await commands.command('KEYS', ['*'])).toEqual(['rb:meta']);
  });

  it('refuses a read-only replica of Redis', async () => {
    const first = await redis();
    const second = await redis('--replicaof', '127.0.0.1', first.address.split(':').at(-1) ?? '');
    expect(await refusalOf(second.address)).toContain('the server is a read-only replica; it must be the primary');
  });

  it('refuses a server that is too old', async () => {
    const info = 'redis_version:6.2.14\r\nrole:master\r\n';
    const replies: Readonly<Record<string, string>> = {
      HELLO: '*2\r\n$5\r\nproto\r\n:2\r\n',
      INFO: `$${info.length}\r\n${info}\r\n`,
      TIME: '*2\r\n$10\r\n1795000000\r\n$1\r\n0\r\n',
      CLIENT: '-ERR unknown subcommand\r\n',
    };
    const old = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        for (const [name = ''] of data.toString().matchAll(/(?<=\r\n)(INFO|TIME|CLIENT|HELLO)(?=\r\n)/gi)) {
          socket.write(replies[name.toUpperCase()] ?? '');
        }
      });
    }).listen(0, '127.0.0.1');
    await once(old, 'listening');
    ended.push(() => old.close());
    const bound = old.address();
    const address = `redis://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
    expect(await refusalOf(address)).toContain('has version 6.2.14; it must be Redis 7 or later, or Valkey');
  });

  it('refuses a server that deletes keys when memory is short', async () => {
    const server = await redis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    expect(await refusalOf(server.address)).toContain('its maxmemory-policy must be noeviction');
  });

  it('refuses the number of a database that the server does not have, in place of taking another one', async () => {
    const server = await redis();
    expect(await refusalOf(`${server.address}/99`)).toContain('DB index is out of range');
    expect(await (await commandsOf(server)).command('KEYS', ['*'])).toEqual([]);
    await start(`${server.address}/3`);
  });

  it('says which settings another replica that lives does not have alike', async () => {
    const server = await redis();
    const differing = async (...args: string[]): Promise<unknown> => {
      const program = await serve(['--store', server.address, '--clock', 'manual', ...args]);
      ended.push(() => program.stop());
      const records: readonly { readonly msg: string; readonly settings?: unknown }[] = program.log();
      return records.find(({ msg }) => msg.startsWith('another replica has other values'))?.settings;
    };
    expect(await differing('--secret', 'one')).toBeUndefined();
    expect(await differing('--secret', 'two', '--rate-limit', 'off')).toEqual(['--rate-limit', '--secret']);
    expect(await differing('--secret', 'two', '--rate-limit', 'off')).toBeUndefined();
  });

  it('creates its own worlds again when Redis has lost all that it had, and shares what replicas share', async () => {
    const server = await redis();
    const url = await start(server.address);
    const secret = async (): Promise<unknown> => (await commandsOf(server)).command('HGET', ['rb:meta', 'secret']);
    const before = await secret();
    await server.restart();
    const statusOf = async (): Promise<number> =>
      (await fetch(`${url}/v1/calls`, { headers: { Authorization: 'Bearer svc_sandbox_default' } })).status;
    await eventually(async () => expect(await statusOf()).toBe(200));
    expect(await secret()).toBe(before);
    // Without an end of the connection too.
    await (await commandsOf(server)).command('FLUSHALL', []);
    await eventually(async () => expect([await statusOf(), await secret()]).toEqual([200, before]));
  });

  it('deletes the world that no replica has used for the longest time when there are too many', async () => {
    const server = await redis();
    const most = { RINGBACK_MAX_WORLDS: '8' };
    const [a, b] = [await start(server.address, most), await start(server.address, most)];
    const worldOf = async (url: string, world: string): Promise<string | undefined> =>
      (await clientOf(url, `svc_test_${world}`).get('/v1/calls')).headers['x-sandbox-world'];
    // Besides five that are bundled.
    for (const world of ['used-by-b', 'unused', 'third']) await worldOf(a, world);
    await worldOf(b, 'used-by-b');
    await worldOf(a, 'fourth');
    expect(await worldOf(b, 'used-by-b')).toBe('used-by-b');
    expect(await worldOf(b, 'unused')).toBe('unused;recreated');
  });

  it('refuses a password that is wrong, without printing it', async () => {
    const server = await redis('--requirepass', 'hush');
    const line = await refusalOf(server.address.replace('redis://', 'redis://:guess@'));
    expect(line).toMatch(/WRONGPASS|NOAUTH/);
    expect(line).not.toContain('guess');
    await start(server.address.replace('redis://', 'redis://:hush@'));
  });

  it('speaks TLS with rediss://, if the certificate is trusted', async ({ skip }) => {
    const folder = folderOf();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    writeFileSync(key, selfSigned.key);
    writeFileSync(cert, selfSigned.cert);
    const port = String(await freePort());
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    await redis('--tls-port', port, ...files, '--tls-auth-clients', 'no').catch((error: Error) => {
      if (!error.message.includes('TLS support')) throw error;
      console.log(`The test of TLS is skipped: ${redisProgram} was built without it.`);
      skip();
    });
    const address = `rediss://127.0.0.1:${port}`;
    expect(await refusalOf(address)).toContain('self-signed certificate');
    const url = await start(address, { NODE_EXTRA_CA_CERTS: cert });
    expect((await dial(url)).status).toBe(202);
  });

  it('says which server it is that cannot be used', async () => {
    const server = await redis();
    const other = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    ended.push(() => other.close());
    const bound = other.address();
    const address = `redis://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
    expect(await refusalOf(address)).toContain('what listens there does not speak as Redis does');
    expect(await refusalOf(server.address.replace('redis:', 'rediss:'))).toContain('is there a server that takes TLS?');
  });

  it.each([
    ['to scripts', '-@scripting', [], "'evalsha'"],
    ['on its channels', 'resetchannels', [], 'channel'],
    ['to wait for copies', '-wait', ['--redis-wait', '1'], "'wait'"],
  ] as const)('refuses a user without the right %s, and names it', async (_, missing, args, named) => {
    const server = await redis();
    const commands = await commandsOf(server);
    const rights = ['on', '>hush', '~rb:*', '&rb:*', '+@all', '-@admin', '-@dangerous', '+info', missing];
    await commands.command('ACL', ['SETUSER', 'robin', ...rights]);
    const line = await refusalOf(server.address.replace('redis://', 'redis://robin:hush@'), ...args);
    expect(line).toContain('its user lacks a right that docs/replicas.md names');
    expect(line).toContain(named);
  });

  it('needs no more rights than those on its own keys and channels', async () => {
    const server = await redis();
    const commands = await commandsOf(server);
    const rights = ['on', '>hush', '~rb:*', '&rb:*', '+@all', '-@admin', '-@dangerous', '+info'];
    await commands.command('ACL', ['SETUSER', 'robin', ...rights]);
    const url = await start(server.address.replace('redis://', 'redis://robin:hush@'));
    expect((await dial(url)).status).toBe(202);
    expect((await clientOf(url, KEY).post('/_sandbox/clock/advance', { until: 'idle' })).status).toBe(200);
  });
});
