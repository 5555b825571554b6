// Queries and bodies of the control API that are not valid: 400, naming the field and what is allowed (`interface.md`
// section 5).
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { expectRefusal, useUnchangedPlatform } from './setup.ts';

const { wire } = useUnchangedPlatform({ rateLimit: 'off' });

const LONG = `${'0'.repeat(200)}1s`;

describe('a query of the control API', () => {
  it.each([
    ['GET', '/_sandbox/clock?verbose=1', 'verbose'],
    ['POST', '/_sandbox/reset?dry=1', 'dry'],
    ['GET', '/_sandbox/health?verbose=1', 'verbose'],
    ['DELETE', '/_sandbox/active-scenarios/call?verbose=1', 'verbose'],
    ['GET', '/_sandbox/requests?verbose=1', 'verbose'],
    ['GET', '/_sandbox/requests?__proto__=1', '__proto__'],
    ['GET', '/_sandbox/clock?__proto__=1', '__proto__'],
    ['GET', '/_sandbox/requests?constructor=1', 'constructor'],
    ['GET', '/_sandbox/events?page_size=0x10', 'page_size'],
    ['GET', '/_sandbox/events?page_size=1e2', 'page_size'],
    ['GET', '/_sandbox/events?page_size=', 'page_size'],
    ['GET', '/_sandbox/events?page_size=1001', 'page_size'],
    ['GET', '/_sandbox/events?page_size=1&page_size=2', 'page_size'],
    ['GET', '/_sandbox/requests?status=', 'status'],
    ['GET', '/_sandbox/requests?status=0xc8', 'status'],
  ])('%s %s is 400 about %s', async (method, path, field) => {
    const answer = await wire.send({ method, path });
    expectRefusal(answer, 400, 'validation_error');
    expect(answer.text).toMatch(new RegExp(`"fields":\\{"${field}":"[^"]+"\\}`));
  });
});

it.each([
  ['/_sandbox/requests?page_size=1&page_size=2', 'page_size'],
  ['/_sandbox/wait?event_type=call_busy&event_type=new_call', 'event_type'],
  ['/_sandbox/inbox/orders?world=a&world=a', 'world'],
])('a parameter that is given twice is named as such: %s', async (path, field) => {
  const answer = await wire.send({ path });
  expectRefusal(answer, 400, 'validation_error');
  expect(answer.body.error.fields).toEqual({ [field]: 'is given more than once; give it once' });
});

describe('an invalid query on a reset', () => {
  const { client } = useSandbox({ clock: 'manual' });

  it('leaves the world unchanged', async () => {
    const id = await client.call('+12125550100');
    expectError(await client.post('/_sandbox/reset?dry=1'), 400, 'validation_error');
    expect((await client.readCall(id)).status).toBe('QUEUED');
  });
});

describe('a body of the control API', () => {
  it.each([
    [
      'POST',
      'clock/advance',
      { by: 30 },
      { by: 'must be a duration such as 250ms, 2s, 5m, 1h or 3d (a century at most)' },
    ],
    ['POST', 'clock/advance', { until: 'done' }, { until: 'must be "idle"' }],
    [
      'PUT',
      'clock',
      { mode: 'fast', speed: -1 },
      { mode: /^must be real, manual, instant,/, speed: 'must be at least 0' },
    ],
    ['PUT', 'active-scenarios/call', {}, { use: 'is required' }],
    ['PUT', 'active-scenarios/call', { use: [] }, { use: 'must not be empty' }],
    ['PUT', 'active-scenarios/call', { use: Array(1001).fill('busy') }, { use: 'must be at most 1000 items long' }],
    // Of digits without end, which would be kept.
    ['PUT', 'clock/tick', { every: LONG, url: 'http://127.0.0.1:9/' }, { every: /^must be a duration/ }],
    ['PUT', 'webhook-plan', { delay: LONG }, { delay: /^must be a duration/ }],
    ['PUT', 'faults', { latency: '1s', ttl: LONG }, { ttl: /^must be a duration/ }],
    [
      'POST',
      'webhook-subscriptions',
      { webhook_url: `http://127.0.0.1/${'p'.repeat(2048)}`, event_types: ['new_call'] },
      { webhook_url: 'must be at most 2048 characters long' },
    ],
    ['PUT', 'inbox/a', { respond: Array(1001).fill(200) }, { respond: 'must be at most 1000 items long' }],
    ['PUT', 'active-scenarios/call', { use: 5 }, { use: 'is 5; must be a string or an array' }],
    ['PUT', 'assumptions/concurrent_calls', { value: null }, { value: 'must be an integer from 1 to 1000000' }],
    ['PUT', 'assumptions/concurrent_calls', { value: true }, { value: 'is true; must be a string, a number or null' }],
    [
      'POST',
      'keys',
      { scopes: ['calls:raed'] },
      { 'scopes.0': /^must be one of account:read, .*; did you mean calls:read\?$/ },
    ],
    ['POST', 'keys', { requests_per_minute: 1.5 }, { requests_per_minute: 'is 1.5; must be an integer' }],
    ['POST', 'keys', { is_demo: 'yes' }, { is_demo: 'is a string; must be a boolean' }],
    ['POST', 'events', {}, { event_type: /^is required: one of new_call, / }],
    ['POST', 'events', { event_type: 'CALL_BUSY' }, { event_type: /; did you mean call_busy\?$/ }],
    ['POST', 'events', { event_type: 'call_busy', data: [] }, { data: 'is an array; must be an object' }],
    // In UTC, it is before the first year.
    [
      'POST',
      'simulate/new-appointment',
      { start_time: '0000-01-01T00:00:00+12:00' },
      { start_time: 'must be an ISO 8601 timestamp such as 2026-01-05T15:00:00.000Z' },
    ],
    ['POST', 'simulate/inbound-sms', { body: 'x'.repeat(1601) }, { body: 'must be at most 1600 characters long' }],
    [
      'POST',
      'worlds',
      { clok: 'manual' },
      { clok: 'is not a known field; allowed: name, fixtures, clock, assumptions; did you mean clock?' },
    ],
    ['POST', 'worlds', [], { body: 'is an array; must be an object' }],
    ['PUT', 'scenarios/mine', { kind: 'call' }, { summary: 'line 1, column 1: is required' }],
    [
      'PUT',
      'scenarios/mine',
      { kind: 'call', summary: 'Mine.', timelin: [] },
      { timelin: /^line 1, column \d+: is not a known field; .*; did you mean timeline\?$/ },
    ],
  ] as const)('%s %s, case %#, is 400, naming what is allowed', async (method, path, body, fields) => {
    const answer = await wire.send({
      method,
      path: `/_sandbox/${path}`,
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    });
    expectRefusal(answer, 400, 'validation_error', ...Object.keys(fields));
    for (const [name, expected] of Object.entries(fields)) {
      const message: string = answer.body.error.fields[name];
      if (typeof expected === 'string') expect(message).toBe(expected);
      else expect(message).toMatch(expected);
    }
  });
});
