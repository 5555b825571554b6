// Timelines (`interface.md` section 5): what led to a record and what followed, as one chain, and why it went that way.
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, FROM, NOWHERE, playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { outlineOf, timelineOf } from './setup.ts';

const { sandbox, client: defaultClient } = useSandbox({ clock: 'manual', rateLimit: false });
const newReceiver = useReceivers();

type Json = Answer['body'];

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

  it('has every request that names it and is not a read', async () => {
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

  it('is 404 for an id that is not that of a call, and on another world', async () => {
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
