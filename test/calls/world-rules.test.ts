// The calling rules of a world, read and set through the control API (`interface.md` section 5), and how a refusal names
// its rule: in the hint, the journal and `X-Sandbox-Scenario`.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError, FROM } from '../support/client.ts';
import { agentsOf } from '../support/outbound.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off' });

const TO = '+12125550199';
const RULES = '/_sandbox/calling-rules';
const everyDay = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const open = {
  do_not_call: [],
  opted_out: [],
  no_consent: [],
  paused: [],
  calls_per_day: null,
  days: everyDay,
  from: '00:00:00',
  until: '23:59:59',
  time_zone: 'America/New_York',
};

async function set(by: Client, rules: object): Promise<Answer> {
  const answer = await by.put(RULES, rules);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

describe('the calling rules of a world', () => {
  it('are open where nothing was set', async () => {
    const { client } = freshWorld(sandbox);
    expect((await client.get(RULES)).body).toEqual({ data: open });
  });

  it('have each number and day once', async () => {
    const { client } = freshWorld(sandbox);
    const { body } = await set(client, { do_not_call: [TO, FROM, TO], days: ['Monday', 'Friday', 'Monday'] });
    expect(body.data).toEqual({ ...open, do_not_call: [TO, FROM], days: ['Monday', 'Friday'] });
  });

  it('are those of its fixture', async () => {
    const { body } = await clientOf(sandbox.url, 'svc_sandbox_regulated').get(RULES);
    expect(body.data).toEqual({
      do_not_call: ['+12125550170'],
      opted_out: ['+12125550171'],
      no_consent: ['+12125550172'],
      paused: ['+12125550173'],
      calls_per_day: 3,
      days: everyDay.slice(0, 6),
      from: '08:00:00',
      until: '20:59:59',
      time_zone: 'America/New_York',
    });
  });

  it('are replaced as a whole, take effect at once, and hold for this world alone', async () => {
    const { client } = freshWorld(sandbox);
    const other = freshWorld(sandbox).client;
    const first = await set(client, { do_not_call: [TO] });
    expect(first.body).toEqual({ data: { ...open, do_not_call: [TO] } });
    expect((await client.get(RULES)).body).toEqual(first.body);
    expectError(await client.dial(TO), 403, 'dnc_suppressed');
    expect((await other.dial(TO)).status).toBe(202);
    await set(client, { paused: ['+12125550198'] });
    expect((await client.dial(TO)).status).toBe(202);
    expectError(await client.dial('+12125550198'), 403, 'contact_automation_paused');
    await set(client, {});
    expect((await client.dial('+12125550198')).status).toBe(202);
  });

  it('hold for sub-entities, old and new, each with a count of its own', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    await set(client, { do_not_call: [TO], calls_per_day: 1 });
    const dial = (to_number: string) => child.post('/v1/calls/dial', { from_number: '+14155550194', to_number });
    expectError(await dial(TO), 403, 'dnc_suppressed');
    expect((await client.dial('+12125550198')).status).toBe(202);
    expect((await dial('+12125550198')).status).toBe(202);
    expectError(await dial('+12125550198'), 429, 'frequency_exceeded');
  });

  it('go back to those of the fixture with a reset, and forget the calls of before', async () => {
    const { client, world } = freshWorld(sandbox);
    await set(client, { calls_per_day: 1 });
    await client.call(TO);
    await world.reset();
    expect((await client.get(RULES)).body.data).toEqual(open);
    await set(client, { calls_per_day: 1 });
    await client.call(TO);
    expectError(await client.dial(TO), 429, 'frequency_exceeded');
  });

  it('hold for jobs', async () => {
    const { client, world } = freshWorld(sandbox);
    await set(client, { no_consent: [TO] });
    const [agent_id] = await agentsOf(client);
    const { id } = (await client.post('/v1/jobs', { agent_id, to_numbers: [TO] })).body.data;
    await world.clock.untilIdle();
    expect((await client.get(`/v1/jobs/${id}`)).body.data.progress.outcomes.refused).toBe(1);
    expect((await world.events()).at(-1)?.payload).toMatchObject({ outcome: 'refused', failure_code: 'no_consent' });
  });

  it.each([
    ['a list that is not a list', { do_not_call: TO }, 'do_not_call'],
    ['a number that is not E.164', { opted_out: [TO, '555-0100'] }, 'opted_out.1'],
    ['a number that no call can reach', { do_not_call: [TO, '+1911'] }, 'do_not_call.1'],
    ['a cap of zero', { calls_per_day: 0 }, 'calls_per_day'],
    ['an unknown day', { days: ['Mon'] }, 'days.0'],
    ['no day at all', { days: [] }, 'days'],
    ['an hour that does not exist', { from: '24:00:00' }, 'from'],
    ['a window that ends before it begins', { from: '09:00:00', until: '08:59:59' }, 'until'],
    ['an unknown time zone', { time_zone: 'America/Gotham' }, 'time_zone'],
    ['a name that no rule has', { do_not_cal: [] }, 'do_not_cal'],
  ])('are refused with %s, and stay as they were', async (_, rules, field) => {
    const { client } = freshWorld(sandbox);
    await set(client, { do_not_call: [TO] });
    const answer = await client.put(RULES, rules);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get(RULES)).body.data).toEqual({ ...open, do_not_call: [TO] });
  });
});

