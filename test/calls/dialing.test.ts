// POST /v1/calls/dial that succeeds (`spec.md` "Calls"): the response and the call, row call_fields of section 9.
import { describe, expect, it } from 'vitest';
import { type Answer, FROM } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { START } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

const dial = (body: object | string): Promise<Answer> => client.post('/v1/calls/dial', body);

describe('dialing', () => {
  it('returns 202 with a call id and QUEUED', async () => {
    const answer = await client.dial('+12125550100');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ call_id: expect.any(String), status: 'QUEUED' });
  });

  it('uses the caller ID that it names, on the call and in its events', async () => {
    for (const [from_number, phone_number_id] of [
      [FROM, '4190'],
      ['+14155550191', '4191'],
    ]) {
      const answer = await dial({ from_number, to_number: '+12125550101' });
      expect(answer.status).toBe(202);
      const id = answer.body.call_id;
      expect(await client.readCall(id)).toMatchObject({ from_number, phone_number_id });
      await sandbox.clock.untilIdle();
      const events = (await sandbox.events()).filter(({ subject }) => subject?.id === id);
      expect(events.map(({ payload }) => (payload as { from_number: string }).from_number)).toEqual(
        Array(4).fill(from_number),
      );
    }
  });

  it('ignores unknown body fields', async () => {
    const answer = await dial({ from_number: FROM, to_number: '+12125550100', campaign: 'spring', status: 'BUSY' });
    expect(answer.status).toBe(202);
    const call = await client.readCall(answer.body.call_id);
    expect(call.status).toBe('QUEUED');
    expect(call).not.toHaveProperty('campaign');
  });

  it('shows the call with every field; those set at its end are null', async () => {
    const id = await client.call('+12125550100');
    expect(await client.readCall(id)).toEqual({
      id,
      status: 'QUEUED',
      direction: 'outbound',
      from_number: FROM,
      to_number: '+12125550100',
      started_at: START,
      ended_at: null,
      duration_seconds: null,
      phone_number_id: '4190',
      has_recording: false,
      recording_url: null,
      has_transcript: false,
      failure_code: null,
      failure_category: null,
      call_outcome: null,
      disconnection_reason: null,
    });
  });
});
