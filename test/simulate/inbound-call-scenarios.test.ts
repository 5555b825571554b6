// The scenario that a simulated inbound call plays: body, control header, and what does not apply to it.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { simulations } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });
const { created, turnsOf } = simulations(client);

describe('the scenario of an inbound call', () => {
  it.each([
    ['no_answer', 'NO_ANSWER', 'call_no_answer'],
    ['busy', 'BUSY', 'call_busy'],
    ['call_declined', 'FAILED', 'call_failed'],
  ])('can end with another outcome: %s', async (scenario, status, event) => {
    const { id } = await created('inbound-call', { scenario });
    await sandbox.clock.untilIdle();
    expect((await client.readCall(id)).status).toBe(status);
    expect((await sandbox.events()).map(({ event_type }) => event_type)).toContain(event);
  });

  it('plays the scenario of the control header if the body names none', async () => {
    const header = { 'X-Sandbox-Scenario': 'no_answer;ring=5s' };
    const statusOf = async (body: object): Promise<string> => {
      const answer = await client.post('/_sandbox/simulate/inbound-call', body, header);
      expect(answer.status, answer.text).toBe(201);
      await sandbox.clock.advance('4999ms');
      const { status: early } = await client.readCall(answer.body.data.id);
      await sandbox.clock.untilIdle();
      return `${early}, ${(await client.readCall(answer.body.data.id)).status}`;
    };
    expect(await statusOf({})).toBe('RINGING, NO_ANSWER');
    expect(await statusOf({ scenario: 'busy;ring=1s' })).toBe('BUSY, BUSY');
  });

  it.each(['voicemial', 'dnc_suppressed', 'verification_call', 'sms_failed', 'busy;rign=1s', 'busy;ring=soon', 'a b'])(
    'refuses the control header %s, and names it',
    async (use) => {
      const header = { 'X-Sandbox-Scenario': use };
      const answer = await client.post('/_sandbox/simulate/inbound-call', {}, header);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
      expect((await client.get('/v1/calls')).body.meta.total_results).toBe(7);
    },
  );

  it('is the only request of the control API that control headers affect', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy', 'X-Sandbox-Error': 'rate_limited', 'X-Sandbox-Fault': 'reset' };
    for (const what of ['inbound-sms', 'new-contact', 'new-appointment']) {
      expect((await client.post(`/_sandbox/simulate/${what}`, {}, headers)).status).toBe(201);
    }
    expect((await client.get('/_sandbox/clock', headers)).status).toBe(200);
    expect((await client.post('/_sandbox/simulate/new-contact', {}, { 'X-Sandbox-Eror': 'busy' })).status).toBe(400);
  });

  it('plays neither active scenarios nor magic numbers, which are for outbound calls', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy'] });
    const { id } = await created('inbound-call', { from_number: '+14155550101' });
    await sandbox.clock.untilIdle();
    expect((await client.readCall(id)).status).toBe('COMPLETED');
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(['busy']);
  });

  it('plays the scenario of its world that replaces the bundled one', async () => {
    const source = 'kind: call\nsummary: Short.\nextends: answered\ntranscript:\n  - { role: agent, text: "Bye." }\n';
    const put = await client.put('/_sandbox/scenarios/inbound_answered', source, {
      'Content-Type': 'application/yaml',
    });
    expect(put.status, put.text).toBeLessThan(300);
    const { id } = await created('inbound-call');
    await sandbox.clock.untilIdle();
    expect(await turnsOf(id)).toEqual(['agent: Bye.']);
    expect((await client.delete('/_sandbox/scenarios/inbound_answered')).status).toBe(204);
  });
});
