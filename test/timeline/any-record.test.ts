// Timelines of any record, and where entries are missing: `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf, childOrganization } from '../support/world.ts';
import { recordCauses } from '../webhooks/event-causes.ts';
import { outlineOf, timelineOf } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false });

type Json = Answer['body'];

describe('the timeline of any record', () => {
  it.each(Object.entries(recordCauses))(
    '%s: has every event about it, in one chain with its cause',
    async (_, { act }) => {
      const { client, world } = freshWorld(sandbox);
      await client.get('/v1/me');
      await act({ url: sandbox.url, client, world });
      await world.clock.untilIdle();
      const { data: events } = (await client.get('/_sandbox/events?page_size=1000')).body;
      expect(events.length).toBeGreaterThan(0);
      for (const { id, subject } of events) {
        const timeline = await timelineOf(client, subject.id);
        const ids = timeline.entries.map((each: Json) => each.id);
        expect(ids).toContain(id);
        for (const { kind, cause, id: entry } of timeline.entries) {
          const isByHand = /^(simulate|emit)[A-Z]/.test(cause ?? '');
          expect(kind === 'request' || isByHand || ids.includes(cause), `${entry} by ${cause}`).toBe(true);
        }
      }
    },
  );

  it('has the request that made a record without a status', async () => {
    const { client } = freshWorld(sandbox);
    const [id = '', other] = await subscribe(client, 'http://127.0.0.1:9/', 'call_busy', 'call_failed');
    const { entries } = await timelineOf(client, id);
    expect(entries.filter(({ kind }: Json) => kind === 'request')).toHaveLength(1);
    expect(other).not.toBe(id);
    expect(entries[0].request).toMatchObject({ method: 'POST', path: '/api/v1/webhook_subscriptions', status: 201 });
  });

  it('has the events of a record that it made, and not what becomes of that record later', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, `${sandbox.url}/_sandbox/inbox/a?world=${world.name}`, 'contact_replied');
    const body = { to_number: '+12125550199', from_number: '+14155550190', body: 'Hi' };
    const sent = await client.post('/v1/sms/send', body, {
      'X-Sandbox-Scenario': 'sms_reply;send=1s;deliver=1s;reply=1s',
    });
    expect(sent.status, sent.text).toBe(202);
    await world.clock.untilIdle();
    const entries = outlineOf(await timelineOf(client, sent.body.data.id));
    expect(entries.slice(-4)).toEqual([
      ['step', 3000, 'delivered delivered'],
      ['step', 3000, 'null received'],
      ['event', 3000, 'contact_replied'],
      ['delivery', 3000, 'delivered'],
    ]);
  });

  it('can be asked for by the id of a request, also of one that was refused', async () => {
    const { client, world } = freshWorld(sandbox);
    const refused = await client.dial('+12125550111');
    const timeline = await timelineOf(client, refused.headers['x-sandbox-request-id'] as string);
    expect(timeline).toMatchObject({
      subject: { table: 'requests' },
      status: '403',
      choice: { winner: { name: 'dnc_suppressed', source: 'number' } },
      entries: [{ kind: 'request', request: { error_code: 'dnc_suppressed' } }],
    });
    const dialed = await client.dial('+12125550101');
    await world.clock.untilIdle();
    const whole = await timelineOf(client, dialed.headers['x-sandbox-request-id'] as string);
    expect(whole.entries).toEqual((await timelineOf(client, dialed.body.call_id)).entries);
    const event = whole.entries.find(({ kind }: Json) => kind === 'event');
    expect((await timelineOf(client, event.id)).subject).toEqual({ table: 'calls', id: dialed.body.call_id });
  });

  it('of an outside event names the control operation and the scenario that it chose', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.post('/_sandbox/simulate/inbound-call', { scenario: 'no_answer' });
    await world.clock.untilIdle();
    const timeline = await timelineOf(client, call.body.data.id);
    expect(timeline.entries[0]).toMatchObject({ kind: 'step', cause: 'simulateInboundCall', step: { from: null } });
    expect(timeline.choice.winner).toMatchObject({ name: 'no_answer', source: 'named' });
  });

  it('is 404 with the key of a sub-entity unless the record is its own', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    const id = await client.call('+12125550101');
    expectError(await child.get(`/_sandbox/timeline?subject_id=${id}`), 404, 'not_found');
    expectError(await child.get(`/_sandbox/calls/${id}/timeline`), 404, 'not_found');
    const { headers } = await client.dial('+12125550101');
    expectError(await child.get(`/_sandbox/timeline?subject_id=${headers['x-sandbox-request-id']}`), 404, 'not_found');
    const dialed = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550101' });
    expect((await timelineOf(child, dialed.body.call_id)).entries.length).toBeGreaterThan(2);
    expect((await timelineOf(client, dialed.body.call_id)).entries.length).toBeGreaterThan(2);
    expect(await childOrganization(client)).not.toBe('');
  });

  it('is 400 without an id, and for a form that there is not', async () => {
    const { client } = freshWorld(sandbox);
    expectError(await client.get('/_sandbox/timeline'), 400, 'validation_error');
    expectError(await client.get(`/_sandbox/timeline?subject_id=${NOWHERE}&format=svg`), 400, 'validation_error');
    expectError(await client.get(`/_sandbox/timeline?subject_id=${NOWHERE}`), 404, 'not_found');
    expectError(await client.get('/_sandbox/timeline?subject_id='), 404, 'not_found');
  });

  it('a wait that times out points to the timeline of the record', async () => {
    const { client } = freshWorld(sandbox);
    const id = await client.call('+12125550101');
    for (const name of ['subject_id', 'call_id']) {
      const answer = await client.get(`/_sandbox/wait?event_type=call_busy&${name}=${id}&timeout=1ms`);
      expectError(answer, 408, 'timeout');
      expect(answer.body.error.resolution_hint).toContain(`/_sandbox/timeline?subject_id=${id}&format=text`);
    }
  });
});

