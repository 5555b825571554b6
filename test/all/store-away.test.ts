// A server whose store in Redis goes away for a while, through the front door: `interface.md` section 10.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { linkTo, type RedisLink } from '../support/redis-link.ts';
import { eventually, until } from '../support/until.ts';

const dial = () => ({ from_number: FROM, to_number: '+14155550102' });

describe.runIf(hasRedis)('a replica', () => {
  const { serve } = programs();
  let server: RedisServer;
  let link: RedisLink;
  beforeAll(async () => {
    server = await startRedis();
    link = await linkTo(server.socket);
  });
  afterAll(async () => {
    await link?.close();
    await server?.stop();
  });

  const start = (...args: string[]): Promise<Program> => serve(['--store', link.address, ...args]);

  it('answers 503 while the store is away, and goes on when it is back', async () => {
    const a = await start('--clock', 'manual');
    const onA = clientOf(a.url, 'svc_test_away1');
    expect((await onA.post('/v1/calls/dial', dial())).status).toBe(202);
    link.cut();
    // The contract of the platform knows no such answer, as its clients know no such server.
    const answer = await fetch(`${a.url}/v1/calls`, { headers: { Authorization: `Bearer ${onA.key}` } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('no connection to Redis') },
    });
    expect((await onA.get('/_sandbox/ready')).status).toBe(503);
    expect((await onA.get('/_sandbox/health')).body.data.store.problem).toContain('no connection');
    link.mend();
    await eventually(async () => expect((await onA.get('/_sandbox/ready')).status).toBe(200));
    expect((await onA.post('/v1/calls/dial', dial())).status).toBe(202);
    await a.stop();
  });

  it('logs once that the store is away, however many worlds have something to do, and once that it is back', async () => {
    const a = await start('--clock', '100x', '--log', 'info');
    for (let n = 0; n < 5; n++) await clientOf(a.url, `svc_test_busy${n}`).call('+14155550102');
    link.cut();
    const told = (text: string): number => a.log().filter(({ msg }) => msg.startsWith(text)).length;
    await until(() => told('the store is not available')).toBe(1);
    // Their tasks have fallen due, and each waited for the store as long as this request does.
    const { url } = a;
    expect((await fetch(`${url}/v1/calls`, { headers: { Authorization: 'Bearer svc_test_away' } })).status).toBe(503);
    link.mend();
    await until(() => told('the store is available again')).toBe(1);
    expect([told('the store is not available'), told('a scheduled task failed')]).toEqual([1, 0]);
    await a.stop();
  });
});
