// Clocks over a restart: `interface.md` section 1, --state. A stopped clock stays, a running one follows the system time.
import { describe, expect, it, vi } from 'vitest';
import { advance, useRestarts } from './setup.ts';

const { startServer } = useRestarts();

describe('a restart', () => {
  it('keeps the time of a stopped clock, whatever --start is', async () => {
    const server = await startServer();
    await advance(server.client, '90m');
    await server.restart({ start: '2030-01-01T00:00:00.000Z' });
    expect((await server.client.get('/_sandbox/clock')).body.data).toMatchObject({
      mode: 'manual',
      now: '2026-01-05T16:30:00.000Z',
    });
  });

  it('keeps the mode of a clock, whatever --clock is', async () => {
    const server = await startServer({ clock: 'real' });
    await server.client.put('/_sandbox/clock', { mode: 'manual' });
    const { now } = (await server.client.get('/_sandbox/clock')).body.data;
    await server.restart();
    expect((await server.client.get('/_sandbox/clock')).body.data).toMatchObject({ mode: 'manual', now });
  });

  it('sets a running clock to the system time, but never back', async () => {
    const server = await startServer({ clock: 'real' });
    const before = Date.now();
    await server.restart();
    const now = Date.parse((await server.client.get('/_sandbox/clock')).body.data.now);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    await advance(server.client, '1h');
    const ahead = Date.parse((await server.client.get('/_sandbox/clock')).body.data.now);
    await server.restart();
    expect(Date.parse((await server.client.get('/_sandbox/clock')).body.data.now)).toBeGreaterThanOrEqual(ahead);
  });

  it('runs tasks that came due in the meantime, each at its own instant', async () => {
    const server = await startServer({ clock: 'real' });
    const id = await server.client.call('+12125550147', { 'X-Sandbox-Scenario': 'busy;ring=200ms' });
    const { started_at } = await server.client.readCall(id);
    await server.sandbox.close();
    await new Promise((resolve) => setTimeout(resolve, 250));
    await server.restart();
    const { status, ended_at } = await server.client.readCall(id);
    expect(status).toBe('BUSY');
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBe(200);
  });

  it('continues the random draws, so that no timeline changes', async () => {
    const ends = async (restarts: boolean): Promise<unknown> => {
      const server = await startServer();
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) {
        ids.push(await server.client.call('+12125550100'));
        if (restarts) await server.restart();
      }
      await server.sandbox.clock.untilIdle();
      return Promise.all(ids.map(async (id) => (await server.client.readCall(id)).ended_at));
    };
    expect(await ends(true)).toEqual(await ends(false));
  });

  it('keeps the rate window of a key, and counts the time in between', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const server = await startServer();
      const { api_key } = (await server.client.post('/_sandbox/keys', { requests_per_minute: 1 })).body.data;
      await server.clientWith(api_key).get('/v1/me');
      await advance(server.client, '20s');
      await server.sandbox.close();
      vi.setSystemTime(Date.now() + 30_000);
      await server.restart();
      const refused = await server.clientWith(api_key).get('/v1/me');
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
      await advance(server.client, '10s');
      expect((await server.clientWith(api_key).get('/v1/me')).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});
