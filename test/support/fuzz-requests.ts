// Random requests to every operation of the contract: each part of a request is drawn on its own, from valid values to
// nonsense.
import fc from 'fast-check';
import { FROM } from './client.ts';
import { type ContractOperation, operations } from './operations.ts';
import { JSON_TYPE, type Outgoing } from './wire.ts';

/** Ids of existing records, by the first segment of their path. */
export type KnownIds = Readonly<Record<string, string>>;

const reserved = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'null', 'undefined', 'NaN'];
const uuids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const encoded = fc.string({ unit: 'binary-ascii', maxLength: 12 }).map(encodeURIComponent);
const latin1 = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 40,
});

const often = <T>(usual: T, weight: number, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

function paths({ template }: ContractOperation, ids: KnownIds): fc.Arbitrary<string> {
  const resource = /^\/(?:api\/)?v1\/([\w-]+)/.exec(template)?.[1] ?? '';
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constant(ids[resource] ?? 'x') },
    { weight: 2, arbitrary: fc.constantFrom(...reserved, ...uuids, ...Object.values(ids)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '%2e%2e', '..', '%2F', ';', '%F0%9F', 'a'.repeat(4000), ''),
    },
    { weight: 1, arbitrary: encoded },
  );
  const whole = id.map((drawn) => template.replace(/\{\w+\}/g, drawn));
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    { weight: 1, arbitrary: whole.map((path) => path.toUpperCase()) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.constantFrom('/', '//', '/..', ';v=1', '%20', '#x', '.json'))
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: encoded.map((segment) => `/v1/${segment}`) },
  );
}

const queries: fc.Arbitrary<string> = often(
  '',
  3,
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom('page_size', 'cursor', 'page_size', 'cursor', 'limit', 'PAGE_SIZE', 'page_size[]', '', '%zz'),
          fc.constantFrom(...reserved),
          encoded,
        ),
        fc.oneof(
          fc.constantFrom('1', '100', '0', '-1', '101', '1.5', '1e9', '%', '%ff', '%00', '', 'null', 'x'.repeat(300)),
          encoded,
        ),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
);

const keys: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 10, arbitrary: fc.constant('svc_sandbox_default') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      '',
      'svc_sandbox_metadata',
      'svc_sandbox_webrtc',
      'svc_sandbox_revoked',
      'svc_sandbox_other',
      'svc_test_fuzz',
      'svc_test_',
      'svc_test___proto__',
      '__proto__',
    ),
  },
  { weight: 1, arbitrary: latin1 },
);

const odd: fc.Arbitrary<string> = fc.oneof(fc.constantFrom('', ...reserved, '0', '-1', 'x'.repeat(3000)), latin1);
const header = (name: string, ...values: string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom('', ...values) }, { weight: 1, arbitrary: odd })
    .map((value) => ({ [name]: value }));

/** Includes valid scenarios and errors, whose errors are expected then. */
const otherHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  header('Idempotency-Key', ...uuids, `"${uuids[0]}"`, `"${uuids[0]}`, 'abc'),
  header('X-Sandbox-Error', 'no_consent', 'internal_error', 'provider_api_error', 'busy', 'NO_CONSENT'),
  header(
    'X-Sandbox-Scenario',
    'answered',
    'busy;ring=2s',
    'room_creation_failed',
    'verification_call',
    'busy;',
    'a;b=c',
  ),
  header('X-Sandbox-Delay', '0ms', '1ms', '61s', '1', '1e3s'),
  header('X-Sandbox-Fault', 'rest', 'reset;when=', 'reset,empty'),
  header('X-Sandbox-World', 'default'),
  header('X-Sandbox-Nonsense', 'x'),
  header('X-Source-Secret', 'sandbox_lead_secret'),
  header('Host', 'a/b', 'a b', '"><script>', '[::1]:1', 'x'.repeat(300)),
  header('Accept', 'text/html', 'application/xml;q=0.9', '*/*'),
  header('Content-Encoding', 'gzip', 'identity', 'br, gzip'),
  header('If-None-Match', '*', 'W/"x"'),
  header('Range', 'bytes=0-1', 'bytes=-'),
  header('Origin', 'null', 'https://app.example.com'),
  header('X-HTTP-Method-Override', 'DELETE'),
  header('X-Forwarded-Host', 'evil.example'),
  header('Cookie', 'a=b; __proto__=c'),
);

