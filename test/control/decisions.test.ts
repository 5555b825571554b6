// Calls whose outcome a scenario leaves to a person: docs/scenarios.md "Hand the outcome to a person".
import { describe, expect, it } from 'vitest';
import { useFreshSandbox } from '../support/sandbox.ts';

describe('a call that rings on the screen', () => {
  const { client, sandbox } = useFreshSandbox({ clock: 'manual' });
  const dial = async (scenario = 'rings_on_screen') => {
    await client.put('/_sandbox/active-scenarios/call', { use: scenario });
    return client.call('+12125550199');
  };
  const decide = (id: string, choose: string) => client.post(`/_sandbox/calls/${id}/decision`, { choose });
  const choicesOf = async (id: string) => (await client.get(`/_sandbox/calls/${id}`)).body.data.choices;

  it('can be answered while it rings, and is talked on until somebody hangs up', async () => {
    const id = await dial();
    expect(await choicesOf(id)).toEqual([]);
    await sandbox.clock.advance('10s');
    expect(await choicesOf(id)).toEqual(['answer', 'decline']);
    const answered = await decide(id, 'answer');
    expect([answered.status, answered.body.data.call.status]).toEqual([200, 'IN_PROGRESS']);
    expect(answered.body.data.choices).toEqual(['hang_up']);
    await sandbox.clock.advance('1m');
    expect((await client.readCall(id)).status).toBe('IN_PROGRESS');
    expect((await decide(id, 'hang_up')).body.data.call).toMatchObject({ status: 'COMPLETED', duration_seconds: 60 });
  });

  it('ends by itself when nobody decides, and after the talk when nobody hangs up', async () => {
    const left = await dial();
    await sandbox.clock.advance('30500ms');
    expect((await client.readCall(left)).status).toBe('NO_ANSWER');
    const id = await dial('rings_on_screen;talk=20s');
    await sandbox.clock.advance('1s');
    await decide(id, 'answer');
    await sandbox.clock.advance('20s');
    expect(await client.readCall(id)).toMatchObject({ status: 'COMPLETED', duration_seconds: 20 });
  });

  it('can be declined, which is told like any decline and leaves nothing scheduled', async () => {
    const id = await dial();
    await sandbox.clock.advance('1s');
    expect((await decide(id, 'decline')).body.data.call).toMatchObject({
      status: 'FAILED',
      failure_code: 'call_declined',
    });
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
    const events = (await client.get('/_sandbox/events')).body.data;
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toContain('call_failed');
  });

  it('cannot be decided in another status, with another word, or where the scenario decides', async () => {
    const id = await dial();
    const early = await decide(id, 'answer');
    expect([early.status, early.body.error.code]).toEqual([409, 'conflict']);
    expect(early.body.error.message).toContain('QUEUED, which does not allow answer');
    expect((await decide(id, 'anwser')).body.error.fields.choose).toMatch(
      /answer, decline, hang_up; did you mean answer/,
    );
    const other = await dial('busy');
    expect((await decide(other, 'answer')).body.error.fields.choose).toContain('it has none');
    expect((await decide('none', 'answer')).status).toBe(404);
    expect((await client.post(`/_sandbox/calls/${id}/decision`, {})).status).toBe(400);
  });

  it('is decided once when two people decide at the same time', async () => {
    const id = await dial();
    await sandbox.clock.advance('1s');
    const both = await Promise.all([decide(id, 'answer'), decide(id, 'decline')]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
  });

  it('has its scenario checked like the rest of a file', async () => {
    const check = async (choices: unknown, kind = 'call') => {
      const timeline = kind === 'call' ? [{ after: '1s', trigger: 'ring' }] : [{ after: '1s', trigger: 'send' }];
      const body = { kind, summary: 'One.', timeline, choices };
      const { faults } = (await client.post('/_sandbox/scenarios/own/check', body)).body.data;
      return faults.map(({ field, reason }: { field: string; reason: string }) => `${field}: ${reason}`);
    };
    expect(await check({ take: [{ after: '$talk', trigger: 'answer' }] })).toEqual([
      'choices.take.0.after: $talk is not a parameter; the scenario has none',
    ]);
    expect(await check({ take: [{ after: '0s', trigger: 'anwser' }] })).toEqual([
      expect.stringContaining('choices.take.0.trigger: "anwser" is not a trigger of call'),
    ]);
    expect(await check({ take: [] })).toEqual(['choices.take: must have a step']);
    expect(await check({ take: [{ after: '0s', trigger: 'fail' }] }, 'sms')).toEqual([
      'choices: is for scenarios of the kind call alone, not sms',
    ]);
    const late = {
      take: [
        { after: '0s', trigger: 'answer' },
        { after: '1s', trigger: 'ring' },
      ],
    };
    expect(await check(late)).toEqual([expect.stringContaining('ring is not possible in the status IN_PROGRESS')]);
  });
});
