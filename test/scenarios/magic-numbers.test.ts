// Magic numbers: `interface.md` section 3 "Magic destination numbers", in dials, the catalogue and the library.
import { describe, expect, it } from 'vitest';
import { destinationFor, magicNumbers as numberConstants } from '../../src/index.ts';
import { magicNumbers, smsNumbers } from './magic-numbers.ts';
import { lastRequest, scenarioOf, untilIdle, useScenarios } from './setup.ts';

const { client } = useScenarios();

describe('magic numbers', () => {
  const areaCodes = ['212', '307', '415', '808', '989'];

  it.each(magicNumbers)('+1 NPA 555 01%s plays %s in any area code', async (digits, scenario, outcome) => {
    for (const area of areaCodes) {
      const answer = await client.dial(`+1${area}55501${digits}`);
      expect(scenarioOf(answer), area).toBe(scenario);
      expect((await lastRequest(client)).scenario.source).toBe('number');
      if (answer.status !== 202) {
        expect(`${answer.status} ${answer.body.error.code}`, area).toBe(outcome);
        continue;
      }
      await untilIdle(client);
      const { status, failure_code } = await client.readCall(answer.body.call_id);
      expect(`${status} ${failure_code}`, area).toBe(outcome);
    }
  });

  it('are exactly those of the catalogue', async () => {
    const { numbers, scenarios } = (await client.get('/_sandbox/catalog')).body.data;
    const kinds = new Set(scenarios.map(({ kind }: { kind: string }) => kind));
    const texts = kinds.has('sms') ? smsNumbers : [];
    expect(numbers).toEqual([
      ...magicNumbers.map(([number, scenario]) => ({ number, scenario, kind: 'call' })),
      ...texts.map(([number, scenario]) => ({ number, scenario, kind: 'sms' })),
    ]);
  });

  it('are exactly the constants of the library', () => {
    const digits = Object.entries(numberConstants).filter(([name]) => !smsNumbers.some(([, text]) => text === name));
    expect(Object.fromEntries(digits)).toEqual(Object.fromEntries(magicNumbers.map(([xx, name]) => [name, xx])));
    expect(destinationFor('voicemail')).toMatch(/^\+1[2-9]\d{2}5550103$/);
    expect(destinationFor('flaky_provider', '415')).toBe('+14155550135');
    expect(() => destinationFor('busy', '15')).toThrow(TypeError);
    // No dialable number has such an area code.
    for (const code of ['211', '911', '115', '2120', ''])
      expect(() => destinationFor('busy', code), code).toThrow(TypeError);
    expect(() => destinationFor('voice_mail' as never)).toThrow('; did you mean voicemail?');
    expect(() => destinationFor('toString' as never)).toThrow(TypeError);
  });

  it('are ordinary numbers where no call scenario claims them', async () => {
    const magic = new Set(magicNumbers.map(([digits]) => digits));
    const ordinary = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0')).filter((xx) => !magic.has(xx));
    expect(ordinary).toEqual(expect.arrayContaining(smsNumbers.map(([digits]) => digits)));
    for (const digits of ordinary) {
      const answer = await client.dial(`+164655501${digits}`);
      expect(`${digits} ${answer.status} ${scenarioOf(answer)}`).toBe(`${digits} 202 answered`);
    }
    expect((await lastRequest(client)).scenario).toMatchObject({ source: 'default', outranked: [] });
  });

  it.each(['+12125550001', '+12125560101', '+12125550201', '+442071838701', '+18005551101'])(
    '%s is an ordinary number: it does not match +1 NPA 555 01XX',
    async (number) => {
      const answer = await client.dial(number);
      expect(`${answer.status} ${scenarioOf(answer)}`).toBe('202 answered');
      expect((await lastRequest(client)).scenario.source).toBe('default');
    },
  );

  it('have no effect on the verification of a caller ID', async () => {
    const answer = await client.post('/v1/caller-ids', { phone_number: '+12125550101' });
    expect(`${answer.status} ${scenarioOf(answer)}`).toBe('201 verification_call');
  });
});
