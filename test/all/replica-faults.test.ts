// What may happen to replicas, to Redis and to the link between them, with real processes and a real server: the rows of
// "What happens at each fault" in docs/replicas.md.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/store/redis/connection.ts';
import { type Client, clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { type Received, useReceivers } from '../support/receiver.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { linkTo, type RedisLink } from '../support/redis-link.ts';
import { eventually, until } from '../support/until.ts';
import { deliveriesOf, gate, subscribe } from '../support/webhooks.ts';

const BUSY = '+14155550101';
const dial = (to_number = '+14155550102') => ({ from_number: FROM, to_number });

describe.runIf(hasRedis)('replicas go on', () => {
  const { serve } = programs();
  const receive = useReceivers();
  let server: RedisServer;
  let link: RedisLink;
  const running: Program[] = [];
  beforeEach(async () => {
    server = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
    link = await linkTo(server.socket);
  });
  afterEach(async () => {
    for (const each of running.splice(0)) each.signal('SIGKILL');
    await link.close();
    await server.stop();
  });

  const start = async (...args: string[]): Promise<Program> => {
    const program = await serve(['--store', link.address, '--rate-limit', 'off', '--concurrent-calls', 'off', ...args]);
    running.push(program);
    return program;
  };
  const on = ({ url }: Program): Client => clientOf(url, 'svc_test_faults');
  /** The status of a dial; 503 is none that the contract of the platform knows. */
  async function dialled({ url }: Program): Promise<{ readonly status: number; readonly retryAfter: string | null }> {
    const headers = { Authorization: 'Bearer svc_test_faults', 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1/calls/dial`, { method: 'POST', headers, body: JSON.stringify(dial()) });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  }
  const accepted = async (program: Program): Promise<boolean> => (await dialled(program)).status === 202;
  const total = async (client: Client): Promise<number> => (await client.get('/v1/calls')).body.meta.total_results;
  const advance = (client: Client) => client.post('/_sandbox/clock/advance', { until: 'idle' });

  it('when one stands still in the middle of an advance: another finishes it, and nothing runs twice', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    await subscribe(on(a), receiver.url, 'call_busy');
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    for (let n = 0; n < 5; n++) await on(a).call(BUSY);
    const advancing = advance(on(a));
    await until(() => receiver.got.length).toBeGreaterThan(0);
    a.signal('SIGSTOP');
    open();
    await eventually(async () => expect((await advance(on(b))).status).toBe(200));
    const bodies = (got: readonly Received[]): string[] => got.map(({ raw }) => raw.toString());
    const before = new Set(bodies(receiver.got));
    expect(before.size).toBe(5);
    const events = async (): Promise<number> => (await on(b).get('/_sandbox/events?page_size=1000')).body.data.length;
    const [eventsBefore, gotBefore] = [await events(), receiver.got.length];
    a.signal('SIGCONT');
    const late = await advancing;
    expect(late.status, late.text).toBe(200);
    expect(late.body.data.complete).toBe(false);
    expect([await events(), receiver.got.length]).toEqual([eventsBefore, gotBefore]);
    const deliveries = await deliveriesOf(on(b));
    expect(deliveries.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('delivered'));
    // Both serve on.
    expect(await Promise.all([accepted(a), accepted(b)])).toEqual([true, true]);
    // As long as it is thought dead, it may lose its lock again.
    await eventually(async () => expect((await advance(on(a))).body.data.complete).toBe(true));
  });

  it('when one is killed as it sends what a pause has held: another sends the rest, in order', async () => {
    const receiver = await receive();
    const [a, b] = await Promise.all([start(), start()]);
    await on(a).put('/_sandbox/webhook-plan', { paused: true });
    await subscribe(on(a), receiver.url, 'contact_created');
    const names = Array.from({ length: 600 }, (_, n) => `contact ${n}`);
    for (const name of names) await on(a).post('/_sandbox/simulate/new-contact', { name });
    const resumed = on(b).put('/_sandbox/webhook-plan', {});
    await until(() => receiver.got.length).toBeGreaterThan(0);
    b.signal('SIGKILL');
    await resumed.catch(() => {});
    const sent = (): string[] => [...new Set(receiver.got.map(({ raw }) => JSON.parse(raw.toString()).name))];
    await until(() => sent().length).toBe(names.length);
    expect(sent()).toEqual(names);
  });

  it('when Redis is restarted: 503 meanwhile, nothing lost that was acknowledged', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    expect(await Promise.all([a, b, a, b].map(accepted))).toEqual([true, true, true, true]);
    const before = await total(on(a));
    const restarting = server.restart();
    const during = await Promise.all([a, b].map(dialled));
    await restarting;
    for (const { status, retryAfter } of during) if (status !== 202) expect([status, retryAfter]).toEqual([503, '1']);
    await eventually(async () => expect(await Promise.all([accepted(a), accepted(b)])).toEqual([true, true]));
    const kept = await total(on(a));
    expect(kept).toBeGreaterThanOrEqual(before + 2);
    expect(await total(on(b))).toBe(kept);
  });

  it('when Redis fails over to its replica, and what had been copied is there', async () => {
    const other = await startRedis('--replicaof', '127.0.0.1', server.address.split(':').at(-1) ?? '');
    const second = await Connection.open(other.socket);
    try {
      const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
      expect(await Promise.all([a, b, a, b].map(accepted))).toEqual([true, true, true, true]);
      const before = await total(on(a));
      const first = await Connection.open(server.socket);
      // WAIT is about what its own connection has written last, and all before that.
      await first.command('SET', ['written-last', '1']);
      await eventually(async () => expect(await first.command('WAIT', [1, 1000])).toBe(1));
      first.close();
      server.signal('SIGSTOP');
      await second.command('REPLICAOF', ['NO', 'ONE']);
      link.leadTo(other.socket);
      await eventually(async () => expect(await Promise.all([accepted(a), accepted(b)])).toEqual([true, true]));
      expect(await total(on(a))).toBeGreaterThanOrEqual(before + 2);
      expect(await total(on(a))).toBe(await total(on(b)));
    } finally {
      second.close();
      await other.stop();
    }
  });

  it('when the link is slow, with as many calls as were accepted', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    expect(await Promise.all([accepted(a), accepted(b)])).toEqual([true, true]);
    const before = await total(on(a));
    link.slow(30);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => accepted(n % 2 ? a : b)));
    expect(answers.filter(Boolean)).toHaveLength(20);
    expect([await total(on(a)), await total(on(b))]).toEqual([before + 20, before + 20]);
  });

  it('when the link passes nothing on: 503 in place of an answer, and the truth afterwards', async () => {
    const a = await start('--clock', 'manual');
    expect(await accepted(a)).toBe(true);
    const before = await total(on(a));
    link.stall();
    const { status, retryAfter } = await dialled(a);
    expect([status, retryAfter]).toEqual([503, '1']);
    expect((await on(a).get('/_sandbox/ready')).status).toBe(503);
    link.mend();
    await eventually(async () => expect((await on(a).get('/_sandbox/ready')).status).toBe(200));
    // The one that got no answer may have happened, once.
    expect([before, before + 1]).toContain(await total(on(a)));
  });

  it('when all are replaced, one after the other: no request is dropped', async () => {
    let serving = [await start('--clock', 'manual'), await start('--clock', 'manual')];
    let sent = 0;
    let isOver = false;
    const failures: unknown[] = [];
    // As a load balancer does: to one that is there, and to the next one if that takes no connection.
    const send = async (): Promise<void> => {
      for (const each of [...serving].sort(() => (sent % 2 ? 1 : -1))) {
        try {
          const { status } = await dialled(each);
          if (status !== 202) failures.push(status);
          sent += 1;
          return;
        } catch (error) {
          const { code } = (error as { cause?: { code?: string } }).cause ?? {};
          if (code !== 'ECONNREFUSED') failures.push(code ?? error);
          if (code !== 'ECONNREFUSED') return;
        }
      }
      failures.push('none took the connection');
    };
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await send();
      }),
    );
    for (const old of [...serving]) {
      const fresh = await start('--clock', 'manual');
      serving = [...serving.filter((each) => each !== old), fresh];
      expect((await old.stop()).code).toBe(0);
      const mark = sent;
      await until(() => sent).toBeGreaterThan(mark + 20);
    }
    isOver = true;
    await load;
    expect(failures).toEqual([]);
    const [first] = serving;
    expect(first && (await total(on(first)))).toBeGreaterThanOrEqual(sent);
  });

  it('when a world is deleted on one and made again on another, in a later epoch', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    const epochs = async (program: Program): Promise<string> => {
      const { headers } = await on(program).get('/v1/calls');
      return headers['x-sandbox-world'] ?? '';
    };
    expect(await epochs(a)).toBe('faults');
    const { body } = await on(a).post('/v1/calls/dial', dial());
    expect((await on(a).delete('/_sandbox/worlds/faults')).status).toBe(204);
    expect(await epochs(b)).toBe('faults;recreated');
    expect((await on(b).get(`/v1/calls/${body.call_id}`)).status).toBe(404);
  });

  it('when a world is deleted on one of which others have copies: its name is free, and nobody deletes it again', async () => {
    const args = ['--control-token', 'token'];
    const three = await Promise.all([start(...args), start(...args), start(...args)]);
    const [a, b, c] = three.map(({ url }) => clientOf(url, 'token')) as [Client, Client, Client];
    const copied = async (): Promise<void> => {
      for (const { url } of three) expect((await clientOf(url, 'svc_test_w').get('/v1/calls')).status).toBe(200);
    };
    const status = async (answer: Promise<{ readonly status: number }>): Promise<number> => (await answer).status;
    expect(await status(a.post('/_sandbox/worlds', { name: 'w' }))).toBe(201);
    await copied();
    expect(await status(a.delete('/_sandbox/worlds/w'))).toBe(204);
    expect(await status(b.post('/_sandbox/worlds', { name: 'w' }))).toBe(201);
    await copied();
    expect(await status(b.post('/_sandbox/worlds', { name: 'w' }))).toBe(409);
    expect(await status(b.delete('/_sandbox/worlds/w'))).toBe(204);
    expect(await status(c.delete('/_sandbox/worlds/w'))).toBe(404);
  });
});
