// A server whose store in Redis goes away for a while, through the front door: `interface.md` section 10.
import { describe, expect, it } from 'vitest';
import { Connection } from '../../src/store/redis/connection.ts';
import { watch } from '../stream/setup.ts';
import { clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { hasRedis } from '../support/redis.ts';
import { useLinkedRedis } from '../support/redis-link.ts';
import { eventually, until } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const dial = () => ({ from_number: FROM, to_number: '+14155550102' });

describe.runIf(hasRedis)('a replica', () => {
  const { serve } = programs();
  const receive = useReceivers();
  const redis = useLinkedRedis();

  const start = (...args: string[]): Promise<Program> => serve(['--store', redis.link.address, ...args]);

  it('answers 503 while the store is away, and goes on when it is back', async () => {
    const a = await start('--clock', 'manual');
    const onA = clientOf(a.url, 'svc_test_away1');
    expect((await onA.post('/v1/calls/dial', dial())).status).toBe(202);
    redis.link.cut();
    // The contract of the platform knows no such answer, as its clients know no such server.
    const answer = await fetch(`${a.url}/v1/calls`, { headers: { Authorization: `Bearer ${onA.key}` } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('no connection to Redis') },
    });
    expect((await onA.get('/_sandbox/ready')).status).toBe(503);
    expect((await onA.get('/_sandbox/health')).body.data.store.problem).toContain('no connection');
    redis.link.mend();
    await eventually(async () => expect((await onA.get('/_sandbox/ready')).status).toBe(200));
    expect((await onA.post('/v1/calls/dial', dial())).status).toBe(202);
    await a.stop();
  });

  it('logs once that the store is away, however many worlds have something to do, and once that it is back', async () => {
    const a = await start('--clock', '100x', '--log', 'info');
    for (let n = 0; n < 5; n++) await clientOf(a.url, `svc_test_busy${n}`).call('+14155550102');
    redis.link.cut();
    const told = (text: string): number => a.log().filter(({ msg }) => msg.startsWith(text)).length;
    await until(() => told('the store is not available')).toBe(1);
    // Their tasks have fallen due, and each waited for the store as long as this request does.
    const { url } = a;
    expect((await fetch(`${url}/v1/calls`, { headers: { Authorization: 'Bearer svc_test_away' } })).status).toBe(503);
    redis.link.mend();
    await until(() => told('the store is available again')).toBe(1);
    expect([told('the store is not available'), told('a scheduled task failed')]).toEqual([1, 0]);
    await a.stop();
  });

  it('says of a world that Redis has lost that it was created again, and ends its streams', async () => {
    const [a, b] = await Promise.all([start('--clock', 'manual'), start('--clock', 'manual')]);
    // One that this replica has made, and one that it has only served.
    for (const [maker, name] of [
      [a, 'lost-own'],
      [b, 'lost-other'],
    ] as const) {
      await clientOf(maker.url, `svc_test_${name}`).get('/v1/calls');
      const onA = clientOf(a.url, `svc_test_${name}`);
      await onA.post('/_sandbox/reset');
      const stream = await watch(a.url, onA.key);
      const commands = await Connection.open(redis.server.socket);
      await commands.command('FLUSHALL', []);
      commands.close();
      const worldIn = async (): Promise<unknown> => (await onA.get('/v1/calls')).headers['x-sandbox-world'];
      expect([await worldIn(), await worldIn()]).toEqual([`${name};recreated`, name]);
      expect((await stream.closed).code).toBe(4404);
      // Whoever knows an epoch of the lost one can tell it from those of the new one.
      const next = await watch(a.url, onA.key);
      expect(next.opened.data.epoch).toBe(3);
      await next.leave();
    }
    await Promise.all([a.stop(), b.stop()]);
  });

  it('does the work of a call whose commit it does not know the outcome of, though nobody asks for it again', async () => {
    const receiver = await receive();
    const a = await start('--clock', '100x');
    const commands = await Connection.open(redis.server.socket);
    const dialIn = async (world: string): Promise<{ status: number; runner: unknown }> => {
      const onA = clientOf(a.url, `svc_test_${world}`);
      await subscribe(onA, `${receiver.url}/${world}`, 'call_busy');
      const cut = redis.link.cutAtNext('reply');
      const headers = { Authorization: `Bearer ${onA.key}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ from_number: FROM, to_number: '+14155550101' });
      const { status } = await fetch(`${a.url}/v1/calls/dial`, { method: 'POST', headers, body });
      await cut;
      const [key] = [await commands.command('KEYS', [`rb:*:W:${world}`])].flat();
      return { status, runner: await commands.command('HGET', [String(key), 'runner']) };
    };
    // The reply that is cut may be that of something else.
    for (let n = 0; ; n++) {
      const { status, runner } = await dialIn(`unknown${n}`);
      redis.link.mend();
      if (status === 503 && runner !== '') {
        await until(() => receiver.got.map(({ path }) => path)).toContain(`/unknown${n}`);
        break;
      }
      await eventually(async () => expect((await clientOf(a.url).get('/_sandbox/ready')).status).toBe(200));
    }
    commands.close();
    await a.stop();
  });
});
