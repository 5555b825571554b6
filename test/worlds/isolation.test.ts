// Isolation between worlds: `interface.md` section 2. An id of another world is unknown, and no world changes another.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { START } from '../support/world.ts';
import { programs, run } from './random-programs.ts';
import { dataOf, useWorlds } from './setup.ts';

const { sandbox, client, receiver, withKey, inWorld } = useWorlds();

describe('an id of another world', () => {
  it('is 404 for every kind of object and every operation', async () => {
    const [mine, theirs] = [inWorld('mine'), inWorld('theirs')];
    for (const client of [mine, theirs]) await client.dial('+12125550199');
    const call = await mine.call('+12125550101');
    const callerId = (await mine.post('/v1/caller-ids', { phone_number: '+12125550160' })).body.data.caller_id_id;
    const body = { webhook_url: `${receiver.url}/mine`, event_type: 'call_busy' };
    const subscription = (await mine.post('/api/v1/webhook_subscriptions', body)).body.id;
    const key = (await mine.post('/_sandbox/keys', {})).body.data;
    const child = (await mine.post('/v1/sub-entities', { name: 'Mine Alone' })).body.data.id;
    const contact = (await mine.post('/_sandbox/simulate/new-contact', {})).body.data.id;
    const number = (await mine.post('/v1/phone-numbers', { area_code: '212' })).body.data;
    const message = (await mine.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' })).body.data.id;
    const source = 'kind: call\nsummary: Mine alone.\nextends: busy\n';
    const put = await mine.put('/_sandbox/scenarios/mine-alone', source, { 'Content-Type': 'application/yaml' });
    expect(put.status, put.text).toBeLessThan(300);
    await sandbox.world('mine').clock.untilIdle();
    const request = (await sandbox.world('mine').requests())[0]?.id;
    const delivery = (await sandbox.world('mine').deliveries())[0]?.id;

    const requests: ['get' | 'post' | 'put' | 'delete', string, object?][] = [
      ['get', `/v1/calls/${call}`],
      ['post', `/v1/calls/${call}/hangup`],
      ['get', `/v1/calls/${call}/transcript`],
      ['post', `/v1/caller-ids/${callerId}/verify`, { verification_code: '000000' }],
      ['delete', `/v1/caller-ids/${callerId}`],
      ['get', `/_sandbox/caller-ids/${callerId}/verification-code`],
      ['get', `/v1/contacts/${contact}`],
      ['get', `/v1/phone-numbers/${number.id}`],
      ['put', `/v1/phone-numbers/${number.id}/cnam`, { cnam_display_name: 'STOLEN' }],
      ['delete', `/v1/phone-numbers/${number.id}`],
      ['get', `/v1/sms/${message}`],
      ['post', '/_sandbox/simulate/inbound-sms', { in_reply_to: message }],
      ['post', '/_sandbox/simulate/inbound-sms', { to_number: number.phone_number }],
      ['get', `/v1/sub-entities/${child}`],
      ['post', '/_sandbox/keys', { organization_id: child }],
      ['post', '/_sandbox/simulate/new-contact', { organization_id: child }],
      ['post', '/_sandbox/simulate/new-appointment', { contact_id: contact }],
      ['delete', `/api/v1/webhook_subscriptions/${subscription}`],
      ['get', `/_sandbox/webhook-subscriptions/${subscription}`],
      ['put', `/_sandbox/webhook-subscriptions/${subscription}`, { signing_secret: 'stolen' }],
      ['delete', `/_sandbox/keys/${key.id}`],
      ['get', '/_sandbox/scenarios/mine-alone'],
      ['get', `/_sandbox/requests/${request}`],
      ['get', `/_sandbox/deliveries/${delivery}`],
      ['post', `/_sandbox/deliveries/${delivery}/redeliver`],
    ];
    for (const [method, path, sent] of requests) {
      const answer =
        method === 'get' || method === 'delete' ? await theirs[method](path) : await theirs[method](path, sent);
      expectError(answer, 404, 'not_found');
    }
    const scenario = await theirs.dial('+12125550100', { 'X-Sandbox-Scenario': 'mine-alone' });
    expectError(scenario, 400, 'validation_error');

    expect((await mine.readCall(call)).status).toBe('BUSY');
    expect((await withKey(key.api_key).get('/v1/me')).status).toBe(200);
    expect((await dataOf(mine, `/_sandbox/webhook-subscriptions/${subscription}`)).signing_secret).toBe(
      'sandbox_signing_secret',
    );
  });

  it('is 404 for every record of a second tenant, in both directions', async () => {
    for (const [user, of] of [
      [client, withKey('svc_sandbox_other')],
      [withKey('svc_sandbox_other'), client],
    ] as const) {
      for (const { id } of await dataOf(of, '/v1/calls'))
        expectError(await user.get(`/v1/calls/${id}`), 404, 'not_found');
      for (const { id } of await dataOf(of, '/v1/agents')) {
        expectError(await user.get(`/v1/agents/${id}`), 404, 'not_found');
        expectError(await user.patch(`/v1/agents/${id}`, { enabled: false }), 404, 'not_found');
      }
      for (const { caller_id_id } of await dataOf(of, '/v1/caller-ids')) {
        expectError(await user.delete(`/v1/caller-ids/${caller_id_id}`), 404, 'not_found');
      }
    }
  });
});

describe('isolation', () => {
  it('a world behaves the same alone and beside another, in responses, lists, journals and deliveries', async () => {
    await fc.assert(
      fc.asyncProperty(programs(['ash', 'birch'], 30), async (program) => {
        const together = await createSandbox({ clock: 'manual', rateLimit: 'off' });
        const both = await run(together, program, receiver);
        try {
          for (const world of ['ash', 'birch']) {
            const alone = await createSandbox({ clock: 'manual', rateLimit: 'off' });
            const ownActions = program.filter((planned) => planned.world === world);
            const { seen, delivered } = await run(alone, ownActions, receiver);
            await alone.close();
            expect(both.seen[world]).toEqual(seen[world]);
            const own = Object.entries(both.delivered).filter(([path]) => path.startsWith(`/${world}/`));
            expect(Object.fromEntries(own)).toEqual(delivered);
          }
          for (const { world, calls, callerIds } of both.known) {
            const client = inWorld(world === 'ash' ? 'birch' : 'ash', together);
            for (const id of calls) expectError(await client.get(`/v1/calls/${id}`), 404, 'not_found');
            for (const id of callerIds) expectError(await client.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
          }
          const untouched = clientOf(together.url);
          expect((await untouched.get('/v1/calls')).body.meta.total_results).toBe(7);
          expect(await together.events()).toEqual([]);
          expect((await together.requests()).map(({ path }) => path)).toEqual(['/v1/calls']);
        } finally {
          await together.close();
        }
      }),
      { numRuns: runs(1, 12) },
    );
  });

  it('a wait ignores the events of other worlds', async () => {
    const [waiter, other] = [inWorld('waits'), inWorld('busy-elsewhere')];
    const waiting = waiter.get('/_sandbox/wait?event_type=call_busy&timeout=10s');
    const elsewhere = await other.call('+12125550101');
    await sandbox.world('busy-elsewhere').clock.untilIdle();
    const own = await waiter.call('+12125550101');
    await sandbox.world('waits').clock.untilIdle();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.body.data.payload.id).toBe(own);
    expect(own).not.toBe(elsewhere);
  });

  it('each world has its own clock', async () => {
    const [early, late] = [inWorld('early'), inWorld('late')];
    const [before, after] = [await early.call('+12125550101'), await late.call('+12125550101')];
    await sandbox.world('late').clock.advance('1d');
    expect((await early.readCall(before)).status).toBe('QUEUED');
    expect((await late.readCall(after)).status).toBe('BUSY');
    expect(await sandbox.world('early').clock.now()).toBe(START);
    expect(await sandbox.world('late').clock.now()).toBe('2026-01-06T15:00:00.000Z');
  });
});
