// Timelines (`interface.md` section 5): what led to a record and what followed, as one chain, and why it went that way.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError, FROM, NOWHERE, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf, childOrganization, START } from '../support/world.ts';
import { recordCauses } from '../webhooks/event-causes.ts';

const { sandbox, client: defaultClient } = useSandbox({ clock: 'manual', rateLimit: false });
const newReceiver = useReceivers();

type Json = Answer['body'];

async function timelineOf(client: Client, id: string): Promise<Json> {
  const answer = await client.get(`/_sandbox/timeline?subject_id=${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Each entry in a few words. */
const outlineOf = ({ entries }: Json): unknown[] =>
  entries.map(({ kind, offset_ms, request, step, event, delivery }: Json) => [
    kind,
    offset_ms,
    request?.status ?? (step ? `${step.from} ${step.to}` : (event?.event_type ?? delivery.status)),
  ]);

/** Every entry but the first ones names an entry of the timeline as its cause. */
function expectOneChain({ entries }: Json, roots: number): void {
  const ids = entries.map(({ id }: Json) => id);
  expect(entries.filter(({ cause }: Json) => !ids.includes(cause)).length, JSON.stringify(entries)).toBe(roots);
  for (const [index, { cause }] of entries.entries()) expect(ids.indexOf(cause)).toBeLessThan(index);
}

describe('the timeline of a call', () => {
  it('is one chain of request, steps, events and deliveries, with offsets from the request', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, 'new_call', 'call_busy');
    await world.clock.advance('1h');
    const id = await client.call('+12125550101', playing('busy;ring=2s'));
    await client.call('+12125550100');
    await world.clock.untilIdle();
    const answer = await client.get(`/_sandbox/calls/${id}/timeline`);
    const timeline = answer.body.data;
    expect(timeline).toEqual(await timelineOf(client, id));
    expect(timeline).toMatchObject({
      subject: { table: 'calls', id },
      status: 'BUSY',
      began_at: new Date(Date.parse(START) + 3_600_000).toISOString(),
      choice: {
        winner: {
          name: 'busy',
          source: 'header',
          parameters: { ring: '2s' },
          reason: 'the X-Sandbox-Scenario header of the request names it',
        },
        losers: [
          { source: 'number', name: 'busy', reason: 'the X-Sandbox-Scenario header of the request ranks higher' },
          { source: 'default', name: 'answered', reason: 'the X-Sandbox-Scenario header of the request ranks higher' },
        ],
      },
    });
    expect(outlineOf(timeline)).toEqual([
      ['request', 0, 202],
      ['step', 0, 'null QUEUED'],
      ['event', 0, 'new_call'],
      ['delivery', 0, 'delivered'],
      ['step', 2000, 'QUEUED BUSY'],
      ['event', 2000, 'call_completed'],
      ['event', 2000, 'call_busy'],
      ['delivery', 2000, 'delivered'],
      ['event', 2000, 'phone_call.ended'],
    ]);
    expectOneChain(timeline, 1);
    const [request, , , delivery] = timeline.entries;
    expect(request.request.control_headers).toEqual({ 'x-sandbox-scenario': 'busy;ring=2s' });
    expect(delivery.delivery.attempts).toMatchObject([{ number: 1, status: 200, offset_ms: 0, error_class: null }]);
  });

  it('has every request that names it and is no read', async () => {
    const { client, world } = freshWorld(sandbox);
    const id = await client.call('+12125550100');
    await client.readCall(id);
    await client.post(`/v1/calls/${id}/hangup`);
    await world.clock.advance('5s');
    await client.post(`/v1/calls/${id}/hangup`);
    const requests = (await timelineOf(client, id)).entries.filter(({ kind }: Json) => kind === 'request');
    expect(requests.map(({ offset_ms, request }: Json) => [offset_ms, request.path, request.error_code])).toEqual([
      [0, '/v1/calls/dial', null],
      [0, `/v1/calls/${id}/hangup`, null],
      [5000, `/v1/calls/${id}/hangup`, null],
    ]);
  });

  it('of a job leads from the request of the job to the call, with the choice that the job made', async () => {
    const { client, world } = freshWorld(sandbox);
    await client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    const [agent] = (await client.get('/v1/agents')).body.data;
    const numbers = ['+12125550102', '+12125550147', '+12125550148'];
    const body = {
      agent_id: agent.id,
      from_number: FROM,
      concurrency: 1,
      to_numbers: numbers,
    };
    const job = await client.post('/v1/jobs', body);
    expect(job.status, job.text).toBe(201);
    await world.clock.untilIdle();
    const calls = (await client.get('/v1/calls?page_size=100')).body.data.filter(
      ({ started_at }: Json) => started_at >= START,
    );
    const first = calls.find(({ to_number }: Json) => to_number === numbers[0]);
    const last = calls.find(({ to_number }: Json) => to_number === numbers[2]);
    const timeline = await timelineOf(client, first.id);
    expect(timeline.entries[0].request).toMatchObject({ operation: 'createJob', status: 201 });
    expectOneChain(timeline, 1);
    expect(timeline.choice).toMatchObject({
      winner: { name: 'busy', source: 'active' },
      losers: [{ name: 'no_answer', source: 'number' }, { source: 'default' }],
    });
    // What freed the line for it, but not how that call came to be.
    const tables = (await timelineOf(client, last.id)).entries.map(({ subject }: Json) => subject?.table);
    expect(tables.filter((table: string) => table === 'calls').length).toBeLessThan(12);
    const ofJob = await timelineOf(client, job.body.data.id);
    const placed = ofJob.entries.filter(({ step, subject }: Json) => step?.from === null && subject.table === 'calls');
    expect(placed.map(({ subject }: Json) => subject.id).sort()).toEqual(calls.map(({ id }: Json) => id).sort());
  });

  it('shows what faults did, and what became of a failed delivery', async () => {
    const { client, world } = freshWorld(sandbox);
    const { id: fault } = (await client.put('/_sandbox/faults', { operation: 'dialCall', drift: ['extra_fields'] }))
      .body.data;
    await subscribe(client, 'http://127.0.0.1:1/', 'call_busy');
    const id = await client.call('+12125550101');
    await world.clock.untilIdle();
    const { entries } = await timelineOf(client, id);
    expect(entries[0].request.faults).toEqual([{ id: fault, effect: 'drift=extra_fields;when=after' }]);
    const [{ delivery }] = entries.filter(({ kind }: Json) => kind === 'delivery');
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{ error_class: 'connect_refused', status: null }] });
  });

  it('shows what a delivery plan did to an attempt, and why an attempt was made', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length === 1 ? 500 : 200).end();
    await client.put('/_sandbox/webhook-plan', { delay: '3s', retries: ['10s'] });
    await subscribe(client, receiver.url, 'call_busy');
    const id = await client.call('+12125550147', playing('busy;ring=2s'));
    await world.clock.untilIdle();
    const { entries } = await timelineOf(client, id);
    const [{ delivery }] = entries.filter(({ kind }: Json) => kind === 'delivery');
    expect(delivery.attempts).toMatchObject([
      { reason: 'event', plan: ['delay=3s'], offset_ms: 5000, status: 500 },
      { reason: 'retry', offset_ms: 15_000, status: 200 },
    ]);
    const { text } = await client.get(`/_sandbox/calls/${id}/timeline?format=text`);
    expect(text).toMatch(/^ *\+5\.000s {2}attempt +attempt 1: 500 in \d+ ms, plan delay=3s: /m);
    expect(text).toMatch(/^ *\+15\.000s {2}attempt +attempt 2: 200 in \d+ ms, retry/m);
  });

  it('of a fixture, which was there before, is empty', async () => {
    const { client } = freshWorld(sandbox);
    const [call] = (await client.get('/v1/calls')).body.data;
    expect(await timelineOf(client, call.id)).toMatchObject({
      status: call.status,
      began_at: null,
      choice: null,
      entries: [],
    });
  });

  it('is 404 for an id that is no call, and on another world', async () => {
    const { client } = freshWorld(sandbox);
    const id = await client.call('+12125550101');
    const [agent] = (await client.get('/v1/agents')).body.data;
    for (const other of [NOWHERE, agent.id, 'nobody']) {
      expectError(await client.get(`/_sandbox/calls/${other}/timeline`), 404, 'not_found');
    }
    expectError(await defaultClient.get(`/_sandbox/calls/${id}/timeline`), 404, 'not_found');
    expectError(await defaultClient.get(`/_sandbox/timeline?subject_id=${id}`), 404, 'not_found');
    expect((await client.get(`/_sandbox/calls/${id.toUpperCase()}/timeline`)).status).toBe(200);
  });
});

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
      { source: 'active', name: 'mine', reason: 'there is no scenario of that name any more' },
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
