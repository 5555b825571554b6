// Scenarios that refuse a dial: the scripted codes of `spec.md` "Errors", and flaky_provider.
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, expectError, FROM, playing } from '../support/client.ts';
import { inWorld, untilIdle, useScenarios } from './setup.ts';

const { sandbox, client } = useScenarios();

describe('scripted refusals', () => {
  it.each(['destination_missing', 'destination_invalid'])(
    '%s names the same field as the unscripted error',
    async (code) => {
      const natural = await client.dial(code === 'destination_missing' ? '' : 'nonsense');
      expectError(natural, 400, code);
      const scripted = await client.dial('+12125550147', playing(code));
      expect(Object.keys(natural.body.error.fields)).toEqual(['to_number']);
      expect(Object.keys(scripted.body.error.fields ?? {})).toEqual(['to_number']);
    },
  );

  it.each(['frequency_exceeded', 'no_number_available', 'rate_limited'])(
    '%s carries Retry-After: 1 and the current rate headers',
    async (code) => {
      const before = (await client.get('/v1/calls')).headers;
      const { headers } = await client.dial('+12125550147', playing(code));
      expect(headers['retry-after']).toBe('1');
      expect(headers['x-ratelimit-limit']).toBe('600');
      expect(headers['x-ratelimit-remaining']).toBe(before['x-ratelimit-remaining']);
      expect(headers['ratelimit-policy']).toBe('"default";q=600;w=60');
    },
  );

  it('come after the checks of both formats and before those of the caller ID', async () => {
    const dial = (body: object): Promise<Answer> => client.post('/v1/calls/dial', body, playing('dnc_suppressed'));
    expectError(await dial({ from_number: '+14155550193', to_number: '+12125550147' }), 403, 'dnc_suppressed');
    expectError(await dial({ from_number: FROM, to_number: '12' }), 400, 'destination_invalid');
    expectError(await dial({ from_number: 'x', to_number: '+12125550147' }), 400, 'validation_error');
  });
});

describe('flaky_provider', () => {
  const outcome = async (of: Client, to: string, use?: string): Promise<string> => {
    const { status, body } = await of.dial(to, use === undefined ? {} : playing(use));
    return status === 202 ? '202' : `${status} ${body.error.code}`;
  };
  const failed = '502 provider_api_error';

  it('fails twice, succeeds, and starts over', async () => {
    const outcomes: string[] = [];
    for (let n = 0; n < 6; n++) outcomes.push(await outcome(client, '+12125550135'));
    expect(outcomes).toEqual([failed, failed, '202', failed, failed, '202']);
  });

  it('counts each destination separately', async () => {
    const outcomes: string[] = [];
    for (const area of ['212', '415', '212', '415', '212', '415']) {
      outcomes.push(await outcome(client, `+1${area}5550135`));
    }
    expect(outcomes).toEqual([failed, failed, failed, failed, '202', '202']);
  });

  it('counts each world separately', async () => {
    const other = inWorld(sandbox, 'flaky-there');
    expect(await outcome(client, '+12125550135')).toBe(failed);
    expect(await outcome(client, '+12125550135')).toBe(failed);
    expect(await outcome(other, '+12125550135')).toBe(failed);
    expect(await outcome(client, '+12125550135')).toBe('202');
    expect(await outcome(other, '+12125550135')).toBe(failed);
  });

  it('plays by header as well as by number, and ends in an answered call', async () => {
    for (const expected of [failed, failed]) {
      expect(await outcome(client, '+12125550147', 'flaky_provider')).toBe(expected);
    }
    const id = await client.call('+12125550147', playing('flaky_provider'));
    await untilIdle(client);
    expect(await client.readCall(id)).toMatchObject({ status: 'COMPLETED', call_outcome: 'answered' });
  });

  it('starts over after a reset', async () => {
    await outcome(client, '+12125550135');
    await outcome(client, '+12125550135');
    await sandbox.reset();
    expect(await outcome(client, '+12125550135')).toBe(failed);
  });

  it('succeeds on the third try of a client that retries with one idempotency key', async () => {
    const header = { 'Idempotency-Key': '3f2b0a86-6d0c-4c1e-9b57-8a1f3c2d4e5f' };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await client.dial('+12125550135', header)).status);
    expect(statuses).toEqual([502, 502, 202, 202]);
    expect(await sandbox.events()).toHaveLength(1);
  });
});
