// Several processes that share a store in Redis, through the front door: `interface.md` section 10.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../src/store/redis/connection.ts';
import { watch } from '../stream/setup.ts';
import { type Client, clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { hasRedis } from '../support/redis.ts';
import { useLinkedRedis } from '../support/redis-link.ts';
import { eventually, until } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const dial = (to_number = '+14155550102') => ({ from_number: FROM, to_number });

describe.runIf(hasRedis)('replicas', () => {
  const { serve, run } = programs();
  const receive = useReceivers();
  const redis = useLinkedRedis();

  const start = (...args: string[]): Promise<Program> => serve(['--store', redis.link.address, ...args]);
  let worlds = 0;
  /** Clients of a new world, one for each replica. */
  const inNewWorld = (...replicas: readonly Program[]): Client[] => {
    worlds += 1;
    return replicas.map(({ url }) => clientOf(url, `svc_test_replicas${worlds}`));
  };
  const clock = (client: Client, mode: string) => client.put('/_sandbox/clock', { mode });
  const idle = (client: Client) => client.post('/_sandbox/clock/advance', { until: 'idle' });
  const healthOf = async ({ url }: Program) => (await clientOf(url).get('/_sandbox/health')).body.data.store;

  it('are told apart by their health, and refuse what cannot be shared', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const [first, second] = await Promise.all([healthOf(a), healthOf(b)]);
    expect(first).toEqual({ kind: 'redis', replica: expect.any(String), runs: 0, problem: null });
    expect(second.replica).not.toBe(first.replica);
    const other = await run(['serve', '--port', '0', '--store', redis.link.address, '--seed', '2']);
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/^ringback: --store .*created with --seed 1, and this server has 2.*\n$/);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('serve a call from any of them, and send its webhooks once', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    await subscribe(onB, `${receiver.url}/new_call`, 'new_call');
    await subscribe(onB, `${receiver.url}/call_busy`, 'call_busy');
    const { call_id } = (await onA.post('/v1/calls/dial', dial('+14155550101'))).body;
    const advanced = await idle(onB);
    expect(advanced.status, advanced.text).toBe(200);
    expect(receiver.got.map(({ path }) => path).sort()).toEqual(['/call_busy', '/new_call']);
    const [readA, readB] = await Promise.all([onA.get(`/v1/calls/${call_id}`), onB.get(`/v1/calls/${call_id}`)]);
    expect(readA.body).toEqual(readB.body);
    expect(readA.status).toBe(200);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('create a world again for a control request whose world another one has deleted', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    const name = `replicas${worlds}`;
    for (let time = 0; time < 3; time++) {
      expect((await clock(onA, 'manual')).status).toBe(200);
      expect((await onB.delete(`/_sandbox/worlds/${name}`)).status).toBe(204);
    }
    await Promise.all([a.stop(), b.stop()]);
  });

  it('commit a dial, and what it is counted by, at once', async () => {
    const a = await start('--clock', 'manual');
    const [onA] = inNewWorld(a) as [Client];
    await onA.call('+14155550101');
    const commands = await Connection.open(redis.server.socket);
    const [key] = [await commands.command('KEYS', [`rb:*:W:replicas${worlds}`])].flat();
    // It grows with each commit that changes something in the world.
    const version = async (): Promise<number> => Number(await commands.command('HGET', [String(key), 'version']));
    const before = await version();
    for (let n = 0; n < 20; n++) await onA.call('+14155550101');
    expect((await version()) - before).toBe(20);
    commands.close();
    await a.stop();
  });

  it('make one call of 200 identical requests with one idempotency key', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 ? onA : onB).post('/v1/calls/dial', dial(), headers)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.call_id}`)).size).toBe(1);
    expect((await onA.get('/v1/calls')).body.meta).toEqual((await onB.get('/v1/calls')).body.meta);
    const { data } = (await onB.get('/_sandbox/events?page_size=1000')).body;
    expect(data.filter((event: { event_type: string }) => event.event_type === 'new_call')).toHaveLength(1);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('let exactly 600 of 650 requests in a minute pass, whichever they reach', async () => {
    const three = await Promise.all([
      start('--clock', 'manual'),
      start('--clock', 'manual'),
      start('--clock', 'manual'),
    ]);
    const clients = inNewWorld(...three);
    const answers = await Promise.all(
      Array.from({ length: 650 }, (_, n) => (clients[n % 3] as Client).get('/v1/account')),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(600);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    await Promise.all(three.map((each) => each.stop()));
  });

  it('tell whoever waits on one, or reads its stream, of what another does', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    await onA.get('/v1/calls');
    const watcher = await watch(b.url, onB.key);
    const waiting = onB.get('/_sandbox/wait?event_type=new_call&timeout=60s');
    const id = await onA.call('+14155550101');
    const answer = await waiting;
    expect([answer.status, answer.body.data?.subject?.id], answer.text).toEqual([200, id]);
    await watcher.until(({ type, data }) => type === 'event' && data.subject?.id === id);
    await watcher.leave();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('go on with the stream that a client has read from another, without a gap or a repetition', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    await onA.get('/v1/calls');
    const dials = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await (n % 2 ? onA : onB).call('+14155550101');
    };
    const first = await watch(a.url, onA.key);
    await dials(4);
    await first.until(() => first.messages.filter(({ type }) => type === 'event').length === 4);
    await first.leave();
    await dials(4);
    await onB.post('/_sandbox/reset');
    await dials(4);
    // One that has served nothing of that world yet, too.
    const late = await start('--clock', 'manual');
    for (const { url } of [b, late]) {
      const rest = await watch(url, onB.key, { since: first.last() });
      await rest.until(() => rest.messages.filter(({ type }) => type === 'event').length === 4);
      expect(rest.messages.map(({ type }) => type).slice(0, 2)).toEqual(['open', 'reset']);
      await rest.leave();
    }
    const again = await watch(late.url, onB.key, { since: 'start', types: 'event' });
    await again.until(() => again.messages.length === 5);
    const half = again.messages[2].entry;
    await again.leave();
    const last = await watch(b.url, onB.key, { since: half, types: 'event' });
    await last.until(() => last.messages.length === 3);
    expect(last.messages.slice(1).map(({ data }) => data.id)).toEqual(
      again.messages.slice(3).map(({ data }) => data.id),
    );
    await last.leave();
    await Promise.all([a.stop(), b.stop(), late.stop()]);
  });

  it('end a stream of a world that was deleted and created again while they stood still', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    const stream = await watch(a.url, onA.key);
    const notReading = await watch(a.url, onA.key);
    notReading.socket.pause();
    a.signal('SIGSTOP');
    expect((await onB.delete(`/_sandbox/worlds/replicas${worlds}`)).status).toBe(204);
    await onB.call('+14155550101');
    a.signal('SIGCONT');
    expect((await stream.closed).code).toBe(4404);
    expect(stream.messages.filter(({ type }) => type === 'event')).toEqual([]);
    const again = await watch(a.url, onA.key);
    await onB.call('+14155550101');
    await again.until(({ type }) => type === 'event');
    const rest = await watch(b.url, onB.key, { since: again.last() });
    notReading.socket.terminate();
    await Promise.all([again, rest].map((each) => each.leave()));
    await Promise.all([a.stop(), b.stop()]);
  });

  it('count in their metrics the worlds that they run', async () => {
    // What is left to do in worlds of other tests would be taken over.
    const commands = await Connection.open(redis.server.socket);
    await commands.command('FLUSHALL', []);
    commands.close();
    const [a, b] = await Promise.all([start(), start()]);
    const [onA] = inNewWorld(a, b) as [Client, Client];
    await onA.call('+14155550101');
    const runs = async ({ url }: Program): Promise<number> => {
      const { text } = await clientOf(url).get('/_sandbox/metrics');
      expect(text).toContain(`replica="${(await healthOf({ url } as Program)).replica}"`);
      return Number(/^ringback_worlds_run (\d+)$/m.exec(text)?.[1]);
    };
    expect([await runs(a), await runs(b)]).toEqual([1, 0]);
    expect([(await healthOf(a)).runs, (await healthOf(b)).runs]).toEqual([1, 0]);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('let go of the worlds in which nothing is left to do, so that nobody has to take them over', async () => {
    const commands = await Connection.open(redis.server.socket);
    await commands.command('FLUSHALL', []);
    const a = await start('--clock', '100x');
    const [onA] = inNewWorld(a) as [Client];
    await onA.call('+14155550101');
    const held = async (): Promise<number> => [await commands.command('KEYS', ['rb:*:held'])].flat().length;
    expect([(await healthOf(a)).runs, await held()]).toEqual([1, 1]);
    await eventually(async () => expect([(await healthOf(a)).runs, await held()]).toEqual([0, 0]));
    // The next call has somebody again who ends it.
    const id = await onA.call('+14155550101');
    await onA.get(`/_sandbox/wait?event_type=call_busy&subject_id=${id}&timeout=60s`);
    expect((await healthOf(a)).runs).toBe(1);
    commands.close();
    await a.stop();
  });

  it('keep a world that is only watched or read on another one, though no request has changed it for longer than its TTL', async () => {
    const [a, b] = await Promise.all([start('--world-ttl', '2s'), start('--world-ttl', '2s')]);
    const listed = async (): Promise<string[]> => {
      const { data } = (await clientOf(a.url).get('/_sandbox/worlds?page_size=100')).body;
      return data.map(({ name }: { name: string }) => name);
    };
    const [watchedA, watchedB] = inNewWorld(a, b) as [Client, Client];
    await watchedA.get('/v1/calls');
    const watched = `replicas${worlds}`;
    const watcher = await watch(b.url, watchedB.key);
    const [readA, readB] = inNewWorld(a, b) as [Client, Client];
    await readA.get('/v1/calls');
    const read = `replicas${worlds}`;
    const [idle] = inNewWorld(a, b) as [Client];
    await idle.get('/v1/calls');
    const unused = `replicas${worlds}`;
    await until(async () => {
      await readB.get('/_sandbox/clock');
      return await listed();
    }).not.toContain(unused);
    expect(await listed()).toEqual(expect.arrayContaining([watched, read]));
    await watcher.leave();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('find the worlds of one that is killed when nobody knows any more that it lived', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start(), start()]);
    const [onUnreadable] = inNewWorld(a) as [Client];
    const unreadable = `replicas${worlds}`;
    const [onA] = inNewWorld(a) as [Client];
    await onUnreadable.call('+14155550108');
    await subscribe(onA, receiver.url, 'call_busy');
    await onA.call('+14155550101');
    const commands = await Connection.open(redis.server.socket);
    const { replica } = await healthOf(a);
    a.signal('SIGKILL');
    await a.ended;
    await commands.command('ZREM', ['rb:alive', replica]);
    // A world that cannot be read keeps nobody from the others.
    const [key] = [await commands.command('KEYS', [`rb:*:W:${unreadable}`])].flat();
    await commands.command('HSET', [String(key), 's:clock', '{']);
    await until(() => receiver.got.length).toBe(1);
    await commands.command('FLUSHALL', []);
    commands.close();
    await b.stop();
  });

  it('go on with the calls and webhooks of one that is killed', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start(), start()]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    await subscribe(onA, `${receiver.url}/new_call`, 'new_call');
    await subscribe(onA, `${receiver.url}/call_busy`, 'call_busy');
    await clock(onA, '20x');
    const calls = await Promise.all(Array.from({ length: 30 }, () => onA.post('/v1/calls/dial', dial('+14155550101'))));
    for (const { status } of calls) expect(status).toBe(202);
    a.signal('SIGKILL');
    await a.ended;
    const seen = (): number => new Set(receiver.got.map(({ path, raw }) => `${path} ${raw}`)).size;
    await until(seen).toBe(60);
    const { data } = (await onB.get('/_sandbox/deliveries?page_size=1000')).body;
    expect(data.filter((delivery: { status: string }) => delivery.status !== 'delivered')).toEqual([]);
    await b.stop();
  });

  it('take over the work of one that stops, and lose nothing', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start(), start()]);
    const [onA, onB] = inNewWorld(a, b) as [Client, Client];
    await subscribe(onA, receiver.url, 'call_busy');
    await onA.post('/v1/calls/dial', dial('+14155550101'));
    expect((await a.stop()).code).toBe(0);
    await clock(onB, '100x');
    await until(() => receiver.got.length).toBe(1);
    await b.stop();
  });
});
