// A call that is polled: `spec.md` "Call" under "States and transitions", each state at its instant.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { instant } from '../support/world.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

describe('polling a call', () => {
  const unanswered = { duration_seconds: 0, has_recording: false, recording_url: null, has_transcript: false };
  const unreachable = (failure_code: string, call_outcome: string): object => ({
    ...unanswered,
    call_outcome,
    failure_code,
    failure_category: 'unreachable',
  });
  const talked = (duration_seconds: number): object => ({
    call_outcome: 'answered',
    failure_code: null,
    failure_category: null,
    duration_seconds,
    has_recording: true,
    recording_url: expect.stringMatching(/^http:.*\.wav$/),
    has_transcript: true,
  });

  const lifecycles: { plays: string; states: [number, string][]; end: object }[] = [
    {
      plays: 'answered;ring=3s;talk=10s',
      states: [
        [500, 'RINGING'],
        [3500, 'IN_PROGRESS'],
        [13_500, 'COMPLETED'],
      ],
      end: talked(10),
    },
    { plays: 'busy;ring=2s', states: [[2000, 'BUSY']], end: unreachable('busy', 'busy') },
    {
      plays: 'no_answer',
      states: [
        [500, 'RINGING'],
        [30_000, 'NO_ANSWER'],
      ],
      end: unreachable('no_answer', 'no_answer'),
    },
    {
      plays: 'voicemail;ring=15s;detection=3s',
      states: [
        [500, 'RINGING'],
        [15_500, 'IN_PROGRESS'],
        [18_500, 'VOICEMAIL'],
      ],
      end: {
        call_outcome: 'voicemail',
        failure_code: 'voicemail_reached',
        failure_category: 'voicemail',
        duration_seconds: 3,
      },
    },
    {
      plays: 'call_declined;ring=5s',
      states: [
        [500, 'RINGING'],
        [5500, 'FAILED'],
      ],
      end: unreachable('call_declined', 'failed'),
    },
    {
      plays: 'number_unreachable;ring=1s',
      states: [[1000, 'FAILED']],
      end: unreachable('number_unreachable', 'failed'),
    },
    { plays: 'carrier_rejected;ring=1s', states: [[1000, 'FAILED']], end: unreachable('carrier_rejected', 'failed') },
    {
      plays: 'slow_answer;ring=24s;talk=9s',
      states: [
        [500, 'RINGING'],
        [24_500, 'IN_PROGRESS'],
        [33_500, 'COMPLETED'],
      ],
      end: talked(9),
    },
    {
      plays: 'long_call;ring=2s;talk=45m',
      states: [
        [500, 'RINGING'],
        [2500, 'IN_PROGRESS'],
        [2_702_500, 'COMPLETED'],
      ],
      end: talked(2700),
    },
    {
      plays: 'dropped_call;ring=2s;talk=4500ms',
      states: [
        [500, 'RINGING'],
        [2500, 'IN_PROGRESS'],
        [7000, 'COMPLETED'],
      ],
      end: talked(4),
    },
  ];

  const notEnded = {
    ended_at: null,
    duration_seconds: null,
    has_recording: false,
    recording_url: null,
    has_transcript: false,
    failure_code: null,
    failure_category: null,
    call_outcome: null,
    disconnection_reason: null,
  };

  it.each(lifecycles)('$plays reaches each state at its instant, and does not change after its end', async (life) => {
    await sandbox.clock.advance('7s');
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': life.plays });
    let now = 0;
    let status = 'QUEUED';
    for (const [at, next] of life.states) {
      await sandbox.clock.advance(`${at - now - 1}ms`);
      expect(await client.readCall(id)).toMatchObject({ status, started_at: instant(7000), ...notEnded });
      await sandbox.clock.advance('1ms');
      expect((await client.readCall(id)).status).toBe(next);
      now = at;
      status = next;
    }
    const ended = await client.readCall(id);
    expect(ended).toMatchObject({ ...life.end, status, started_at: instant(7000), ended_at: instant(7000 + now) });
    expect(ended.disconnection_reason).toMatch(/./);
    await sandbox.clock.advance('3d');
    expect(await client.readCall(id)).toEqual(ended);
  });

  it.each([
    ['a word', 'nope'],
    ['a UUID', '00000000-0000-4000-8000-000000000000'],
    ['the id of a number', '4190'],
    ['a control character', '%00'],
    ['something long', 'a'.repeat(500)],
  ])('an unknown id is 404 whatever its format: %s', async (_, id) => {
    expectError(await client.get(`/v1/calls/${id}`), 404, 'not_found');
    expectError(await client.post(`/v1/calls/${id}/hangup`), 404, 'not_found');
    expectError(await client.get(`/v1/calls/${id}/transcript`), 404, 'not_found');
  });
});
