// Active scenarios, single or as a list: `interface.md` section 3 and PUT /_sandbox/active-scenarios/{kind}.
import { describe, expect, it } from 'vitest';
import { type Answer, clientOf, expectError, FROM, playing } from '../support/client.ts';
import { busyLine, inWorld, putYaml, scenarioOf, untilIdle, useScenarios } from './setup.ts';

const { sandbox, client } = useScenarios();

describe('active scenarios', () => {
  const activate = (use: string | string[], kind = 'call', of = client): Promise<Answer> =>
    of.put(`/_sandbox/active-scenarios/${kind}`, { use });
  const active = async (of = client): Promise<unknown> =>
    (await of.get('/_sandbox/active-scenarios/call')).body.data.use;

  it('a single reference stays active until it is deleted', async () => {
    expect((await activate('busy')).body.data).toEqual({ kind: 'call', use: 'busy' });
    for (let n = 0; n < 3; n++) expect(scenarioOf(await client.dial('+12125550102'))).toBe('busy');
    expect(await active()).toBe('busy');
    expect((await client.delete('/_sandbox/active-scenarios/call')).status).toBe(204);
    expect(await active()).toBeNull();
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
  });

  it('a list plays once in order, then numbers and the default apply again', async () => {
    await activate(['busy', 'voicemail', 'answered;talk=90s']);
    const played: (string | undefined)[] = [];
    for (const to of ['+12125550104', '+12125550104', '+12125550104', '+12125550104', '+12125550147']) {
      played.push(scenarioOf(await client.dial(to)));
    }
    expect(played).toEqual(['busy', 'voicemail', 'answered', 'call_declined', 'answered']);
    expect(await active()).toBeNull();
  });

  it('the rest of a list can be read, with its parameters', async () => {
    await activate(['busy', 'busy;ring=2s', 'answered']);
    await client.dial('+12125550147');
    expect(await active()).toEqual(['busy;ring=2s', 'answered']);
  });

  it('the parameters of an active scenario apply', async () => {
    await activate('busy;ring=7s');
    const start = Date.parse(await sandbox.clock.now());
    await client.call('+12125550147');
    const [step] = await untilIdle(client);
    expect(Date.parse(step?.at as string) - start).toBe(7000);
  });

  it('a list skips names that were deleted', async () => {
    for (const name of ['own_line', 'own_other']) await putYaml(client, name, busyLine());
    await activate(['own_line', 'own_other', 'voicemail', 'own_line', 'busy']);
    for (const name of ['own_line', 'own_other']) await client.delete(`/_sandbox/scenarios/${name}`);
    expect(scenarioOf(await client.dial('+12125550102', playing('answered')))).toBe('answered');
    expect(await active()).toHaveLength(5);
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('voicemail');
    expect(await active()).toEqual(['own_line', 'busy']);
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('busy');
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
    expect(await active()).toBeNull();
  });

  it('a list whose names were all deleted is used up by the next request', async () => {
    await putYaml(client, 'own_line', busyLine());
    await activate(['own_line', 'own_line']);
    await client.delete('/_sandbox/scenarios/own_line');
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
    expect(await active()).toBeNull();
  });

  it('a request with its own header consumes nothing of the list', async () => {
    await activate(['busy', 'voicemail']);
    expect(scenarioOf(await client.dial('+12125550147', playing('no_answer')))).toBe('no_answer');
    expect(await active()).toEqual(['busy', 'voicemail']);
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('busy');
  });

  it('a scripted refusal consumes its place in the list', async () => {
    await activate(['dnc_suppressed', 'busy']);
    expectError(await client.dial('+12125550147'), 403, 'dnc_suppressed');
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('busy');
  });

  it('a request that fails before scenario selection consumes nothing', async () => {
    await activate(['busy', 'voicemail']);
    const body = { from_number: FROM, to_number: '+12125550147' };
    const dial = (changed: object | string, headers?: Record<string, string>): Promise<Answer> =>
      client.post('/v1/calls/dial', changed, headers);
    const stranger = clientOf(sandbox.url, 'svc_nobody');
    const reader = clientOf(sandbox.url, 'svc_sandbox_metadata');
    expectError(await dial({ ...body, to_number: null }), 400, 'destination_missing');
    expectError(await dial({ ...body, to_number: '+12' }), 400, 'destination_invalid');
    expectError(await dial({ ...body, to_number: '911' }), 403, 'destination_blocked');
    expectError(await dial({ ...body, from_number: null }), 400, 'validation_error');
    expectError(await dial('{ "from_number": '), 400, 'validation_error');
    expectError(await dial('x', { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type');
    expectError(await dial(body, { 'X-Sandbox-Error': 'dnc_suppressed' }), 403, 'dnc_suppressed');
    expectError(await dial(body, { 'X-Sandbox-Scenario': 'verification_slow' }), 400, 'validation_error');
    expectError(await dial(body, { 'X-Sandbox-Scenarios': 'busy' }), 400, 'validation_error');
    expectError(await dial(body, { 'Idempotency-Key': 'no-uuid' }), 400, 'validation_error');
    expectError(await stranger.dial('+12125550147'), 401, 'unauthorized');
    expectError(await reader.dial('+12125550147'), 403, 'scope_missing');
    expect(await active()).toEqual(['busy', 'voicemail']);
  });

  it('a request that plays no scenario, or one of another kind, consumes nothing', async () => {
    await activate(['busy', 'voicemail']);
    await client.get('/v1/calls');
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    expect(await active()).toEqual(['busy', 'voicemail']);
  });

  it('an idempotent replay consumes nothing', async () => {
    await activate(['busy', 'voicemail', 'no_answer']);
    const header = { 'Idempotency-Key': '0d9b8f60-2b1f-4c39-8b43-0f6f6a1f9b11' };
    for (let n = 0; n < 3; n++) expect(scenarioOf(await client.dial('+12125550147', header))).toBe('busy');
    expect(await active()).toEqual(['voicemail', 'no_answer']);
  });

  it('concurrent requests consume each place of a list once', async () => {
    const list = Array.from({ length: 24 }, (_, n) => ['busy', 'voicemail', 'no_answer'][n % 3] as string);
    await activate(list);
    const answers = await Promise.all(list.map(() => client.dial('+12125550104')));
    expect(answers.map(scenarioOf).sort()).toEqual([...list].sort());
    expect(await active()).toBeNull();
    expect(scenarioOf(await client.dial('+12125550104'))).toBe('call_declined');
  });

  it('apply to their own kind only', async () => {
    await activate('verification_slow', 'caller_id');
    const answer = await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    expect(scenarioOf(answer)).toBe('verification_slow');
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('answered');
  });

  it('apply to their own world only, until a reset', async () => {
    await activate('busy');
    expect(scenarioOf(await inWorld(sandbox, 'active-elsewhere').dial('+12125550147'))).toBe('answered');
    await sandbox.reset();
    expect(await active()).toBeNull();
  });

  it.each([
    ['bsy', 'busy'],
    ['verification_slow', 'caller_id'],
    ['busy;rign=2s', 'ring'],
    ['busy;ring=soon', 'duration'],
    ['busy;;', 'parameter'],
  ])('%s is refused with 400 under `use`, mentioning %s', async (use, says) => {
    await activate('voicemail');
    for (const given of [use, ['busy', use]]) {
      const answer = await activate(given);
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields.use).toContain(says);
    }
    expect(await active()).toBe('voicemail');
  });

  it('of an unknown kind are 404, and the message lists the kinds', async () => {
    const answer = await activate('busy', 'cal');
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('caller_id');
  });
});
