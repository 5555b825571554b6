// Control headers, valid and invalid: `interface.md` section 3.
import { describe, expect, it } from 'vitest';
import { synchronousCodes } from '../../src/errors/catalogue.ts';
import { expectError } from '../support/client.ts';
import { TO, usePlatform } from './setup.ts';

const { sandbox, client, dial } = usePlatform();

describe('control headers', () => {
  const headerNames = ['X-Sandbox-Scenario', 'X-Sandbox-Error', 'X-Sandbox-Delay', 'X-Sandbox-Fault'];
  const durations = ['60s', 'ms'];
  const faults = ['reset', 'empty', 'truncate', 'timeout', 'when=before'];
  const calls = ['answered', 'busy', 'no_answer', 'voicemail', 'dnc_suppressed', 'flaky_provider'];
  const invalid: readonly [header: string, value: string, lists: readonly string[], nearest?: string][] = [
    ['X-Sandbox-Scenaro', 'busy', headerNames, 'X-Sandbox-Scenario'],
    ['X-Sandbox-Eror', 'no_consent', headerNames, 'X-Sandbox-Error'],
    ['x-sandbox-delays', '1s', headerNames, 'X-Sandbox-Delay'],
    ['X-Sandbox-Faults', 'reset', headerNames, 'X-Sandbox-Fault'],
    ['X-Sandbox-Version', '1', headerNames],
    ['X-Sandbox-', '1', headerNames],
    ['X-Sandbox-Error', 'no_consnt', synchronousCodes, 'no_consent'],
    ['X-Sandbox-Error', 'NO_CONSENT', synchronousCodes],
    ['X-Sandbox-Error', 'busy', synchronousCodes],
    ['X-Sandbox-Error', 'voicemail_reached', synchronousCodes],
    ['X-Sandbox-Error', 'conflict', synchronousCodes],
    ['X-Sandbox-Error', '', synchronousCodes],
    ['X-Sandbox-Delay', '2', durations],
    ['X-Sandbox-Delay', '61s', durations],
    ['X-Sandbox-Delay', '2m', durations],
    ['X-Sandbox-Delay', '-1s', durations],
    ['X-Sandbox-Delay', '1 s', durations],
    ['X-Sandbox-Delay', '', durations],
    ['X-Sandbox-Fault', 'rest', faults, 'reset'],
    ['X-Sandbox-Fault', 'truncated', faults, 'truncate'],
    ['X-Sandbox-Fault', 'reset;when=later', faults],
    ['X-Sandbox-Fault', 'reset;before', faults],
    ['X-Sandbox-Fault', 'reset;when=before;when=after', faults],
    ['X-Sandbox-Fault', '', faults],
    ['X-Sandbox-Scenario', 'buzy', calls, 'busy'],
    ['X-Sandbox-Scenario', 'Busy', [], 'busy'],
    ['X-Sandbox-Scenario', 'answered;rings=2s', ['ring', 'talk'], 'ring'],
    ['X-Sandbox-Scenario', 'answered;ring=soon', ['ms', 's', 'm', 'h', 'd']],
    ['X-Sandbox-Scenario', 'answered;ring', ['name;parameter=value']],
    ['X-Sandbox-Scenario', 'answered;ring=1s;ring=2s', ['ring']],
    ['X-Sandbox-Scenario', '', []],
    ['X-Sandbox-Scenario', 'verification_call', ['caller_id', 'call']],
    ['X-Sandbox-World', 'other', ['control']],
  ];

  it.each(invalid)('%s: %j is 400, naming the header and what is allowed', async (header, value, lists, nearest) => {
    const answer = await dial({}, { headers: { [header]: value } });
    expectError(answer, 400, 'validation_error');
    const [[field, explanation] = ['', '']] = Object.entries<string>(answer.body.error.fields);
    expect(field).toBe(header);
    expect(lists.filter((each) => !explanation.includes(each))).toEqual([]);
    if (nearest !== undefined) expect(explanation).toMatch(new RegExp(`mean "?\`?${nearest}\\b`));
    expect(await sandbox.events()).toEqual([]);
  });

  it('the error about an unknown scenario lists exactly those of the kind that the request starts', async () => {
    const { data } = (await client.get('/_sandbox/scenarios?page_size=1000')).body;
    const answer = await dial({}, { headers: { 'X-Sandbox-Scenario': 'zzz' } });
    const [listed = ''] = /one of ([\w, ]+)/.exec(answer.body.error.fields['X-Sandbox-Scenario'])?.slice(1) ?? [];
    const names = data
      .filter(({ kind }: { kind: string }) => kind === 'call')
      .map(({ name }: { name: string }) => name);
    expect(names.length).toBeGreaterThan(25);
    expect(listed.split(', ').sort()).toEqual(names.sort());
  });

  it('a scenario of the overlay of the world is known until it is deleted', async () => {
    const headers = { 'X-Sandbox-Scenario': 'own_busy' };
    expectError(await dial({}, { headers }), 400, 'validation_error');
    const own = { kind: 'call', summary: 'Busy by another name.', extends: 'busy' };
    expect((await client.put('/_sandbox/scenarios/own_busy', own)).status).toBe(201);
    expect((await dial({}, { headers })).status).toBe(202);
    await client.delete('/_sandbox/scenarios/own_busy');
    expectError(await dial({}, { headers }), 400, 'validation_error');
  });

  it('an unknown one is named as the request spells it, on the control API too', async () => {
    const answer = await client.get('/_sandbox/clock', { 'x-sandBOX-Eror': 'no_consent' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['x-sandBOX-Eror']);
  });

  it('names are case-insensitive', async () => {
    expectError(await dial({}, { headers: { 'x-SANDBOX-error': 'no_consent' } }), 403, 'no_consent');
  });

  it('an invalid one is refused even on a request that starts nothing', async () => {
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Delay': '61s' }), 400, 'validation_error');
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Eror': 'not_found' }), 400, 'validation_error');
    expectError(await client.get('/v1/calls', { 'X-Sandbox-Scenario': 'busy;' }), 400, 'validation_error');
  });

  it('a valid scenario is ignored on a request that starts nothing', async () => {
    const headers = { 'X-Sandbox-Scenario': 'busy;ring=2s' };
    const id = await client.call(TO);
    const [{ id: agent }] = (await client.get('/v1/agents')).body.data;
    for (const answer of [
      await client.get('/v1/calls', headers),
      await client.patch(`/v1/agents/${agent}`, { name: 'Front desk' }, headers),
      await client.post(`/v1/calls/${id}/hangup`, undefined, headers),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-sandbox-scenario');
    }
  });
});