describe('the maximum of calls a day', () => {
  it('counts calls that were placed today before it was set, of agents and jobs too, but no inbound ones', async () => {
    const { client, world } = freshWorld(sandbox);
    const [agent_id] = await agentsOf(client);
    await client.call(TO);
    await client.post('/v1/calls', { agent_id, to_number: TO });
    await client.post('/v1/jobs', { agent_id, to_numbers: [TO] });
    await client.post('/_sandbox/simulate/inbound-call', { from_number: TO });
    await world.clock.untilIdle();
    await set(client, { calls_per_day: 4 });
    await client.call(TO);
    expectError(await client.dial(TO), 429, 'frequency_exceeded');
    await set(client, { calls_per_day: 5 });
    await client.call(TO);
    expectError(await client.dial(TO), 429, 'frequency_exceeded');
  });

  it('counts calls that were placed while there was none, between two', async () => {
    const { client } = freshWorld(sandbox);
    await set(client, { calls_per_day: 2 });
    await client.call(TO);
    await set(client, {});
    await client.call(TO);
    await set(client, { calls_per_day: 3 });
    await client.call(TO);
    expectError(await client.dial(TO), 429, 'frequency_exceeded');
  });

  it('leaves out the calls of yesterday, by the date at the destination', async () => {
    const { client, world } = freshWorld(sandbox);
    // New York: 23:59:59 and midnight.
    await world.clock.advance({ to: '2026-01-06T04:59:59.000Z' });
    await client.call(TO);
    await world.clock.advance('1s');
    await set(client, { calls_per_day: 1 });
    await client.call(TO);
    expectError(await client.dial(TO), 429, 'frequency_exceeded');
  });
});

describe('a refusal by a calling rule', () => {
  // The world begins on a Monday at 10:00 in New York.
  it.each([
    ['do_not_call', { do_not_call: [TO] }, 'dnc_suppressed'],
    ['opted_out', { opted_out: [TO] }, 'recipient_opted_out'],
    ['paused', { paused: [TO] }, 'contact_automation_paused'],
    ['no_consent', { no_consent: [TO] }, 'no_consent'],
    ['from, until', { from: '10:00:01' }, 'outside_call_window'],
    ['from, until', { until: '09:59:59' }, 'outside_call_window'],
    ['days', { days: ['Sunday', 'Tuesday'] }, 'day_not_allowed'],
    ['calls_per_day', { calls_per_day: 1 }, 'frequency_exceeded'],
  ])('names the rule %s in its hint, the journal and X-Sandbox-Scenario (case %#)', async (rule, rules, code) => {
    const { client, world } = freshWorld(sandbox);
    if (code === 'frequency_exceeded') await client.call(TO);
    await set(client, rules);
    const [agent_id] = await agentsOf(client);
    for (const answer of [
      await client.dial(TO),
      await client.post('/v1/calls', { agent_id, to_number: TO }),
      await client.dial(TO, { 'X-Sandbox-Scenario': 'busy;ring=2s' }),
    ]) {
      expect(answer.body.error).toMatchObject({ code, category: 'compliance_block' });
      expect(answer.body.error.resolution_hint).toContain(`\`${rule}\``);
      expect(answer.body.error.resolution_hint).toContain('/_sandbox/calling-rules');
      expect(answer.headers['x-sandbox-scenario']).toBe('rules');
    }
    const journaled = (await world.requests()).filter(({ error_code }) => error_code === code);
    const refused = `a calling rule refused the request: ${rule}`;
    const answered = { source: 'default', name: 'answered', reason: refused };
    const header = 'the X-Sandbox-Scenario header of the request ranks higher';
    expect(journaled.map(({ scenario }) => scenario)).toEqual(
      [
        [answered],
        [answered],
        [
          { source: 'header', name: 'busy', reason: refused },
          { ...answered, reason: header },
        ],
      ].map((outranked) => ({
        name: 'rules',
        parameters: { rule },
        source: 'rules',
        outranked,
      })),
    );
  });

  it('consumes nothing, and is not a refusal that a scenario scripts', async () => {
    const { client } = freshWorld(sandbox);
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    await set(client, { do_not_call: [TO] });
    expectError(await client.dial(TO), 403, 'dnc_suppressed');
    const next = await client.dial('+12125550198');
    expect(next.headers['x-sandbox-scenario']).toBe('busy');
    await client.delete('/_sandbox/active-scenarios/call');
    const scripted = await client.dial('+12125550111');
    expectError(scripted, 403, 'dnc_suppressed');
    expect(scripted.headers['x-sandbox-scenario']).not.toBe('rules');
    expect(scripted.body.error.resolution_hint).not.toContain('/_sandbox/calling-rules');
  });

  it('comes after the checks of the number that is called from', async () => {
    const { client } = freshWorld(sandbox);
    await set(client, { do_not_call: [TO] });
    const from = (from_number: string) => client.post('/v1/calls/dial', { from_number, to_number: TO });
    expectError(await from('+14155550193'), 422, 'call_id_not_verified');
    expectError(await from('+14155550192'), 409, 'no_active_number');
    expectError(await from(FROM), 403, 'dnc_suppressed');
  });
});
