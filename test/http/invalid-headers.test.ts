// Headers that are not valid: idempotency keys, control headers and headers over the limit (`interface.md` section 3;
// the assumptions idempotency and extra_error_codes). Nothing is stored.
import { describe, expect, it } from 'vitest';
import { expectError, NOWHERE } from '../support/client.ts';
import { answerOf, sendBytes } from '../support/wire.ts';
import { expectRefusal, named, useUnchangedPlatform } from './setup.ts';

const { sandbox, client, dial } = useUnchangedPlatform({ rateLimit: 'off' });

describe('an idempotency key that is not a UUID', () => {
  it.each(
    named([
      '',
      '""',
      'order-17',
      '123',
      '00000000000040008000000000000000',
      '{00000000-0000-4000-8000-000000000000}',
      'urn:uuid:00000000-0000-4000-8000-000000000000',
      '"00000000-0000-4000-8000-000000000000',
      "'00000000-0000-4000-8000-000000000000'",
      '00000000-0000-4000-8000-00000000000g',
      '00000000-0000-4000-8000-0000000000000',
      '00000000-0000-4000-8000-000000000000, 00000000-0000-4000-8000-000000000000',
      '__proto__',
      'x'.repeat(5000),
    ]),
  )('%s is 400', async (_, key) => {
    expectRefusal(await dial({}, { headers: { 'Idempotency-Key': key } }), 400, 'validation_error', 'Idempotency-Key');
  });

  it('two headers at once are 400', async () => {
    const answer = await dial({}, { headers: { 'Idempotency-Key': [NOWHERE, NOWHERE] } });
    expectRefusal(answer, 400, 'validation_error', 'Idempotency-Key');
  });
});

describe('a malformed control header', () => {
  const long = 'x'.repeat(5000);
  it.each(
    named([
      ['X-Sandbox-Scenario', '__proto__'],
      ['X-Sandbox-Scenario', 'constructor'],
      ['X-Sandbox-Scenario', '../../package'],
      ['X-Sandbox-Scenario', 'busy,answered'],
      ['X-Sandbox-Scenario', 'busy;'],
      ['X-Sandbox-Scenario', ';ring=2s'],
      ['X-Sandbox-Scenario', 'b\u00fcsy'],
      ['X-Sandbox-Scenario', long],
      ['X-Sandbox-Scenario', `answered;ring=${long}`],
      ['X-Sandbox-Scenario', `answered;${long}=2s`],
      ['X-Sandbox-Scenario', 'answered;__proto__=2s'],
      ['X-Sandbox-Scenario', 'answered;constructor=2s'],
      ['X-Sandbox-Scenario', 'answered;ring=-2s'],
      ['X-Sandbox-Scenario', 'answered;ring=4s..2s'],
      ['X-Sandbox-Scenario', 'answered;ring=1e3s'],
      ['X-Sandbox-Scenario', 'answered;ring=99999999999999999999d'],
      ['X-Sandbox-Error', '__proto__'],
      ['X-Sandbox-Error', 'constructor'],
      ['X-Sandbox-Error', 'toString'],
      ['X-Sandbox-Error', 'no_consent, no_consent'],
      ['X-Sandbox-Error', long],
      ['X-Sandbox-Delay', 'Infinitys'],
      ['X-Sandbox-Delay', 'NaNms'],
      ['X-Sandbox-Delay', '1e9s'],
      ['X-Sandbox-Delay', '0x10s'],
      ['X-Sandbox-Delay', '60001ms'],
      ['X-Sandbox-Delay', `${'9'.repeat(400)}ms`],
      ['X-Sandbox-Fault', '__proto__'],
      ['X-Sandbox-Fault', 'constructor;when=before'],
      ['X-Sandbox-Fault', 'reset, reset'],
      ['X-Sandbox-Fault', long],
      ['X-Sandbox-World', 'other'],
      ['X-Sandbox-__proto__', 'x'],
      ['X-Sandbox-constructor', 'x'],
      [`X-Sandbox-${'x'.repeat(3000)}`, 'x'],
    ]),
  )('%s is 400, naming the header', async (_, name, value) => {
    const answer = await dial({}, { headers: { [name]: value } });
    expectRefusal(answer, 400, 'validation_error');
    const [field = ''] = Object.keys(answer.body.error.fields);
    expect(field.toLowerCase()).toBe(name.toLowerCase());
  });

  it('a malformed scenario reference is 400 when it is made active', async () => {
    for (const use of ['answered;constructor=2s', '__proto__', 'constructor', 'answered;__proto__=2s']) {
      const answer = await client.put('/_sandbox/active-scenarios/call', { use });
      expectRefusal(answer, 400, 'validation_error');
    }
  });
});

it('a control header after a thousand others is 400, naming it', async () => {
  const lines = ['GET /v1/me HTTP/1.1', 'Host: x', 'Authorization: Bearer svc_sandbox_default'];
  const others = Array.from({ length: 1100 }, () => 'b:');
  const bytes = [...lines, ...others, 'X-Sandbox-Nope: 1', 'Connection: close', '', ''].join('\r\n');
  const answer = answerOf(await sendBytes(sandbox.url, bytes));
  expectError(answer, 400, 'validation_error');
  expect(answer.text).toContain('is not a known control header');
});

describe('headers over 8 KiB', () => {
  const request = (lines: string[]): string =>
    ['GET /v1/me HTTP/1.1', 'Host: x', 'Authorization: Bearer svc_sandbox_default', ...lines, '', ''].join('\r\n');

  it.each([
    ['one header', () => request([`X-Note: ${'x'.repeat(9000)}`])],
    ['many headers', () => request(Array.from({ length: 500 }, (_, at) => `X-Note-${at}: 0123456789`))],
    ['a key', () => request([`X-Other: y`]).replace('svc_sandbox_default', `svc_test_${'x'.repeat(9000)}`)],
    ['a query', () => request([]).replace('/v1/me', `/v1/me?x=${'x'.repeat(9000)}`)],
  ])('in %s are 431', async (_, bytes) => {
    const got = await sendBytes(sandbox.url, bytes());
    expect(got.outcome).toBe('ended');
    const answer = answerOf(got);
    expect(answer.headers['content-type']).toBe('application/json');
    expectRefusal(answer, 431, 'headers_too_large');
  });
});