const contentTypes: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ ...JSON_TYPE }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('text/plain', 'application/json; charset=latin1', 'application/json;', 'a/b;'.repeat(900), '')
      .map((type) => ({ 'Content-Type': type })),
  },
  { weight: 1, arbitrary: fc.constant({}) },
);

const validBodies: Readonly<Record<string, readonly object[]>> = {
  dialCall: [
    { from_number: FROM, to_number: '+12125550100' },
    { from_number: FROM, to_number: '+12125550111', note: [1, { a: null }] },
    { from_number: '+14155550193', to_number: '+12125550101' },
  ],
  createCall: [{ agent_id: '00000000-0000-4000-8000-000000000000', to_number: '+12125550100' }],
  createJob: [
    { agent_id: '00000000-0000-4000-8000-000000000000', to_numbers: ['+12125550100'], concurrency: 2 },
    { agent_id: '00000000-0000-4000-8000-000000000000', contact_ids: ['00000000-0000-4000-8000-000000000000'] },
  ],
  createLead: [{ name: 'Lena', phone_number: '+14155550179', metadata: {} }],
  createClientToken: [{ scopes: ['calls:read'], expires_in: 60 }],
  createRoomToken: [{ agent_id: '00000000-0000-4000-8000-000000000000' }],
  createCallerId: [{ phone_number: '+14155550155' }],
  verifyCallerId: [{ verification_code: '000000' }],
  updateAgent: [{ name: 'Reception', enabled: true }],
  createWebhookSubscription: [{ webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' }],
};
const anyBody = fc.constantFrom(...Object.values(validBodies).flat());
const fieldNames = [
  ...new Set(
    Object.values(validBodies)
      .flat()
      .flatMap((body) => Object.keys(body)),
  ),
];
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '911',
    '+1',
    '+12125550100',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    '\ud800',
    '\u0000',
    'x'.repeat(5000),
  ),
  fc.constantFrom<unknown>(
    'http://169.254.169.254/',
    'ftp://x',
    'javascript:1',
    'http://[::ffff:7f00:1]:1/',
    'https://user:pw@x/',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const nonsense = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[[[['.repeat(50),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"note":"${'x'.repeat(300_000)}"}`,
  '\ufeff{}',
  '{"a":1e400}',
];

function bodies({ id, example = {} }: ContractOperation): fc.Arbitrary<string | Buffer | undefined> {
  const valid = fc.constantFrom(...(validBodies[id] ?? [example]));
  return fc.oneof(
    { weight: 10, arbitrary: valid.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: anyBody.map((body) => JSON.stringify(body)) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(valid, fc.constantFrom(...fieldNames, ...reserved.slice(1)), values)
        .map(([body, name, value]) => JSON.stringify({ ...body, [name]: value })),
    },
    { weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: fc.constantFrom(...nonsense) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Requests to every operation, those with a body more often: most can go wrong in it. */
export function randomRequests(ids: KnownIds): fc.Arbitrary<Outgoing> {
  const withBody = operations.filter(({ takesBody }) => takesBody);
  return fc.constantFrom(...operations, ...withBody, ...withBody, ...withBody).chain((operation) =>
    fc
      .record({
        method: often(operation.method, 9, fc.constantFrom(...methods)),
        path: paths(operation, ids),
        query: queries,
        key: keys,
        type: contentTypes,
        headers: often<Record<string, string>>(
          {},
          2,
          fc.tuple(otherHeaders, otherHeaders).map(([a, b]) => ({ ...a, ...b })),
        ),
        body: bodies(operation),
        chunked: often(false, 5, fc.constant(true)),
      })
      .map(({ path, query, type, headers, ...rest }) => ({
        ...rest,
        path: path + query,
        headers: { ...type, ...headers },
      })),
  );
}
