// --world-ttl: `interface.md` section 1. A world that a key created expires when it has been idle for that long.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/index.ts';
import { type Client, clientOf, expectError } from '../support/client.ts';
import { eventually } from '../support/until.ts';
import { fire, gate, subscribe } from '../support/webhooks.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';
import { BUNDLED, useWorlds, withHeldReceiver, withSandbox } from './setup.ts';

const { withKey, inWorld, worldNames } = useWorlds();

describe('--world-ttl', () => {
  const MINUTE = 60_000;
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets the test set the system time: of the server's maintenance and its clock, not of the network. */
  async function withSystemTime(options: SandboxOptions, body: (own: Sandbox) => Promise<void>): Promise<void> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
    await withSandbox(options, body);
  }

  it('deletes a world that was idle for an hour, and keeps worlds that are used, posted or bundled', async () => {
    await withSystemTime({}, async (own) => {
      const call = await inWorld('idle', own).call('+12125550100');
      await inWorld('used', own).get('/v1/me');
      await clientOf(own.url).post('/_sandbox/worlds', { name: 'posted' });
      await vi.advanceTimersByTimeAsync(30 * MINUTE);
      await inWorld('used', own).get('/v1/me');
      await vi.advanceTimersByTimeAsync(29 * MINUTE);
      expect((await worldNames(own)).sort()).toEqual([...BUNDLED, 'idle', 'posted', 'used'].sort());
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      expect((await worldNames(own)).sort()).toEqual([...BUNDLED, 'posted', 'used'].sort());

      const answer = await inWorld('idle', own).get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('idle;recreated');
      expect((await inWorld('idle', own).get('/v1/me')).headers['x-sandbox-world']).toBe('idle');
    });
  });

  it('can be set, and counts system time, not world time', async () => {
    await withSystemTime({ worldTtl: '10m' }, async (own) => {
      await inWorld('brief', own).get('/v1/me');
      await own.world('brief').clock.advance('30d');
      await vi.advanceTimersByTimeAsync(9 * MINUTE);
      expect(await worldNames(own)).toContain('brief');
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      expect(await worldNames(own)).not.toContain('brief');
    });
  });

  it('holds to the millisecond for the next request, even before maintenance deletes the world', async () => {
    await withSystemTime({ worldTtl: '1s' }, async (own) => {
      const first = inWorld('brief', own);
      const call = await first.call('+12125550100');
      const { api_key } = (await first.post('/_sandbox/keys', {})).body.data;
      const keyed = withKey(api_key, own);
      vi.setSystemTime(Date.now() + 999);
      expect((await keyed.readCall(call)).id).toBe(call);
      vi.setSystemTime(Date.now() + 1000);
      expectError(await keyed.get(`/v1/calls/${call}`), 401, 'unauthorized');
      const answer = await first.get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('brief;recreated');
      vi.setSystemTime(Date.now() + 1000);
      expect((await first.get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('brief;recreated');
    });
  });

  it('holds for client tokens and URL tokens too, which create no world', async () => {
    await withSystemTime({ worldTtl: '1s' }, async (own) => {
      const { token } = (await inWorld('brief', own).post('/v1/client-tokens', {})).body.data;
      const submit = () =>
        clientOf(own.url, null).post('/v1/leads/lead_brief', {}, { 'X-Source-Secret': 'sandbox_lead_secret' });
      expect((await submit()).status).toBe(201);
      vi.setSystemTime(Date.now() + 1000);
      expectError(await withKey(token, own).get('/v1/me'), 401, 'unauthorized');
      expectError(await submit(), 404, 'not_found');
      expect((await inWorld('brief', own).get('/v1/me')).headers['x-sandbox-world']).toBe('brief;recreated');
    });
  });

  it('deletes a world soon after a short time to live', async () => {
    await withSystemTime({ worldTtl: '1s' }, async (own) => {
      await inWorld('brief', own).get('/v1/me');
      await vi.advanceTimersByTimeAsync(1500);
      expect(await worldNames(own)).not.toContain('brief');
    });
  });

  it('counts requests with the control token and calls of the library as use', async () => {
    await withSystemTime({ worldTtl: '1s', controlToken: 'let-me-in' }, async (own) => {
      const control = withKey('let-me-in', own);
      const inBrief = { 'X-Sandbox-World': 'brief' };
      await inWorld('brief', own).get('/v1/me');
      for (const use of [() => control.get('/_sandbox/clock', inBrief), () => own.world('brief').clock.now()]) {
        vi.setSystemTime(Date.now() + 900);
        await use();
        vi.setSystemTime(Date.now() + 900);
        expect((await control.get('/_sandbox/clock', inBrief)).headers['x-sandbox-world']).toBe('brief');
      }
      vi.setSystemTime(Date.now() + 1000);
      expectError(await control.get('/_sandbox/clock', inBrief), 404, 'not_found');
    });
  });

  it('lets a world be created under the name of an expired one', async () => {
    await withSystemTime({ worldTtl: '1s' }, async (own) => {
      await inWorld('brief', own).get('/v1/me');
      vi.setSystemTime(Date.now() + 1000);
      expect((await clientOf(own.url).post('/_sandbox/worlds', { name: 'brief' })).status).toBe(201);
    });
  });

  it.each<[held: string, clock: string, plan: object, kept: boolean]>([
    ['a delay', 'real', { delay: '2h' }, true],
    ['a delay', 'manual', { delay: '2h' }, false],
    ['a pause', 'real', { paused: true }, false],
    ['nothing', 'real', {}, false],
  ])(
    'with a delivery held by %s on a clock that is %s, under %j: keeps the world: %s',
    async (_, clock, plan, kept) => {
      await withSystemTime({ worldTtl: '10s', clock }, async (own) => {
        const client = inWorld('holding', own);
        const [id] = await subscribe(client, 'http://127.0.0.1:9/hook', 'call_busy');
        await client.put(`/_sandbox/webhook-subscriptions/${id}`, { plan });
        await fire(client, 'call_busy');
        if (clock === 'manual') await own.world('holding').clock.advance('0s');
        await eventually(async () => expect(await own.world('holding').deliveries()).toHaveLength(1));
        await vi.advanceTimersByTimeAsync(15_000);
        expect((await worldNames(own)).includes('holding')).toBe(kept);
        if (!kept) return;
        await client.delete(`/api/v1/webhook_subscriptions/${id}`);
        await vi.advanceTimersByTimeAsync(15_000);
        expect(await worldNames(own)).not.toContain('holding');
      });
    },
  );

  it('keeps a world with a delivery in flight', async () => {
    await withSystemTime({ worldTtl: '1s' }, async (own) => {
      await withHeldReceiver(async (held) => {
        const client = inWorld('delivering', own);
        await subscribe(client, held.url, 'new_call');
        const call = await client.call('+12125550100');
        vi.setSystemTime(Date.now() + 5000);
        expect((await client.readCall(call)).id).toBe(call);
        await eventually(() => expect(held.got).toHaveLength(1));
      });
    });
  });

  it.each<[what: string, world: string, begin: (own: Sandbox, client: Client) => Promise<() => Promise<unknown>>]>([
    [
      'a request body is incomplete',
      'receiving',
      async (own, client) => {
        const wire = wireTo(own.url);
        const body = gate();
        const sent = { method: 'POST', path: '/v1/client-tokens', key: client.key, headers: JSON_TYPE, body: '{}' };
        const answered = wire.send({ ...sent, bodyAfter: body.opened });
        await eventually(async () => expect(await worldNames(own)).toContain('receiving'));
        return async () => {
          body.open();
          expect((await answered).status).toBe(201);
          wire.close();
        };
      },
    ],
    [
      'a response is delayed',
      'delaying',
      async (own, client) => {
        const answered = client.get('/v1/me', { 'X-Sandbox-Delay': '2s' });
        await eventually(async () => expect(await own.world('delaying').requests()).toHaveLength(1));
        return () => answered;
      },
    ],
    [
      'the library waits for an event',
      'waiting',
      async (own, client) => {
        const happened = own.world('waiting').waitFor({ event_type: 'call_busy' });
        await own.world('waiting').clock.now();
        return async () => {
          await fire(client, 'call_busy');
          await happened;
        };
      },
    ],
  ])('keeps a world while %s, and counts from the end of that', async (_, world, begin) => {
    await withSystemTime({ worldTtl: '10s' }, async (own) => {
      const end = await begin(own, inWorld(world, own));
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await worldNames(own)).toContain(world);
      await end();
      await vi.advanceTimersByTimeAsync(9000);
      expect(await worldNames(own)).toContain(world);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await worldNames(own)).not.toContain(world);
    });
  });
});
