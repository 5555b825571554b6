// POST /v1/calls/dial that is refused: the checks in the order of "Dial, in order", `interface.md` section 3.
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, FROM } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { listed, restOf, withSandbox } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

const dial = (body: object | string): Promise<Answer> => client.post('/v1/calls/dial', body);

describe('the order of checks of a dial', () => {
  const services = ['911', '933', '988', '112', '999', '211', '311', '411', '511', '611', '711', '811'];
  const premium = ['+19005550123', '+12129761234', '12129761234', '2129761234', '9761234', '+19765551234'];
  const blocked = [...services, '976', ...[...services, '976'].map((digits) => `+1${digits}`), ...premium];

  const invalid = [
    'nonsense',
    '12125550100',
    '0012125550100',
    '+1 212 555 0100',
    '+1-212-555-0100',
    '+1(212)5550100',
    'tel:+12125550100',
    ' +12125550100',
    '+12125550100 ',
    '+12125550100\n',
    '+1212555010a',
    '+١٢١٢٥٥٥٠١٠٠',
    '+',
    '+1',
    '+0123456789',
    '+1212555010',
    '+121255501000',
    '+11125550100',
    '+12121550100',
    '+1234567890123456',
    '+999123456789',
    12125550100,
    911,
    0,
    true,
    false,
    {},
    [],
    ['+12125550100'],
  ];

  const valid = ['+12125550199', '+13055550100', '+19075550150', '+442079460018', '+61491570156', '+4915112345678'];

  it('requires a destination before it checks anything else', async () => {
    for (const to_number of [undefined, null, '']) {
      const answer = await dial({ from_number: 'nonsense', to_number });
      expectError(answer, 400, 'destination_missing');
      expect(answer.body.error.category).toBe('invalid_request');
      expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
    }
    expectError(await client.post('/v1/calls/dial', {}), 400, 'destination_missing');
  });

  it.each(blocked)('%s is an emergency or special-service number, whatever from_number is', async (to_number) => {
    for (const from_number of [FROM, 'nonsense', undefined]) {
      const answer = await dial({ from_number, to_number });
      expectError(answer, 403, 'destination_blocked');
      expect(answer.body.error.category).toBe('compliance_block');
    }
  });

  it.each(invalid.map((to) => ({ to })))('$to is not a dialable number, whatever from_number is', async ({ to }) => {
    for (const from_number of [FROM, 'nonsense', undefined]) {
      const answer = await dial({ from_number, to_number: to });
      expectError(answer, 400, 'destination_invalid');
      expect(answer.body.error.category).toBe('invalid_request');
      expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
    }
  });

  it.each(valid)('%s is dialed', async (to_number) => {
    const id = await client.call(to_number);
    expect((await client.readCall(id)).to_number).toBe(to_number);
  });

  it.each([
    ['+4529761234', 'Denmark'],
    ['+4749761234', 'Norway'],
    ['+6589761234', 'Singapore'],
    ['+12125559761', 'New York, with these digits at its end'],
  ])('%s, an ordinary number of %s, is not a 976 number', async (to_number) => {
    expect((await client.dial(to_number)).status).toBe(202);
  });

  const malformed = [
    undefined,
    null,
    '',
    'nonsense',
    '14155550190',
    '+04155550190',
    '+1 415 555 0190',
    '+14155550190 ',
    '+1415555019O',
    '+1234567890123456',
    14155550190,
    true,
    {},
    [FROM],
  ];

  it.each(malformed.map((from) => ({ from })))('from_number $from is a validation error', async ({ from }) => {
    // The scenario of this destination refuses too, but only after this check.
    const answer = await dial({ from_number: from, to_number: '+12125550111' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['from_number']);
    expect(answer.body.error).not.toHaveProperty('category');
    expect(answer.headers['x-sandbox-scenario']).toBeUndefined();
  });

  it.each([
    ['not owned', '+14155550199'],
    ['of a sub-entity', '+14155550194'],
    ['revoked', '+14155550195'],
    ['not verified', '+14155550193'],
    ['still provisioning', '+14155550192'],
  ])('a scripted refusal comes before the check of a from_number that is %s', async (_, from_number) => {
    const answer = await dial({ from_number, to_number: '+12125550111' });
    expectError(answer, 403, 'dnc_suppressed');
    expect(answer.headers['x-sandbox-scenario']).toBe('dnc_suppressed');
  });

  it.each([
    ['not owned', '+14155550199'],
    ['abroad and not owned', '+4420'],
    ['of a sub-entity', '+14155550194'],
    ['revoked', '+14155550195'],
    ['not verified', '+14155550193'],
  ])('a from_number that is %s is not a verified caller ID, and the hint names usable ones', async (_, from_number) => {
    const answer = await dial({ from_number, to_number: '+12125550100' });
    expectError(answer, 422, 'call_id_not_verified');
    const { category, resolution_hint } = answer.body.error;
    expect(category).toBe('invalid_request');
    expect(resolution_hint.match(/\+\d+/g)).toEqual([FROM, '+14155550191']);
  });

  it('a verified number that is still provisioning is not active', async () => {
    const answer = await dial({ from_number: '+14155550192', to_number: '+12125550100' });
    expectError(answer, 409, 'no_active_number');
    expect(answer.body.error.category).toBe('invalid_request');
  });

  it('checks that the caller ID is verified before it checks that the number is active', async () => {
    const callerIds = (await client.get('/v1/caller-ids')).body.data as {
      caller_id_id: string;
      phone_number: string;
    }[];
    const callerId = callerIds.find(({ phone_number }) => phone_number === '+14155550192');
    expect((await client.delete(`/v1/caller-ids/${callerId?.caller_id_id}`)).status).toBe(200);
    expectError(await dial({ from_number: '+14155550192', to_number: '+12125550100' }), 422, 'call_id_not_verified');
  });

  it('checks that the number is active before it checks the capacity', async () => {
    await withSandbox({ concurrentCalls: 1 }, async (one) => {
      await one.call('+12125550100');
      const body = { from_number: '+14155550192', to_number: '+12125550100' };
      expectError(await one.post('/v1/calls/dial', body), 409, 'no_active_number');
    });
  });

  it('a refused dial leaves no call, no event and no step', async () => {
    const before = await listed(client);
    for (const to_number of ['', '911', 'x', '+12125550111']) await dial({ from_number: FROM, to_number });
    for (const from_number of ['x', '+14155550192', '+14155550193', '+14155550199']) {
      await dial({ from_number, to_number: '+12125550100' });
    }
    expect(await listed(client)).toEqual(before);
    expect(await sandbox.events()).toEqual([]);
    expect(await restOf(client)).toEqual({ steps: 0, deliveries: 0 });
  });

  it('a dial that fails before scenario selection consumes nothing of a list', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    await dial({ from_number: FROM, to_number: '911' });
    await dial({ from_number: FROM, to_number: 'x' });
    await dial({ from_number: 'x', to_number: '+12125550100' });
    const first = await client.dial('+12125550100');
    const second = await client.dial('+12125550100');
    expect([first, second].map(({ headers }) => headers['x-sandbox-scenario'])).toEqual(['busy', 'no_answer']);
  });
});