describe('losers', () => {
  it('a scenario that could not be played is among them with the reason', async () => {
    const { client } = freshWorld(sandbox);
    await client.put('/_sandbox/scenarios/mine', { kind: 'call', summary: 'Busy.', extends: 'busy' });
    await client.put('/_sandbox/active-scenarios/call', { use: ['mine', 'no_answer'] });
    await client.delete('/_sandbox/scenarios/mine');
    const first = await timelineOf(client, await client.call('+12125550140'));
    expect(first.choice.winner).toMatchObject({ name: 'no_answer', source: 'active' });
    expect(first.choice.losers).toEqual([
      { source: 'default', name: 'answered', reason: "the world's active scenario ranks higher" },
      { source: 'active', name: 'mine', reason: 'the scenario no longer exists' },
      { source: 'number', name: 'sms_delivered', reason: 'it is a scenario of the kind sms, not call' },
    ]);
  });
});

describe('where entries were dropped', () => {
  const limited = useSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off', journalLimit: 20 });

  it('a timeline that may have lost one is 409 with the number, any other is whole, although the clock stands', async () => {
    const client = clientOf(limited.sandbox.url, 'svc_test_dropped');
    const early = await client.dial('+12125550101');
    for (let n = 0; n < 30; n++) await client.call('+12125550101');
    const late = await client.call('+12125550101');
    const refused = await client.get(`/_sandbox/calls/${early.body.call_id}/timeline`);
    expectError(refused, 409, 'conflict');
    expect(refused.body.error.message).toMatch(/^The journals have dropped 3\d entries/);
    const request = early.headers['x-sandbox-request-id'];
    expectError(await client.get(`/_sandbox/timeline?subject_id=${request}`), 409, 'conflict');
    expect(outlineOf(await timelineOf(client, late))).toEqual([
      ['request', 0, 202],
      ['step', 0, 'null QUEUED'],
      ['event', 0, 'new_call'],
    ]);
  });

  it('a record that was there before the first entry is 409, since any entry may have been about it', async () => {
    const client = clientOf(limited.sandbox.url, 'svc_test_fixture');
    const [call] = (await client.get('/v1/calls')).body.data;
    expect((await client.get(`/_sandbox/calls/${call.id}/timeline`)).status).toBe(200);
    for (let n = 0; n < 25; n++) await client.get('/v1/me');
    expectError(await client.get(`/_sandbox/calls/${call.id}/timeline`), 409, 'conflict');
  });
});
