// A secret that a client puts anywhere in its requests is neither in the journals nor in the state file: `interface.md`
// section 5, what is redacted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { watch } from '../stream/setup.ts';
import { type Client, clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { startReceiver } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';

const folderOf = temporaryFolders();
const { sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off', webhookHttp: 'any' });
const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';

/** Letters and digits in any order, beginning with each. */
const secret = fc.stringMatching(/^[a-z][0-9][A-Za-z0-9]{22}$/);
const words = fc.constantFrom(
  ...['api key', 'token', 'signing secret', 'source secret', 'control key', 'authorization', 'access token'],
  ...['client secret', 'password', 'refresh token', 'secret', 'cookie', 'x api key', 'x source secret', 'auth token'],
  ...['new password', 'db password', 'pwd', 'aws secret access key', 'github token', 'stripe key', 'encryption key'],
);
const separator = fc.constantFrom('', '-', '_');
const spelling = fc
  .tuple(words, separator, fc.boolean())
  .map(([name, between, upper]) => (upper ? name.toUpperCase() : name).replaceAll(' ', between));

type Plant = (by: Client, secret: string, name: string) => Promise<unknown>;
const dial = (by: Client, body: object | string, headers = {}): Promise<unknown> =>
  by.post('/v1/calls/dial', body, headers);

/** Every place where a client can put a secret. */
const places: readonly [string, Plant][] = [
  ['a header', (by, value, name) => by.get('/v1/account', { [name.replaceAll(' ', '-')]: value })],
  ['a field', (by, value, name) => dial(by, { to_number: '+12125550101', [name]: value })],
  ['a field within', (by, value, name) => dial(by, { metadata: [{ [name]: { deep: [value] } }] })],
  ['a field of another body', (by, value, name) => by.post('/v1/client-tokens', { [name]: value })],
  ['malformed JSON', (by, value, name) => dial(by, `{"${name}": "${value}", `)],
  [
    'a form',
    (by, value, name) => dial(by, `a=1&${name}=${value}&b=2`, { 'Content-Type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'XML',
    (by, value, name) => dial(by, `<call><${name}>${value}</${name}></call>`, { 'Content-Type': 'application/xml' }),
  ],
  [
    'a part of a form',
    (by, value, name) =>
      dial(by, `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--`, {
        'Content-Type': 'multipart/form-data; boundary=b',
      }),
  ],
  ['a parameter', (by, value, name) => by.get(`/v1/calls?page_size=1&${name}=${value}`)],
  [
    'an address in a parameter',
    (by, value, name) => by.get(`/v1/calls?next=${encodeURIComponent(`https://a.test/?${name}=${value}`)}`),
  ],
  ['a Bearer token in text', (by, value) => dial(by, { note: `curl -H 'Authorization: Bearer ${value}'` })],
  ['a Bearer token in a header', (by, value) => by.get('/v1/account', { 'X-Forwarded-Auth': `bearer ${value}` })],
  ['a test key in a path', (by, value) => by.get(`/v1/calls/svc_test_${value}`)],
  ['an escaped test key in a path', (by, value) => by.get(`/v1/calls/svc%5Ftest_${value}`)],
  ['a test key that is refused', (_, value) => clientOf(sandbox.url, `svc_test_a b.${value}`).get('/v1/calls')],
  ['an unknown key', (_, value) => clientOf(sandbox.url, `svc_key_${value}`).get('/v1/calls')],
  ['a rotated lead token', (by, value) => by.post(`/v1/leads/ltk_${Buffer.from(value).toString('hex')}`, {})],
  ['an address with a password', (by, value) => subscribe(by, `https://user:${value}@hooks.example.test/`)],
  ['an address with a user', (by, value) => dial(by, { note: `see https://${value}@hooks.example.test/x` })],
  ['a parameter of a webhook', (by, value, name) => subscribe(by, `http://127.0.0.1:9/hook?a=1&${name}=${value}`)],
  ['a signature of a webhook', (by, value) => subscribe(by, `http://127.0.0.1:9/hook?sig=${value}`)],
  [
    'a webhook that is refused for its fragment',
    (by, value, name) => subscribe(by, `http://127.0.0.1:9/hook?a=1&${name}=${value}#here`),
  ],
  [
    'a webhook that is refused for a space',
    (by, value) => subscribe(by, `http://127.0.0.1:9/my hooks/${value}?sig=${value}`),
  ],
  [
    'a list of webhooks, which is refused',
    (by, value) =>
      by.post(SUBSCRIPTIONS, { webhook_url: [`http://127.0.0.1:9/?sig=${value}`], event_type: 'new_call' }),
  ],
  ['the path of a webhook', (by, value) => subscribe(by, `http://127.0.0.1:9/services/T0/B0/${value}`)],
];

async function subscribe(by: Client, webhook_url: string): Promise<void> {
  await by.post(SUBSCRIPTIONS, { webhook_url, event_type: 'new_call' });
  await by.get(SUBSCRIPTIONS);
}

/** The spellings of a value that a journal could have. */
const forms = (value: string): string[] => [
  value,
  Buffer.from(value).toString('hex'),
  value.slice(0, 12),
  value.slice(-12),
];

describe('a secret', () => {
  it.each(places)('in %s is in no journal', async (what, plant) => {
    let world = 0;
    await fc.assert(
      fc.asyncProperty(secret, spelling, async (value, name) => {
        fc.pre(!(what === 'XML' || what === 'a header') || !name.includes(' '));
        const by = clientOf(sandbox.url, `svc_test_planted-${what.replace(/\W/g, '')}-${world++}`);
        await by.get('/v1/me');
        await plant(by, value, name);
        const journals = await Promise.all(
          [by, clientOf(sandbox.url)].flatMap((each) => [
            each.get('/_sandbox/requests'),
            each.get('/_sandbox/deliveries'),
          ]),
        );
        const text = journals.map((each) => each.text).join();
        expect(text).toContain('/v1/me');
        for (const form of forms(value)) expect(text, name).not.toContain(form);
      }),
      { numRuns: runs(4, 40) },
    );
  });

  it('of a webhook is not in its deliveries, and neither is one in the answer of the receiver', async () => {
    const receiver = await startReceiver();
    receiver.onDelivery = (_, res) =>
      res.writeHead(401, { 'Set-Cookie': 'session=planted-cookie-1' }).end('{"token":"planted-answer-1"}');
    const by = clientOf(sandbox.url, 'svc_test_deliveries');
    await subscribe(by, `${receiver.url}/T0/a1b2c3d4e5f6a7b8c9d0e1f2?token=planted-query-1&team=blue`);
    await by.dial('+12125550101');
    await by.post('/_sandbox/clock/advance', { by: '1s' });
    const { text, body } = await by.get('/_sandbox/deliveries');
    expect(receiver.got[0]?.path).toContain('a1b2c3d4e5f6a7b8c9d0e1f2?token=planted-query-1');
    expect(body.data[0].url).toBe(`${receiver.url}/T0/[redacted]?token=[redacted]&team=blue`);
    expect(body.data[0].attempts[0].response.status).toBe(401);
    expect(text).not.toMatch(/planted-|a1b2c3d4e5f6a7b8c9d0e1f2/);
    await receiver.close();
  });

  it('of the address of a tick is not in the ticks that were sent, nor in the stream', async () => {
    const receiver = await startReceiver({ checks: false });
    const by = clientOf(sandbox.url, 'svc_test_ticks');
    const url = `${receiver.url}/T0/a1b2c3d4e5f6a7b8c9d0e1f2?token=planted-query-1&team=blue`;
    await by.put('/_sandbox/clock/tick', { every: '1m', url });
    await by.post('/_sandbox/clock/advance', { by: '1m' });
    expect(receiver.got[0]?.path).toContain('a1b2c3d4e5f6a7b8c9d0e1f2?token=planted-query-1');
    const { text, body } = await by.get('/_sandbox/clock/ticks');
    expect(body.data[0].url).toBe(`${receiver.url}/T0/[redacted]?token=[redacted]&team=blue`);
    const stream = await watch(sandbox.url, 'svc_test_ticks', { since: 'start', types: 'tick' });
    const told = await stream.until(({ type }) => type === 'tick');
    expect(told.data.url).toBe(body.data[0].url);
    await stream.leave();
    expect(text).not.toMatch(/planted-|a1b2c3d4e5f6a7b8c9d0e1f2/);
    await receiver.close();
  });

  it('of an answer that a fault gives is not in the journal, whatever the case of its header', async () => {
    const by = clientOf(sandbox.url, 'svc_test_answers');
    const headers = {
      'Set-Cookie': 'planted-cookie-1',
      AUTHORIZATION: 'planted-key-1',
      'X-Note': 'Bearer planted-note-1',
    };
    await by.put('/_sandbox/faults', { respond: { status: 502, headers: { ...headers, Via: 'gateway' } } });
    expect((await by.get('/v1/me')).status).toBe(502);
    const { text, body } = await by.get('/_sandbox/requests');
    expect(body.data[0].response.headers).toMatchObject({ 'Set-Cookie': '[redacted]', Via: 'gateway' });
    expect(text).not.toContain('planted-');
  });

  it('of a request is not in the state file', async () => {
    const file = join(folderOf(), 'state.json');
    const own = await createSandbox({ clock: 'manual', state: file });
    const by = clientOf(own.url);
    const value = 'x1planted0in0the0state';
    for (const [what, plant] of places) if (!/webhook/.test(what)) await plant(by, value, 'apiKey');
    await own.close();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"requests"');
    for (const form of forms(value)) expect(text).not.toContain(form);
  });
});
