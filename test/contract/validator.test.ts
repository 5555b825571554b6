// The messages of the request validator: what was given and what is allowed, for each kind of rule (`spec.md`
// "Errors").
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { createValidator } from '../../src/http/validate.ts';

const { operations } = loadContract();

describe('the validator', () => {
  const validator = createValidator((id) => (id === 'dialCall' ? ['from_number'] : []));
  const check = (
    id: string,
    request: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown },
  ): unknown => {
    try {
      validator.check(operations.get(id as never) as never, {
        params: { id: 'x' },
        query: {},
        body: undefined,
        ...request,
      });
      return 'passed';
    } catch (error) {
      return (error as { detail: { fields: unknown } }).detail.fields;
    }
  };

  it('lists all invalid fields at once', () => {
    expect(check('createWebhookSubscription', { body: { webhook_url: 5, event_type: 'nope', extra: 1 } })).toEqual({
      webhook_url: 'is 5; must be a string',
      event_type: expect.stringMatching(/^is "nope"; must be one of new_call, .*phone_call\.ended$/),
      extra: expect.stringMatching(/^is not a known field; allowed: .*event_type/),
    });
  });

  const agent_id = '0b8e7a52-4a3f-4c55-9a80-1f6f0e6d2c11';
  const job = (more: object): object => ({ agent_id, to_numbers: ['+14155550101'], ...more });
  const many = Array.from({ length: 401 }, (_, at) => `+1415555${1000 + at}`);
  it.each([
    ['createJob', job({ name: 5 }), { name: 'is 5; must be a string' }],
    ['createJob', job({ agent_id: null }), { agent_id: 'is null; must be a string' }],
    ['createJob', job({ agent_id: 'x' }), { agent_id: 'is "x"; must be a valid UUID' }],
    ['createJob', job({ concurrency: 1.5 }), { concurrency: 'is 1.5; must be an integer' }],
    ['createJob', job({ concurrency: Infinity }), { concurrency: 'is Infinity; must be an integer' }],
    ['createJob', job({ concurrency: 0 }), { concurrency: 'is 0; must be at least 1' }],
    ['createJob', job({ concurrency: 101 }), { concurrency: 'is 101; must be at most 100' }],
    ['createJob', job({ to_numbers: '+1415' }), { to_numbers: 'is "+1415"; must be an array' }],
    ['createRemediation', { phone_numbers: [] }, { phone_numbers: 'has 0 items; must have at least 1' }],
    [
      'createJob',
      job({ to_numbers: ['+14155550101', '415'] }),
      { 'to_numbers.1': 'is "415"; must be a number in E.164 form, such as +14155550170' },
    ],
    [
      'createJob',
      job({ to_numbers: ['+14155550101', '+14155550102', '+14155550101'] }),
      { to_numbers: 'has the same item at 0 and 2; each must occur once' },
    ],
    [
      'createBrandCampaign',
      { use_case: 'x', phone_numbers: many },
      { phone_numbers: 'has 401 items; must have at most 400' },
    ],
    [
      'sendMessage',
      { to_number: '+12125550147', body: '😀'.repeat(1601) },
      { body: 'has 1601 characters; must have at most 1600' },
    ],
    ['sendMessage', { to_number: '+12125550147', body: ' ' }, { body: 'is " "; must not be blank' }],
    ['createLead', { email: 'x' }, { email: 'is "x"; must be a valid e-mail address' }],
    ['createLead', { metadata: [1] }, { metadata: 'is an array; must be an object' }],
    ['updateAgent', { enabled: { x: 1 } }, { enabled: 'is an object; must be a boolean' }],
  ] as const)('names what was given and what is allowed: %s, case %#', (operation, body, fields) => {
    expect(check(operation, { body, params: { id: 'x', url_token: 'x' } })).toEqual(fields);
  });

  it('skips the fields that an operation checks itself', () => {
    expect(check('dialCall', { body: { to_number: '+12125550100', from_number: 5 } })).toBe('passed');
    expect(check('dialCall', { body: { from_number: 5 } })).toEqual({ to_number: 'is required' });
  });

  it('parses numbers of the query in place', () => {
    const query = { page_size: '10' };
    expect(check('listCalls', { query })).toBe('passed');
    expect(query.page_size).toBe(10);
  });

  it('refuses an unknown query parameter, naming the allowed ones', () => {
    expect(check('listCalls', { query: { pagesize: '1' } })).toEqual({
      pagesize: 'is not a query parameter of this operation; allowed: cursor, page_size; did you mean page_size?',
    });
  });

  it('requires a body where the contract does', () => {
    expect(check('verifyCallerId', {})).toEqual({ body: 'is required: a JSON object' });
  });
});
