// Whatever text or list a request to the control API has, however long and however often it comes, the server keeps no more
// of it than its memory has room for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { type Client, clientOf } from '../support/client.ts';

const MB = 1024 ** 2;
const LONG = 200_000;
const TIMES = 60;
const NOWHERE = 'http://127.0.0.1:9';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Sample = readonly [method: 'put' | 'post', path: string, body: Json];

const plan = { delay: '0s..1ms', retries: ['1s', '5m'], timeout: { answer: '9s' }, paused: true };
/** A request of each operation that stores something of what it is sent; `{n}` is a number of its own. */
const samples: readonly Sample[] = [
  ['put', '/scenarios/mine-{n}', { kind: 'call', summary: 'Busy.', extends: 'busy', numbers: [] }],
  ['put', '/active-scenarios/call', { use: ['answered', 'busy'] }],
  ['put', '/faults', { path: '/v1/agents', respond: { status: 502, body: { name: 'text' } }, skip: 9 }],
  ['put', '/faults', { faults: [{ path: '/v1/agents', respond: { status: 502, body: 'text' } }] }],
  ['post', '/snapshots', { name: 'snapshot-{n}' }],
  ['post', '/keys', { is_demo: true, scopes: ['calls:read'] }],
  ['post', '/events', { event_type: 'contact_created', data: { name: 'text' } }],
  ['put', '/inbox/inbox-{n}', { respond: [500], delay: '0s' }],
  ['post', '/inbox/inbox-{n}', { name: 'text' }],
  ['post', '/webhook-subscriptions', { webhook_url: `${NOWHERE}/{n}`, event_types: ['sms_sent'], plan }],
  ['put', '/webhook-subscriptions/{subscription}', { signing_secret: 'text', plan }],
  ['put', '/webhook-plan', plan],
  ['put', '/clock/tick', { every: '1s', url: NOWHERE }],
  ['post', '/simulate/inbound-sms', { body: 'text' }],
  ['post', '/simulate/inbound-call', { scenario: 'answered' }],
  ['post', '/simulate/new-contact', { name: 'text', email: 'a@b.example', source: 'text', metadata: { name: 'text' } }],
  ['post', '/simulate/new-appointment', { title: 'text', contact_name: 'text', contact_email: 'a@b.example' }],
  ['put', '/calling-rules', { do_not_call: ['+12125550177'], days: ['Monday'], from: '09:00:00', until: '17:59:59' }],
  ['put', '/assumptions/web_calls', { value: 'none' }],
  ['put', '/clock', { mode: 'manual' }],
  ['post', '/worlds', { name: 'world-{n}', assumptions: { web_calls: 'none' } }],
];

/** What the others read of a body is gone with the request, or a word or a number of the server's own. */
const storeNothing = [
  'post /calls/{id}/decision',
  'post /clock/advance',
  'post /lead-sources/{id}/rotate',
  'post /requests/verify',
  'post /scenarios/{name}/check',
];

/** The sample with one of its texts long, one of its lists long, or with one long name more. */
function* enlarged(value: Json): Generator<Json> {
  if (typeof value === 'string') yield `${value}${'x'.repeat(LONG)}`;
  else if (Array.isArray(value)) {
    const [first = 'text'] = value as readonly Json[];
    yield Array.from({ length: 1000 }, () => first);
    for (const item of enlarged(first)) yield [item];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value))
      for (const large of enlarged(field)) yield { ...value, [name]: large };
    yield { ...value, ['x'.repeat(LONG)]: 1 };
  }
}

const numbered = (body: Json, n: number): object => JSON.parse(JSON.stringify(body).replaceAll('{n}', String(n)));

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
  sandbox = await createSandbox({ memory: '16mb', rateLimit: 'off', clock: 'manual' });
  client = clientOf(sandbox.url);
});
afterAll(() => sandbox.close());

describe('what is kept of a request to the control API', () => {
  const before = bytesInUse();

  it.each(samples)('has a bound: %s %s', async (method, path, body) => {
    await client.post('/_sandbox/reset');
    const own = { webhook_url: NOWHERE, event_type: 'call_busy' };
    const subscription = (await client.post('/api/v1/webhook_subscriptions', own)).body.id;
    let sent = 0;
    let accepted = 0;
    for (const large of [body, ...enlarged(body)]) {
      for (let n = 0; n < TIMES; n++) {
        sent += 1;
        const at = path.replace('{n}', String(sent)).replace('{subscription}', subscription);
        const { status } = await client[method](`/_sandbox${at}`, numbered(large, sent));
        expect(status).toBeLessThan(500);
        if (status >= 400) break;
        accepted += 1;
      }
    }
    expect(accepted, 'how many of them were accepted').toBeGreaterThan(0);
    const { records, journals } = (await client.get('/_sandbox/health')).body.data.memory.shares;
    expect(records.used_bytes).toBeLessThan(1.1 * records.limit_bytes);
    expect(journals.used_bytes).toBeLessThan(1.1 * journals.limit_bytes);
  });

  it('is asked of every operation that stores what it is sent', async () => {
    const { paths } = (await client.get('/_sandbox/openapi.json')).body;
    const withBody = Object.entries<Record<string, { requestBody?: object }>>(paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) =>
        item[method]?.requestBody ? `${method} ${path.replace('/_sandbox', '')}` : [],
      ),
    );
    const isAsked = (operation: string): boolean => {
      const form = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`);
      return samples.some(([method, path]) => form.test(`${method} ${path}`));
    };
    const others = withBody.filter((each) => !isAsked(each));
    expect(others.sort()).toEqual(storeNothing);
  });

  it('fits the memory of the server in all', () => {
    expect(bytesInUse() - before).toBeLessThan(32 * MB);
  });
});
