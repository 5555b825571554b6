// POST /_sandbox/simulate/inbound-call (`interface.md` section 5): which agent answers, and the limits that it counts to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { instant } from '../support/world.ts';
import { simulations } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual' });
const { created, agents, turnsOf } = simulations(client);

describe('an inbound call', () => {
  it('is answered by the agent of the number called, and emits its events', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'new_call', 'call_completed', 'phone_call.ended', 'call_no_answer');
    const body = { to_number: '+14155550190', from_number: '+14155550177' };
    const call = await created('inbound-call', body, by);
    expect(call).toMatchObject({
      status: 'QUEUED',
      direction: 'inbound',
      from_number: '+14155550177',
      to_number: '+14155550190',
      started_at: instant(0),
      ended_at: null,
      phone_number_id: '4190',
    });
    expect((await by.get('/v1/calls')).body.data[0].id).toBe(call.id);
    await world.clock.advance('5s');
    expect((await by.readCall(call.id)).status).toBe('IN_PROGRESS');
    await world.clock.untilIdle();
    expect(await by.readCall(call.id)).toMatchObject({
      status: 'COMPLETED',
      direction: 'inbound',
      call_outcome: 'answered',
      has_recording: true,
      has_transcript: true,
      failure_code: null,
    });
    expect(receiver.got.map(({ body: { id, direction, status } }) => [id, direction, status])).toEqual([
      [call.id, 'inbound', 'QUEUED'],
      [call.id, 'inbound', 'COMPLETED'],
      [call.id, 'inbound', 'COMPLETED'],
    ]);
    expect((await world.deliveries()).flatMap(({ schema_violations }) => schema_violations)).toEqual([]);
  });

  it('has the words of the agent: its greeting first, and the name of its business', async () => {
    const { id } = await created('inbound-call', { to_number: '+14155550190', scenario: 'inbound_answered;talk=60s' });
    await sandbox.clock.untilIdle();
    const turns = await turnsOf(id);
    expect(turns[0]).toBe('agent: Harbor Street Dental, how can I help you today?');
    expect(turns[1]).toMatch(/^user: .*Harbor Street Dental/);
  });

  it('uses the agent as configured when it came in, whatever changes during or after it', async () => {
    const [{ id: agent }] = await agents();
    const body = { scenario: 'inbound_answered;ring=2s;talk=60s' };
    const first = await created('inbound-call', body);
    await client.patch(`/v1/agents/${agent}`, { greeting: 'Good morning, $& {business_name}!', language: 'de-DE' });
    const second = await created('inbound-call', body);
    await sandbox.clock.untilIdle();
    await client.patch(`/v1/agents/${agent}`, { greeting: 'Too late.' });
    expect((await turnsOf(first.id))[0]).toBe('agent: Harbor Street Dental, how can I help you today?');
    expect((await turnsOf(second.id))[0]).toBe('agent: Good morning, $& {business_name}!');
    const languages = async (id: string): Promise<string> =>
      (await client.get(`/v1/calls/${id}/transcript`)).body.data.structured_transcript[0].language;
    expect([await languages(first.id), await languages(second.id)]).toEqual(['en-US', 'de-DE']);
    const third = await created('inbound-call', body);
    await sandbox.clock.untilIdle();
    expect((await turnsOf(third.id))[0]).toBe('agent: Too late.');
  });

  it('starts with the caller if the agent has no greeting', async () => {
    const [{ id: agent }] = await agents();
    await client.patch(`/v1/agents/${agent}`, { greeting: '' });
    const { id } = await created('inbound-call', { scenario: 'inbound_answered;talk=60s' });
    await sandbox.clock.untilIdle();
    expect((await turnsOf(id))[0]).toBe('user: Hello, is this Harbor Street Dental?');
  });

  it('with {} comes from an example number to the first inbound agent', async () => {
    const call = await created('inbound-call');
    expect(call.to_number).toBe('+14155550190');
    expect(call.from_number).toMatch(/^\+1415555(017\d|018\d)$/);
  });

  it('goes to the number of the requested agent', async () => {
    const [, second] = await agents();
    const call = await created('inbound-call', { agent_id: second?.id, scenario: 'inbound_answered;talk=60s' });
    expect(call.to_number).toBe('+14155550191');
    await sandbox.clock.untilIdle();
    expect((await turnsOf(call.id))[0]).toMatch(/with a reminder about your appointment\.$/);
  });

  it('may be answered by another agent than that of the number', async () => {
    const [, second] = await agents();
    const body = { agent_id: second?.id, to_number: '+14155550190', scenario: 'inbound_answered;talk=60s' };
    const call = await created('inbound-call', body);
    expect(call.to_number).toBe('+14155550190');
    await sandbox.clock.untilIdle();
    expect((await turnsOf(call.id))[0]).toMatch(/with a reminder about your appointment\.$/);
  });

  it('counts against max_calls of the number called, and of no other', async () => {
    const bundled = readFileSync('fixtures/default.yaml', 'utf8');
    const limited = bundled.replaceAll('created: -90d\n    texting', 'created: -90d\n    max_calls: 1\n    texting');
    const file = join(folderOf({ 'busy.yaml': limited }), 'busy.yaml');
    const own = await createSandbox({ clock: 'manual', fixtures: file });
    try {
      const by = clientOf(own.url);
      const to = { to_number: '+14155550190' };
      await created('inbound-call', { ...to, from_number: '+14155550191' }, by);
      // Another number is free.
      expectError(await by.dial('+12125550100'), 429, 'rate_limited');
      const other = { from_number: '+14155550191', to_number: '+12125550100' };
      expect((await by.post('/v1/calls/dial', other)).status).toBe(202);
      await own.clock.untilIdle();
      expect((await by.dial('+12125550100')).status).toBe(202);
    } finally {
      await own.close();
    }
  });

  it('counts as a call in progress', async () => {
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 1 });
    await created('inbound-call');
    expectError(await client.dial('+12125550100'), 429, 'rate_limited');
    await client.put('/_sandbox/assumptions/concurrent_calls', { value: 100 });
    expect((await client.dial('+12125550100')).status).toBe(202);
  });

  it('can be hung up', async () => {
    const { id } = await created('inbound-call');
    await sandbox.clock.advance('5s');
    expect((await client.post(`/v1/calls/${id}/hangup`)).body.data.status).toBe('COMPLETED');
  });

  it('has ended by the next request on an instant clock', async () => {
    const own = await createSandbox({ clock: 'instant' });
    try {
      const by = clientOf(own.url);
      const { id, status } = await created('inbound-call', {}, by);
      expect(status).toBe('QUEUED');
      expect((await by.readCall(id)).status).toBe('COMPLETED');
    } finally {
      await own.close();
    }
  });
});
