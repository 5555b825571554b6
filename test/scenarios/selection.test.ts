// Which scenario a request plays: the precedence of `interface.md` section 3, and the X-Sandbox-Scenario header.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf, expectError, playing } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { magicNumbers } from './magic-numbers.ts';
import { lastRequest, scenarioOf, untilIdle, useScenarios } from './setup.ts';

const { sandbox, client } = useScenarios();

describe('precedence', () => {
  const accepted = ['busy', 'no_answer', 'voicemail', 'call_declined', 'long_call', 'dnc_suppressed', 'internal_error'];

  const higher = {
    header: 'the X-Sandbox-Scenario header of the request ranks higher',
    active: "the world's active scenario ranks higher",
    number: 'the scenario of the number that was called ranks higher',
  };

  it('is header, active, number, default; the journal keeps the winner, and why each other one lost', async () => {
    const numbers = fc.constantFrom(['01', 'busy'], ['02', 'no_answer'], ['11', 'dnc_suppressed'], ['47', null]);
    const selection = fc.option(fc.constantFrom(...accepted));
    await fc.assert(
      fc.asyncProperty(selection, selection, numbers, async (header, active, [digits, number]) => {
        if (active === null) await client.delete('/_sandbox/active-scenarios/call');
        else await client.put('/_sandbox/active-scenarios/call', { use: active });
        const answer = await client.dial(`+121255501${digits}`, header === null ? {} : playing(header));
        const candidates = [
          { source: 'header', name: header },
          { source: 'active', name: active },
          { source: 'number', name: number },
          { source: 'default', name: 'answered' },
        ].filter(({ name }) => name !== null);
        const [winner, ...outranked] = candidates;
        expect(scenarioOf(answer)).toBe(winner?.name);
        const losers = outranked.map((each) => ({ ...each, reason: higher[winner?.source as keyof typeof higher] }));
        expect((await lastRequest(client)).scenario).toEqual({ ...winner, parameters: {}, outranked: losers });
      }),
      { numRuns: runs(10, 60) },
    );
  });

  it('the journal keeps the parameters of the reference', async () => {
    await client.dial('+12125550101', playing('answered;talk=90s;ring=3s'));
    expect((await lastRequest(client)).scenario).toEqual({
      name: 'answered',
      source: 'header',
      parameters: { talk: '90s', ring: '3s' },
      outranked: [
        { source: 'number', name: 'busy', reason: higher.header },
        { source: 'default', name: 'answered', reason: higher.header },
      ],
    });
  });

  it('a request that plays no scenario shows none in its response or the journal', async () => {
    const answer = await client.get('/v1/calls', playing('busy'));
    expect(answer.status).toBe(200);
    expect(scenarioOf(answer)).toBeUndefined();
    expect((await lastRequest(client)).scenario).toBeNull();
  });
});

describe('the X-Sandbox-Scenario header', () => {
  const refusalOf = async (use: string, of = client): Promise<string> => {
    const answer = await of.dial('+12125550147', playing(use));
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
    expect(scenarioOf(answer)).toBeUndefined();
    return answer.body.error.fields['X-Sandbox-Scenario'];
  };

  it.each([
    ['busy;ring=2s', 2000],
    ['busy; ring=2s', 2000],
    ['busy;ring=1m', 60_000],
    ['busy;ring=0s', 0],
    ['busy;ring=4s..4s', 4000],
  ])('%s is busy after %i ms', async (use, ms) => {
    const start = Date.parse(await sandbox.clock.now());
    await client.call('+12125550147', playing(use));
    const [step] = await untilIdle(client);
    expect(step?.to).toBe('BUSY');
    expect(Date.parse(step?.at as string) - start).toBe(ms);
  });

  it('an unknown scenario is refused with all names of the kind and the nearest one', async () => {
    const reason = await refusalOf('voicemial');
    expect(reason).toContain('did you mean voicemail?');
    for (const [, name] of magicNumbers) expect(reason).toContain(name);
    expect(reason).not.toContain('verification_slow');
  });

  it('a name in the wrong case is refused with the nearest name', async () => {
    expect(await refusalOf('Busy')).toContain('did you mean busy?');
  });

  it('an unknown parameter is refused with those of the scenario', async () => {
    const reason = await refusalOf('answered;tlak=90s');
    expect(reason).toContain('ring');
    expect(reason).toContain('talk');
  });

  it.each(['busy;ring=soon', 'busy;ring=2', 'busy;ring=-1s', 'busy;ring=3s..1s', 'busy;ring=1s..'])(
    '%s is refused, naming the parameter and its type',
    async (use) => {
      const reason = await refusalOf(use);
      expect(reason).toContain('ring');
      expect(reason).toContain('duration');
    },
  );

  it.each(['busy;', 'busy;ring', 'busy;=2s', 'busy;ring=', 'busy;ring=1s;ring=2s', ';ring=1s', 'busy ring=2s', 'a,b'])(
    '%s is refused as malformed',
    async (use) => {
      await refusalOf(use);
    },
  );

  it('a malformed value is refused before the key is checked, an unknown name after it', async () => {
    const stranger = clientOf(sandbox.url, 'svc_nobody');
    expectError(await stranger.dial('+12125550147', playing('busy;;')), 400, 'validation_error');
    expectError(await stranger.dial('+12125550147', playing('nonesuch')), 401, 'unauthorized');
  });

  it('a scenario of the wrong kind is refused, naming both kinds', async () => {
    const onDial = await refusalOf('verification_slow');
    expect(onDial).toContain('caller_id');
    expect(onDial).toContain('call');
    const answer = await client.post('/v1/caller-ids', { phone_number: '+14155550186' }, playing('busy'));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields['X-Sandbox-Scenario']).toContain('caller_id');
  });

  it('a scenario of the wrong kind is refused in words that suit every kind', async () => {
    const answer = await client.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' }, playing('busy'));
    expectError(answer, 400, 'validation_error');
    const reason = answer.body.error.fields['X-Sandbox-Scenario'];
    expect(reason).toBe('"busy" is a scenario of kind call; this request plays scenarios of kind sms');
  });

  it('a request that plays no scenario ignores a valid header', async () => {
    const { data } = (await client.get('/v1/agents')).body;
    const id = await client.call('+12125550147');
    for (const use of ['busy', 'verification_slow', 'answered;talk=90s']) {
      expect((await client.get('/v1/account', playing(use))).status).toBe(200);
      expect((await client.get(`/v1/calls/${id}`, playing(use))).status).toBe(200);
      expect((await client.patch(`/v1/agents/${data[0].id}`, { name: 'Reception' }, playing(use))).status).toBe(200);
    }
    expect((await client.post(`/v1/calls/${id}/hangup`, undefined, playing('dnc_suppressed'))).status).toBe(200);
  });

  it('an unknown scenario is refused even by a request that plays none', async () => {
    expectError(await client.get('/v1/calls', playing('nonesuch')), 400, 'validation_error');
  });

  it('a duration beyond the last timestamp causes no server error', async () => {
    const answer = await client.dial('+12125550147', playing('answered;talk=100000000d'));
    if (answer.status === 202) {
      expect((await client.post('/_sandbox/clock/advance', { until: 'idle' })).status).toBeLessThan(500);
    } else {
      expectError(answer, 400, 'validation_error');
    }
  });
});
