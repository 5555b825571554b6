// The calls of the `default` fixture, and those of its sub-entity, which the parent cannot see.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, expectError, FROM } from '../support/client.ts';
import { startReceiver } from '../support/receiver.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf, pagesOf, START } from '../support/world.ts';
import { idsOf, listed, transcriptOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

describe('the calls of the fixture', () => {
  it('have ended with every outcome, with and without recording and transcript', async () => {
    const { data } = await listed(client);
    const calls = await Promise.all(idsOf({ data }).map((id) => client.readCall(id)));
    const rows = calls.map((call) => [
      call.to_number.slice(-3),
      call.status,
      call.call_outcome,
      call.failure_code,
      call.failure_category,
      call.duration_seconds,
      call.has_recording,
      call.has_transcript,
    ]);
    expect(rows).toEqual([
      ['176', 'COMPLETED', 'answered', null, null, 62, true, true],
      ['175', 'FAILED', 'failed', 'call_declined', 'unreachable', 0, false, false],
      ['174', 'BUSY', 'busy', 'busy', 'unreachable', 0, false, false],
      ['173', 'COMPLETED', 'answered', null, null, 41, false, false],
      ['172', 'VOICEMAIL', 'voicemail', 'voicemail_reached', 'voicemail', 4, false, false],
      ['171', 'NO_ANSWER', 'no_answer', 'no_answer', 'unreachable', 0, false, false],
      ['170', 'COMPLETED', 'answered', null, null, 95, true, true],
    ]);
    for (const { started_at, ended_at } of calls) {
      expect(Date.parse(started_at)).toBeLessThan(Date.parse(ended_at));
      expect(Date.parse(ended_at)).toBeLessThan(Date.parse(START));
    }
  });

  it('have recordings and transcripts like calls that were placed', async () => {
    const { data } = await listed(client);
    const [call] = data;
    expect((await fetch(call.recording_url)).status).toBe(200);
    const { structured_transcript: turns } = (await transcriptOf(client, call.id)).body.data;
    expect(turns.length).toBeGreaterThan(1);
    for (const { timestamp } of turns) {
      expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(call.started_at));
      expect(Date.parse(timestamp)).toBeLessThan(Date.parse(call.ended_at));
    }
  });

  it('emit no event and have no pending task', async () => {
    expect(await sandbox.events()).toEqual([]);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });
});

describe('the calls of a sub-entity', () => {
  let child: Client;
  beforeEach(async () => {
    child = await childOf(sandbox.url, client);
  });

  const childDial = (from_number: string): Promise<Answer> =>
    child.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });

  it('are placed from its own numbers only', async () => {
    const placed = await childDial('+14155550194');
    expect(placed.status).toBe(202);
    expect((await child.readCall(placed.body.call_id)).phone_number_id).toBe('4194');
    const refused = await childDial(FROM);
    expectError(refused, 422, 'call_id_not_verified');
    expect(refused.body.error.resolution_hint.match(/\+\d+/g)).toEqual(['+14155550194']);
  });

  it('are invisible to the parent, and those of the parent to it', async () => {
    const own = (await childDial('+14155550194')).body.call_id;
    const above = await client.call('+12125550100');
    await sandbox.clock.untilIdle();
    const [childs, parents] = [await listed(child), await listed(client)];
    expect(childs.meta.total_results).toBe(2);
    expect(parents.meta.total_results).toBe(8);
    expect(idsOf(childs)[0]).toBe(own);
    expect(idsOf(parents)[0]).toBe(above);
    expect(idsOf(parents).filter((id) => idsOf(childs).includes(id))).toEqual([]);

    for (const [by, ids] of [
      [client, idsOf(childs)],
      [child, idsOf(parents)],
    ] as const) {
      for (const id of ids) {
        expectError(await by.get(`/v1/calls/${id}`), 404, 'not_found');
        expectError(await by.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
        expectError(await transcriptOf(by, id), 404, 'not_found');
      }
    }
    expect(idsOf({ data: (await pagesOf(child, '/v1/calls', 1)).flatMap(({ data }) => data) })).toEqual(idsOf(childs));
  });

  it('cannot be hung up by the parent, nor those of the parent by it', async () => {
    const own = (await childDial('+14155550194')).body.call_id;
    const above = await client.call('+12125550100');
    await client.post(`/v1/calls/${own}/hangup`);
    await child.post(`/v1/calls/${above}/hangup`);
    expect((await child.readCall(own)).status).toBe('QUEUED');
    expect((await client.readCall(above)).status).toBe('QUEUED');
  });

  it('include an ended one of the fixture, with recording and transcript', async () => {
    const { data } = await listed(child);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ status: 'COMPLETED', from_number: '+14155550194', has_recording: true });
    expect((await fetch(data[0].recording_url)).status).toBe(200);
    expect((await transcriptOf(child, data[0].id)).status).toBe(200);
  });

  it("reach only its own subscriptions, and those of the parent only the parent's", async () => {
    const receiver = await startReceiver();
    try {
      for (const [by, path] of [
        [client, 'parent'],
        [child, 'child'],
      ] as const) {
        for (const event_type of ['new_call', 'call_completed', 'phone_call.ended']) {
          const body = { webhook_url: `${receiver.url}/${path}`, event_type };
          expect((await by.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
        }
      }
      const own = (await childDial('+14155550194')).body.call_id;
      const above = await client.call('+12125550100');
      await sandbox.clock.untilIdle();
      const received = (path: string) => receiver.got.filter((each) => each.path === path).map(({ body }) => body.id);
      expect(received('/child')).toEqual([own, own, own]);
      expect(received('/parent')).toEqual([above, above, above]);
    } finally {
      await receiver.close();
    }
  });
});
