// POST /v1/calls/{id}/hangup: row hangup_status of `interface.md` section 9.
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { restOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

async function eventsAbout(id: string): Promise<{ type: string; status: string }[]> {
  const events = (await sandbox.events()).filter(({ subject }) => subject?.id === id);
  return events.map(({ event_type, payload }) => ({
    type: event_type,
    status: (payload as { status: string }).status,
  }));
}

describe('hanging up', () => {
  const hangup = (id: string): Promise<Answer> => client.post(`/v1/calls/${id}/hangup`);
  const long = { 'X-Sandbox-Scenario': 'answered;ring=3s;talk=10s' };

  const early = [
    { when: 'QUEUED', after: '0s', status: 'CANCELED', call_outcome: 'canceled', duration_seconds: 0, content: false },
    { when: 'RINGING', after: '2s', status: 'CANCELED', call_outcome: 'canceled', duration_seconds: 0, content: false },
    {
      when: 'IN_PROGRESS',
      after: '8s',
      status: 'COMPLETED',
      call_outcome: 'answered',
      duration_seconds: 4,
      content: true,
    },
  ];

  it.each(early)(
    'a call that is $when leaves it $status, with no disposition event and no later states',
    async (row) => {
      const { when, after, status, call_outcome, duration_seconds, content } = row;
      const id = await client.call('+12125550100', long);
      await sandbox.clock.advance(after);
      const before = await client.readCall(id);
      expect(before.status).toBe(when);

      const answer = await hangup(id);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ data: { call_id: id, status } });
      const ended = await client.readCall(id);
      expect(ended).toMatchObject({
        status,
        call_outcome,
        duration_seconds,
        ended_at: await sandbox.clock.now(),
        failure_code: null,
        failure_category: null,
        has_recording: content,
        has_transcript: content,
      });
      expect(await eventsAbout(id)).toEqual([
        { type: 'new_call', status: 'QUEUED' },
        { type: 'call_completed', status },
        { type: 'phone_call.ended', status },
      ]);

      expect(await restOf(client)).toEqual({ steps: 0, deliveries: 0 });
      await sandbox.clock.advance('1h');
      expect((await hangup(id)).body).toEqual(answer.body);
      expect(await client.readCall(id)).toEqual(ended);
      expect(await eventsAbout(id)).toHaveLength(3);
    },
  );

  it.each([
    ['answered', 'COMPLETED', 3],
    ['dropped_call', 'COMPLETED', 3],
    ['busy', 'BUSY', 4],
    ['no_answer', 'NO_ANSWER', 4],
    ['voicemail', 'VOICEMAIL', 4],
    ['call_declined', 'FAILED', 4],
    ['number_unreachable', 'FAILED', 4],
    ['carrier_rejected', 'FAILED', 4],
  ])('succeeds after a call that ended as %s, and changes nothing', async (scenario, status, events) => {
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': scenario });
    await sandbox.clock.untilIdle();
    const ended = await client.readCall(id);
    await sandbox.clock.advance('1m');
    const answer = await hangup(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { call_id: id, status } });
    expect(await client.readCall(id)).toEqual(ended);
    expect(await eventsAbout(id)).toHaveLength(events);
  });

  it('sees the state of its own instant: at the end of a call, it has ended', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'busy;ring=2s' });
    await sandbox.clock.advance('2s');
    expect((await hangup(id)).body.data.status).toBe('BUSY');
  });

  it('ignores a body', async () => {
    const id = await client.call('+12125550100', long);
    const answer = await client.post(`/v1/calls/${id}/hangup`, { status: 'BUSY' });
    expect(answer.body).toEqual({ data: { call_id: id, status: 'CANCELED' } });
  });

  it('does not affect other calls', async () => {
    const other = await client.call('+12125550100', long);
    await hangup(await client.call('+12125550100', long));
    await sandbox.clock.advance('4s');
    expect((await client.readCall(other)).status).toBe('IN_PROGRESS');
  });
});
