// The request journal: `interface.md` section 5 (`/_sandbox/requests`, which values it redacts) and `--journal-limit`
// of section 1.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSandbox, type JournaledRequest } from '../../src/index.ts';
import { clientOf, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { stretched } from '../support/until.ts';
import { clientWith } from '../support/world.ts';

const { client, sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off' });

const latest = async (): Promise<JournaledRequest> =>
  (await client.get('/_sandbox/requests?page_size=1')).body.data[0] as JournaledRequest;

/** The journal entry of a dial with that body, as text. */
async function entryOf(body: string, type = 'application/json'): Promise<string> {
  await client.post('/v1/calls/dial', body, { 'Content-Type': type });
  return JSON.stringify(await latest());
}

const KIBIBYTE = 1024;
const secret = 'hunter2-5f1c';
const secretNames = ['api_key', 'token', 'signing_secret', 'source_secret', 'Authorization'];

describe('the journal has the body', () => {
  it.each([
    ['429, for one request too many', { requests_per_minute: 1 }, 429, {}],
    ['403, for a missing scope', { scopes: ['account:read'] }, 403, {}],
    ['400, for an unknown scenario', {}, 400, { 'X-Sandbox-Scenario': 'bussy' }],
  ])('of a request that is refused with %s', async (_, options, status, headers) => {
    const own = await createSandbox({ clock: 'manual' });
    try {
      const by = await clientWith(own.url, clientOf(own.url), options);
      await by.get('/v1/me');
      expect((await by.dial('+12125550101', headers)).status).toBe(status);
      const match = { operation: 'dialCall', body: { to_number: '+12125550101' } };
      const verified = await by.post('/_sandbox/requests/verify', { match, exactly: 1 });
      expect(verified.body.data).toMatchObject({ passed: true, actual: 1 });
    } finally {
      await own.close();
    }
  });
});

describe('the journal redacts a secret', () => {
  it.each(secretNames)('in the body field %s, whatever its type', async (name) => {
    for (const value of [secret, [secret], { value: secret }, [{ deep: ['}', secret] }], `a "quoted" ${secret}\\`]) {
      const entry = await entryOf(JSON.stringify({ from: 1, [name]: value, to_number: '+12125550101' }));
      expect(entry).not.toContain(secret);
      expect(entry).toContain('+12125550101');
    }
    // No port, id or time in the entry is like it.
    const number = 541_754_175_417_541;
    expect(await entryOf(`{"${name}":${number}}`)).not.toContain(String(number));
    expect(await entryOf(`{"${name.toUpperCase()}" : "${secret}"}`)).not.toContain(secret);
  });

  it.each([
    ['with an escaped letter', `{"tok\\u0065n":"${secret}"}`],
    ['with every letter escaped', `{"\\u0074\\u006F\\u006b\\u0065\\u006E":"${secret}"}`],
    ['with an escaped underscore', `{"api\\u005fkey":"${secret}"}`],
    ['in JSON inside a string', JSON.stringify({ inner: JSON.stringify({ token: secret, more: 1 }) })],
    ['in JSON cut off in the value', `{"token":"${secret}`],
    ['in JSON cut off in an array', `{"token":["${secret}","`],
    ['without quotes', `{token: "${secret}"}`],
    ['in single quotes', `{'token': '${secret}'}`],
    ['after a surplus quotation mark', `{"a": "b"c", "token": "${secret}"}`],
    ['in a form body', `from_number=1&token=${secret}&to_number=2`],
    ['on its own line', `to_number: 2\nauthorization: Bearer ${secret}\nfrom: 1`],
  ])('whose name is written %s', async (_, body) => {
    expect(await entryOf(body)).not.toContain(secret);
    expect(await entryOf(body, 'text/plain')).not.toContain(secret);
  });

  it('that the stored length or the body limit cuts in two', async () => {
    for (const size of [64 * KIBIBYTE, 256 * KIBIBYTE]) {
      const start = '{"filling":"';
      const middle = '","token":"';
      const filling = 'x'.repeat(size - start.length - middle.length - 6);
      const entry = await entryOf(`${start}${filling}${middle}${secret}-and-more-of-it"}`);
      expect(entry).not.toContain(secret.slice(0, 6));
    }
  });

  it('that is an API key, cut in two or escaped', async () => {
    const { api_key } = (await client.post('/_sandbox/keys', {})).body.data;
    const filling = 'x'.repeat(64 * KIBIBYTE - 40);
    expect(await entryOf(`{"filling":"${filling}","note":"${api_key}"}`)).not.toContain(api_key.slice(0, 12));
    expect(await entryOf(`{"note":"${api_key.replace('_', '\\u005f')}"}`)).not.toContain(api_key.slice(-20));
  });

  it.each([
    ['with the name in plain', `token=${secret}&page_size=1`, 'page_size=1'],
    ['with the name in another case', `Authorization=${secret}&page_size=1`, 'page_size=1'],
    ['with the name percent-encoded', `page_size=1&tok%65n=${secret}`, 'page_size=1'],
    ['as a percent-encoded API key', 'note=svc%5Fsandbox%5Fdefault&page_size=1', 'page_size=1'],
    ['beside a malformed percent-encoding', `%zz=1&api_key=${secret}`, '%zz=1'],
  ])('in the query %s', async (_, query, rest) => {
    await client.get(`/v1/calls?${query}`);
    const entry = await latest();
    expect(entry.query.split('&')).toContain(rest);
    expect(entry.query).toContain('[redacted]');
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${secret}|default&`));
  });

  it.each(['Token', 'api_key', 'Proxy-Authorization', 'Cookie', 'X-Source-Secret'])(
    'in the header %s',
    async (name) => {
      await client.get('/v1/account', { [name]: secret });
      const { request } = await latest();
      expect(request.headers).toMatchObject({ authorization: '[redacted]', [name.toLowerCase()]: '[redacted]' });
    },
  );
});

describe('the journal is fast on a malicious body', () => {
  it.each([
    ['backslashes', `token${'\\'.repeat(250 * KIBIBYTE)}`],
    ['white space', `token${' '.repeat(250 * KIBIBYTE)}`],
    ['quotation marks', `"token":\\"${'\\\\"'.repeat(80 * KIBIBYTE)}`],
    ['brackets', `"token":${'['.repeat(250 * KIBIBYTE)}`],
    ['names', '"token":{'.repeat(28 * KIBIBYTE)],
    ['words', 'token '.repeat(42 * KIBIBYTE)],
    ['credentials', `{"note":"token ${'Bearer a '.repeat(30 * KIBIBYTE)}"}`],
    ['addresses', `{"webhook_url":"@${'://a'.repeat(60 * KIBIBYTE)}"}`],
    ['elements', '<token>'.repeat(35 * KIBIBYTE)],
    ['parts', 'name="token"\n'.repeat(18 * KIBIBYTE)],
    ['beginnings of tokens', `{"note":"${'eyJ'.repeat(80 * KIBIBYTE)}"}`],
  ])('of %s', async (_, body) => {
    const began = performance.now();
    await entryOf(body);
    expect(performance.now() - began).toBeLessThan(stretched(1000));
  });
});

describe('the journal keeps the exact text', () => {
  it.each([
    '{"contact_token":"ctk_1","to_number":"+12125550101"}',
    '{"note":"the token: abc, and Authorization: Bearer"}',
    '{ "token" : null, "caf\\u00e9" : "\\u0041" }',
    '{"tokens":["a"],"token_count":3,"my_token":"m"}',
  ])('of the body %s', async (body) => {
    await client.post('/v1/calls/dial', body);
    const { request } = await latest();
    expect(request.body).toBe(body);
    expect(request.body_sha256).toBe(createHash('sha256').update(body).digest('hex'));
  });

  it('around a redacted secret, with the length and hash of the original body', async () => {
    const body = `{ "to_number":"+12125550101",\t"token" : "${secret}", "n": 1.0 }`;
    await client.post('/v1/calls/dial', body);
    const { request } = await latest();
    expect(request).toMatchObject({
      body: '{ "to_number":"+12125550101",\t"token" : "[redacted]", "n": 1.0 }',
      body_bytes: body.length,
      body_sha256: createHash('sha256').update(body).digest('hex'),
    });
  });
});

describe('a filter of the journal', () => {
  it('leaves the requests that have all that is asked for, paths by glob', async () => {
    const by = clientOf(sandbox.url, 'svc_test_filters');
    const id = await by.call('+12125550101');
    await by.get(`/v1/calls/${id}`);
    await by.get('/v1/agents');
    await by.post('/_sandbox/clock/advance', { by: '1s' });
    await by.get('/v1/nowhere');
    const found = async (query: string): Promise<string[]> => {
      const { data } = (await by.get(`/_sandbox/requests?${query}`)).body;
      return data.map(({ method, path }: JournaledRequest) => `${method} ${path}`).reverse();
    };
    const [dial, call, agents, nowhere] = [
      'POST /v1/calls/dial',
      `GET /v1/calls/${id}`,
      'GET /v1/agents',
      'GET /v1/nowhere',
    ];
    expect(await found('method=get')).toEqual([call, agents, nowhere]);
    expect(await found('path=/v1/calls/*')).toEqual([dial, call]);
    expect(await found('path=/v1/**&status=200')).toEqual([call, agents]);
    expect(await found('path=/v1/agents')).toEqual([agents]);
    expect(await found('operation=dialCall')).toEqual([dial]);
    expect(await found('since=2026-01-05T15:00:01Z')).toEqual([nowhere]);
    const misspelt = await by.get('/_sandbox/requests?operation=dialcall');
    expectError(misspelt, 400, 'validation_error');
    expect(misspelt.body.error.fields.operation).toMatch(/did you mean dialCall\?$/);
  });
});

describe('--journal-limit', () => {
  it('keeps that many requests, and the list reports how many were dropped', async () => {
    const own = await createSandbox({ clock: 'manual', journalLimit: 3 });
    const by = clientOf(own.url);
    for (let sent = 0; sent < 5; sent++) await by.get('/v1/account');
    const { data, meta } = (await by.get('/_sandbox/requests?page_size=2')).body;
    expect(data).toHaveLength(2);
    expect(meta).toEqual({ cursor: expect.any(String), total_results: 3, page_size: 2, dropped: 2 });
    await own.close();
  });
});

describe('a long page of the journal', () => {
  it('is written in parts, which are one answer, as its client reads them', async () => {
    const body = { from_number: '+14155550190', note: 'x'.repeat(60_000) };
    for (let n = 0; n < 30; n++) await client.post('/v1/calls/dial', body);
    const answer = await client.get('/_sandbox/requests?page_size=1000');
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    const entries = answer.body.data.filter(({ operation }: { operation: string }) => operation === 'dialCall');
    expect(entries.length).toBeGreaterThanOrEqual(30);
    expect(entries[0].request.body).toContain('xxx');
    expect(entries[0].request.body_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.body.meta.page_size).toBe(1000);
  });
});
