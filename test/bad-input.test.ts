// Bad input: the right 4xx in the envelope of `spec.md` "Errors", and nothing stored. `interface.md` section 3 (order
// of checks, control headers) and the ledger's body_limits, extra_error_codes, idempotency and unknown_body_fields.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { hostileRequests } from './support/fuzz-requests.ts';
import { keyedOperations, operations } from './support/operations.ts';
import { runs } from './support/thorough.ts';
import { stretched } from './support/until.ts';
import { ownHeaders, rightPath, shownWorld } from './support/valid-request.ts';
import { answerIn, exchange, JSON_TYPE, type Outgoing, type Wire, wireTo } from './support/wire.ts';

const LIMIT = 256 * 1024;
/** Enough to find what is easily found; the bench asks for fifty times as many. */
const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? runs(300, 2000));
const NOWHERE = '00000000-0000-4000-8000-000000000000';
/** What a long value is called in the name of a test. */
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 20)}… (${text.length})` : text);
const named = (rows: readonly (string | readonly string[])[]): [string, ...string[]][] =>
  rows.map((row) => [[row].flat().map(brief).join(': '), ...[row].flat()]);

const RESERVED = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

let sandbox: Sandbox;
let client: Client;
let wire: Wire;
let agentId: string;
let callId: string;

/** What the world shows before a request: untouched, or with what was made for the request. */
let untouched: unknown;
let pristine: unknown;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
  agentId = (await client.get('/v1/agents')).body.data[0].id;
  callId = (await client.get('/v1/calls')).body.data[0].id;
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

const dialBody = (fields: object = {}): string =>
  JSON.stringify({ from_number: FROM, to_number: '+12125550100', ...fields });

const dial = (rest: Partial<Outgoing> = {}): Promise<Answer> =>
  wire.send({ method: 'POST', path: '/v1/calls/dial', headers: JSON_TYPE, body: dialBody(), ...rest });

const dialWith = (headers: Outgoing['headers']): Promise<Answer> => dial({ headers: { ...JSON_TYPE, ...headers } });

/** A refusal, with nothing in it about how the server is made. */
function expectRefusal(answer: Answer, status: number, code: string, ...fields: string[]): void {
  expectError(answer, status, code);
  expectNothingInternal(answer.text);
  if (fields.length > 0) expect(Object.keys(answer.body.error.fields), answer.text).toEqual(fields);
}

function expectNothingInternal(text: string): void {
  expect(text).not.toMatch(/node_modules|file:\/\/|\.[cm]?[jt]s:\d|\n\s+at |\bat \w[\w.<>]* \(/);
  expect(text).not.toContain(process.cwd());
}

const writes = operations.filter(({ takesBody }) => takesBody).map((operation) => [operation.id, operation] as const);

describe('stores nothing and answers', () => {
  beforeAll(async () => {
    await sandbox.reset();
    untouched = await shownWorld(client);
  });
  beforeEach(() => {
    pristine = untouched;
  });
  afterEach(async () => {
    expect(await shownWorld(client)).toEqual(pristine);
  });

  describe.each(writes)('%s', (id, operation) => {
    const { method, needsBody, maxBodyBytes, example: right = {} } = operation;
    let path: string;
    beforeEach(async () => {
      path = operation.template.includes('{') ? await rightPath(operation, client) : operation.template;
      pristine = await shownWorld(client);
    });
    const send = (rest: Partial<Outgoing>): Promise<Answer> =>
      wire.send({
        method,
        path,
        body: JSON.stringify(right),
        ...rest,
        headers: { ...ownHeaders(operation), ...(rest.headers ?? JSON_TYPE) },
      });
    // What is missing an object is 404; tokens need neither body nor object.
    const bodiless = needsBody ? 400 : ['createClientToken', 'createWebrtcToken'].includes(id) ? 201 : 404;

    it('malformed JSON with 400 about the body', async () => {
      expectRefusal(await send({ body: JSON.stringify(right).slice(0, -1) }), 400, 'validation_error', 'body');
    });

    it.each(['null', '[]', '"text"', '7', 'true', '[{}]'])(
      'the JSON %s, which is no object, with 400',
      async (body) => {
        expectRefusal(await send({ body }), 400, 'validation_error', 'body');
      },
    );

    it(`no body at all with ${bodiless === 404 ? '404 about the object, since it needs none' : bodiless}`, async () => {
      const answer = await send({ body: undefined });
      expect(answer.status, answer.text).toBe(bodiless);
      expectNothingInternal(answer.text);
    });

    it('another media type with 415, and the header to send', async () => {
      const answer = await send({ headers: { 'Content-Type': 'text/plain' } });
      expectRefusal(answer, 415, 'unsupported_media_type');
      expect(answer.body.error.resolution_hint).toContain('Content-Type: application/json');
    });

    it('a body over the limit with 413', async () => {
      const body = JSON.stringify({ ...right, note: 'x'.repeat(maxBodyBytes) });
      expectRefusal(await send({ body }), 413, 'payload_too_large');
      expectRefusal(await send({ body, chunked: true }), 413, 'payload_too_large');
    });

    it('a prototype key with 400, and pollutes nothing', async () => {
      for (const key of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
        const body = JSON.stringify(right).replace('{', `{${key},`);
        expectRefusal(await send({ body }), 400, 'validation_error', 'body');
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it('bytes that are no UTF-8 with 400 about the body', async () => {
      const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
      expectRefusal(await send({ body }), 400, 'validation_error', 'body');
    });

    it('an unknown query parameter with 400 that names it', async () => {
      expectRefusal(await send({ path: `${path}?expand=all` }), 400, 'validation_error', 'expand');
    });

    it('an idempotency key that is no UUID with 400 that names the header', async () => {
      const answer = await send({ headers: { ...JSON_TYPE, 'Idempotency-Key': 'order-17' } });
      expectRefusal(answer, 400, 'validation_error', 'Idempotency-Key');
    });
  });

  describe('text that is no JSON', () => {
    it.each([
      '{',
      '}',
      ' ',
      '{"from_number":}',
      "{'from_number':'x'}",
      '{"a":1,}',
      '{"a":01}',
      '{"a":1}{"b":2}',
      '{"a":"line\nbreak"}',
      '// comment\n{}',
      '[1',
      '"',
      'undefined',
      'NaN',
      '\u0000',
      'to_number=%2B12125550100',
      '<to_number>+12125550100</to_number>',
    ])('%j with 400 about the body, quoting none of it', async (body) => {
      const answer = await dial({ body });
      expectRefusal(answer, 400, 'validation_error', 'body');
      if (body.length > 6) expect(answer.text).not.toContain(body);
    });
  });

  describe('bytes that are no UTF-8', () => {
    it.each([
      ['a lone continuation byte', [0x80]],
      ['a sequence cut short', [0xe2, 0x82]],
      ['an overlong slash', [0xc0, 0xaf]],
      ['an encoded surrogate', [0xed, 0xa0, 0x80]],
      ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
      ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
    ])('%s with 400', async (_, bytes) => {
      const body = Buffer.concat([Buffer.from('{"note":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expectRefusal(await dial({ body }), 400, 'validation_error', 'body');
    });
  });

  describe('the media type', () => {
    it.each([
      'text/plain',
      'text/json',
      'json',
      'application/vnd.api+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json, text/plain',
      'application/jsonp',
      ';',
      '',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json;charset="windows-1252"',
      'text/plain; charset=utf-8; x=application/json',
    ])('%j with 415', async (type) => {
      expectRefusal(await dial({ headers: { 'Content-Type': type } }), 415, 'unsupported_media_type');
    });

    it('that is missing, with 415', async () => {
      const answer = await dial({ headers: {} });
      expectRefusal(answer, 415, 'unsupported_media_type');
      expect(answer.body.error.resolution_hint).toContain('Content-Type: application/json');
    });

    it('that is neither JSON nor YAML where a scenario is put, with 415 that names both', async () => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await wire.send({
        method: 'PUT',
        path: '/_sandbox/scenarios/own_line',
        headers,
        body: 'kind: call',
      });
      expectRefusal(answer, 415, 'unsupported_media_type');
      expect(answer.body.error.message).toContain('accepts application/json or application/yaml');
      expect(answer.body.error.resolution_hint).toContain('application/yaml');
    });

    it.each(['gzip', 'br', 'deflate, gzip'])('with the content coding %s, with 415', async (coding) => {
      expectRefusal(await dialWith({ 'Content-Encoding': coding }), 415, 'unsupported_media_type');
    });

    it.each([
      ['of parameters', `application/json${'; a="b"'.repeat(1000)}`],
      ['of blanks', `application/json;${' '.repeat(7000)}x`],
      ['of quotes', `application/json; a="${'\\"'.repeat(3500)}`],
    ])('of 7,000 characters %s at once, with 415', async (_, type) => {
      const began = performance.now();
      expectRefusal(await dial({ headers: { 'Content-Type': type } }), 415, 'unsupported_media_type');
      expect(performance.now() - began).toBeLessThan(stretched(500));
    });
  });

  describe('a body over the limit', () => {
    const head = (more: string[], key = 'svc_sandbox_default'): string =>
      [
        'POST /v1/calls/dial HTTP/1.1',
        `Host: ${new URL(sandbox.url).host}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        ...more,
        '',
        '',
      ].join('\r\n');

    it('with 413 by its declared length, before a byte of it has come', async () => {
      const got = await exchange(sandbox.url, head(['Content-Length: 1000000000000']));
      expect(got.outcome).toBe('ended');
      expectRefusal(answerIn(got), 413, 'payload_too_large');
    });

    it.each([
      ['the platform', 'POST /v1/calls/dial', 'application/json'],
      ['the control API', 'PUT /_sandbox/clock', 'application/json'],
      ['the control API, as YAML', 'PUT /_sandbox/scenarios/own_line', 'application/yaml'],
    ])('with 413 by %s, to a client that sends all of it before it reads', async (_, target, type) => {
      const to = (more: string): string =>
        head([more]).replace('POST /v1/calls/dial', target).replace('application/json', type);
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const size = 64 * 0x10000;
      for (const bytes of [
        `${to('Transfer-Encoding: chunked')}${chunk.repeat(64)}0\r\n\r\n`,
        `${to(`Content-Length: ${size}`)}${'x'.repeat(size)}`,
      ]) {
        const got = await exchange(sandbox.url, bytes, 5000, 'then');
        expect(got).toMatchObject({ outcome: 'ended', statuses: [413] });
        expectRefusal(answerIn(got), 413, 'payload_too_large');
      }
    });

    it('on a route without a body is passed over, and the next request answered', async () => {
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const get = (more: string[] = []): string => head(more).replace('POST /v1/calls/dial', 'GET /_sandbox/clock');
      const bytes = `${get(['Transfer-Encoding: chunked'])}${chunk.repeat(16)}0\r\n\r\n${get(['Connection: close'])}`;
      expect(await exchange(sandbox.url, bytes, 3000)).toMatchObject({ outcome: 'ended', statuses: [200, 200] });
    });

    it('of one byte too many with 413', async () => {
      const body = dialBody({ note: '' });
      const over = dialBody({ note: 'x'.repeat(LIMIT + 1 - body.length) });
      expect(over.length).toBe(LIMIT + 1);
      expectRefusal(await dial({ body: over }), 413, 'payload_too_large');
      expectRefusal(await dial({ body: over, chunked: true }), 413, 'payload_too_large');
    });

    it('with an unknown key 401, and leaves the connection closed or fit for the next request', async () => {
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const next = head([], 'svc_nobody').replace('POST /v1/calls/dial', 'GET /v1/me');
      const bytes = `${head(['Transfer-Encoding: chunked'], 'svc_nobody')}${chunk.repeat(16)}0\r\n\r\n${next}`;
      const { statuses, outcome } = await exchange(sandbox.url, bytes, 1500);
      expect(statuses[0]).toBe(401);
      expect(outcome !== 'open' || statuses.length === 2, `${statuses} ${outcome}`).toBe(true);
    });
  });

  describe('deep nesting', () => {
    it.each([1_000, 10_000, 120_000])('of %i brackets with 400, at once', async (depth) => {
      const began = performance.now();
      for (const body of [
        '['.repeat(depth),
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
        dialBody({ note: 0 }).replace('"note":0', `"note":${'['.repeat(depth)}${']'.repeat(depth)}`),
        `${'{"a":'.repeat(depth / 4)}0${'}'.repeat(depth / 4)}`,
      ]) {
        expectRefusal(await dial({ body }), 400, 'validation_error', 'body');
      }
      expect(performance.now() - began).toBeLessThan(stretched(2000));
    });
  });

  describe('prototype keys', () => {
    it.each([
      '{"\\u005f_proto__":{"polluted":1}}',
      '{"note":{"__proto__":{"polluted":1}}}',
      '{"note":[{"constructor":{"prototype":{"polluted":1}}}]}',
      '{"__proto__":null}',
    ])('%s with 400', async (text) => {
      expectRefusal(
        await dial({ body: text.replace('{', `${dialBody().slice(0, -1)},`) }),
        400,
        'validation_error',
        'body',
      );
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it.each(RESERVED.slice(1))('the field %s of a closed body with 400 that names it', async (name) => {
      const body = JSON.stringify({ [name]: 1 });
      const answer = await wire.send({ method: 'PATCH', path: `/v1/agents/${agentId}`, headers: JSON_TYPE, body });
      expectRefusal(answer, 400, 'validation_error', name);
    });
  });

  describe('the path', () => {
    const bad = [
      '%',
      '%zz',
      '%z',
      '%ff',
      '%00',
      '%F0%9F',
      '%c0%ae',
      '%2e%2e%2fagents',
      '..',
      ';',
      '%2F',
      'a'.repeat(5000),
    ];

    it.each(named(bad))('with the id %s with 404', async (_, id) => {
      for (const path of [`/v1/calls/${id}`, `/v1/agents/${id}`, `/v1/calls/${id}/transcript`]) {
        expectRefusal(await wire.send({ path }), 404, 'not_found');
      }
    });

    it.each(named(bad))('with the segment %s with 404', async (_, segment) => {
      expectRefusal(await wire.send({ path: `/v1/${segment}` }), 404, 'not_found');
    });

    it.each([
      '/v1/',
      '/v1//account',
      '//v1/account',
      '/v1/account/',
      '/V1/account',
      '/v1/Account',
      '/v1/%61ccount',
      '/v1/./account',
      '/v1/x/../account',
      '/v1/account;x',
      '/v1/account%20',
      '/v1/account%3F',
      '/api/v1/account',
      '/v1/webhook_subscriptions',
      '/v2/account',
    ])('%s, which is close to one, with 404', async (path) => {
      expectRefusal(await wire.send({ path }), 404, 'not_found');
    });

    it.each(['/v1/workflows', `/v1/workflows/${NOWHERE}/enroll`, '/v1/workflow_contacts'])(
      '%s, which is retired, with 404',
      async (path) => {
        expectRefusal(await wire.send({ path }), 404, 'not_found');
        expectRefusal(await wire.send({ method: 'POST', path, headers: JSON_TYPE, body: '{}' }), 404, 'not_found');
      },
    );

    const withIds = operations.filter(({ template }) => template.includes('{'));
    it.each(withIds)('of $id with a reserved or unknown id with 404', async ({ method, template, example = {} }) => {
      const body = JSON.stringify(example);
      for (const id of [...RESERVED, 'null', 'undefined', NOWHERE]) {
        const path = template.replace(/\{\w+\}/, id);
        expectRefusal(await wire.send({ method, path, headers: JSON_TYPE, body }), 404, 'not_found');
      }
    });
  });

  describe('the query', () => {
    it.each([
      'page_size=0',
      'page_size=101',
      'page_size=-1',
      'page_size=1.5',
      'page_size=ten',
      'page_size=1e9',
      'page_size=',
      'page_size',
      'page_size=%',
      'page_size=null',
      'page_size=1&page_size=2',
      'page_size=NaN',
      'page_size=Infinity',
    ])('?%s with 400 about page_size', async (query) => {
      for (const path of ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers']) {
        expectRefusal(await wire.send({ path: `${path}?${query}` }), 400, 'validation_error', 'page_size');
      }
    });

    it.each(
      named([
        'cursor=',
        'cursor=nonsense',
        'cursor=%zz',
        'cursor=%ff%fe',
        'cursor=%00',
        'cursor=a&cursor=b',
        `cursor=${'x'.repeat(5000)}`,
        'cursor=__proto__',
      ]),
    )('?%s with 400 about cursor', async (_, query) => {
      expectRefusal(await wire.send({ path: `/v1/calls?${query}` }), 400, 'validation_error', 'cursor');
    });

    it('a cursor of another list with 400 about cursor', async () => {
      const { cursor } = (await client.get('/v1/calls?page_size=1')).body.meta;
      expect(cursor).toEqual(expect.any(String));
      expectRefusal(await wire.send({ path: `/v1/agents?cursor=${cursor}` }), 400, 'validation_error', 'cursor');
    });

    it.each([
      ['limit=1', 'limit'],
      ['PAGE_SIZE=1', 'PAGE_SIZE'],
      ['page_size[]=1', 'page_size[]'],
      ['%zz=1', '%zz'],
      ['__proto__=1', '__proto__'],
      ['constructor=1', 'constructor'],
      ['toString', 'toString'],
    ])('?%s with 400 that names it', async (query, name) => {
      const answer = await wire.send({ path: `/v1/calls?${query}` });
      expectError(answer, 400, 'validation_error');
      expect(answer.text).toContain(`"fields":{"${name}":`);
    });

    it('a parameter behind a thousand others with 400 that names it', async () => {
      for (const path of ['/v1/calls', '/_sandbox/clock']) {
        const answer = await wire.send({ path: `${path}?${'&'.repeat(1001)}nope=1` });
        expectRefusal(answer, 400, 'validation_error', 'nope');
      }
    });

    it('a misspelt parameter with 400 that suggests the right one', async () => {
      const answer = await wire.send({ path: '/v1/calls?page_siz=10' });
      expectRefusal(answer, 400, 'validation_error', 'page_siz');
      expect(answer.body.error.fields.page_siz).toMatch(/mean "?page_size\b/);
    });

    it.each(keyedOperations)('an unknown parameter of $id with 400', async ({ method, path, example }) => {
      const body = example && JSON.stringify(example);
      const answer = await wire.send({ method, path: `${path}?verbose=1`, headers: JSON_TYPE, body });
      expectRefusal(answer, 400, 'validation_error', 'verbose');
    });
  });

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
    ])('(%s %s) with 400 about %s', async (method, path, field) => {
      const answer = await wire.send({ method, path });
      expectRefusal(answer, 400, 'validation_error');
      expect(answer.text).toMatch(new RegExp(`"fields":\\{"${field}":"[^"]+"\\}`));
    });

    it('on a reset leaves the world as it is', async () => {
      const id = await client.call('+12125550100');
      expectError(await client.post('/_sandbox/reset?dry=1'), 400, 'validation_error');
      expect((await client.readCall(id)).status).toBe('QUEUED');
      await sandbox.reset();
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
        { mode: null, speed: -1 },
        { mode: /^must be real, manual, instant,/, speed: 'must be at least 0' },
      ],
      ['PUT', 'active-scenarios/call', {}, { use: 'is required' }],
      ['PUT', 'active-scenarios/call', { use: [] }, { use: 'must not be empty' }],
      ['PUT', 'active-scenarios/call', { use: 5 }, { use: 'must be a string or an array, not 5' }],
      ['PUT', 'assumptions/concurrent_calls', { value: null }, { value: 'must be a string or a number, not null' }],
      [
        'POST',
        'keys',
        { scopes: ['calls:raed'] },
        { 'scopes.0': /^must be one of account:read, .*; did you mean calls:read\?$/ },
      ],
      ['POST', 'keys', { requests_per_minute: 1.5 }, { requests_per_minute: 'must be an integer, not 1.5' }],
      ['POST', 'keys', { is_demo: 'yes' }, { is_demo: 'must be a boolean, not a string' }],
      ['POST', 'events', {}, { event_type: /^is required: one of new_call, / }],
      ['POST', 'events', { event_type: 'CALL_BUSY' }, { event_type: /; did you mean call_busy\?$/ }],
      ['POST', 'events', { event_type: 'call_busy', data: [] }, { data: 'must be an object, not an array' }],
      ['POST', 'simulate/inbound-sms', { body: 'x'.repeat(1601) }, { body: 'must be at most 1600 characters long' }],
      [
        'POST',
        'worlds',
        { clok: 'manual' },
        { clok: 'is not a known field; allowed: name, fixtures, clock, assumptions; did you mean clock?' },
      ],
      ['POST', 'worlds', [], { body: 'must be an object, not an array' }],
      ['PUT', 'scenarios/mine', { kind: 'call' }, { summary: 'line 1: is required' }],
      [
        'PUT',
        'scenarios/mine',
        { kind: 'call', summary: 'Mine.', timelin: [] },
        { timelin: /^line 1: is not a known field; .*; did you mean timeline\?$/ },
      ],
    ] as const)('(%s %s, case %#) with 400 that says what is allowed', async (method, path, body, fields) => {
      const answer = await wire.send({
        method,
        path: `/_sandbox/${path}`,
        headers: JSON_TYPE,
        body: JSON.stringify(body),
      });
      expectRefusal(answer, 400, 'validation_error', ...Object.keys(fields));
      for (const [name, words] of Object.entries(fields)) {
        const said: string = answer.body.error.fields[name];
        if (typeof words === 'string') expect(said).toBe(words);
        else expect(said).toMatch(words);
      }
    });
  });

  describe('idempotency keys that are no UUID', () => {
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
    )('%s with 400', async (_, key) => {
      expectRefusal(await dialWith({ 'Idempotency-Key': key }), 400, 'validation_error', 'Idempotency-Key');
    });

    it('two headers at once with 400', async () => {
      const answer = await dialWith({ 'Idempotency-Key': [NOWHERE, NOWHERE] });
      expectRefusal(answer, 400, 'validation_error', 'Idempotency-Key');
    });
  });

  describe('hostile control headers', () => {
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
    )('%s with 400 that names the header', async (_, name, value) => {
      const answer = await dialWith({ [name]: value });
      expectRefusal(answer, 400, 'validation_error');
      const [field = ''] = Object.keys(answer.body.error.fields);
      expect(field.toLowerCase()).toBe(name.toLowerCase());
    });

    it('the same where a scenario is made active, with 400', async () => {
      for (const use of ['answered;constructor=2s', '__proto__', 'constructor', 'answered;__proto__=2s']) {
        const answer = await client.put('/_sandbox/active-scenarios/call', { use });
        expectRefusal(answer, 400, 'validation_error');
      }
    });
  });

  it('a control header behind a thousand others with 400 that names it', async () => {
    const lines = ['GET /v1/me HTTP/1.1', 'Host: x', 'Authorization: Bearer svc_sandbox_default'];
    const others = Array.from({ length: 1100 }, () => 'b:');
    const bytes = [...lines, ...others, 'X-Sandbox-Nope: 1', 'Connection: close', '', ''].join('\r\n');
    const answer = answerIn(await exchange(sandbox.url, bytes));
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
    ])('by %s with 431', async (_, bytes) => {
      const got = await exchange(sandbox.url, bytes());
      expect(got.outcome).toBe('ended');
      const answer = answerIn(got);
      expect(answer.headers['content-type']).toBe('application/json');
      expectRefusal(answer, 431, 'headers_too_large');
    });
  });

  describe('what is no HTTP/1.1 request', () => {
    const dialBytes = (lines: string[], body = ''): string =>
      [
        'POST /v1/calls/dial HTTP/1.1',
        'Host: x',
        'Authorization: Bearer svc_sandbox_default',
        'Content-Type: application/json',
        ...lines,
        '',
        body,
      ].join('\r\n');

    it.each<[string, () => string | Buffer]>([
      ['words', () => 'hello, is anyone there?\r\n\r\n'],
      ['a TLS handshake', () => Buffer.from('160301020001000001fc0303', 'hex')],
      ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['random bytes', () => Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 13, 10, 13, 10])],
      ['an unknown version', () => 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['an unknown method', () => 'BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a path with a blank', () => 'GET /v1/my account HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a path of raw bytes', () => Buffer.from('GET /v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1')],
      ['a NUL in a header', () => 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Note: a\0b\r\n\r\n'],
      ['a header without a name', () => 'GET /v1/me HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
      ['a negative length', () => dialBytes(['Content-Length: -1'])],
      ['a length in words', () => dialBytes(['Content-Length: ten'])],
      ['two lengths', () => dialBytes(['Content-Length: 2', 'Content-Length: 60'], dialBody())],
      ['a length and chunks', () => dialBytes(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
      ['a chunk that is none', () => dialBytes(['Transfer-Encoding: chunked'], `ZZ\r\n${dialBody()}\r\n0\r\n\r\n`)],
      ['HTTP/1.1 without a Host', () => 'GET /v1/me HTTP/1.1\r\nAuthorization: Bearer svc_sandbox_default\r\n\r\n'],
    ])('(%s) with 400 in the envelope, and closes', async (_, bytes) => {
      const got = await exchange(sandbox.url, bytes());
      expect(got.outcome).toBe('ended');
      expect(got.statuses).toEqual([400]);
      const answer = answerIn(got);
      expect(answer.headers['content-type']).toBe('application/json');
      expectRefusal(answer, 400, 'validation_error');
    });

    it('(an expectation that it cannot meet) with 400 that names the header', async () => {
      const answer = answerIn(await exchange(sandbox.url, dialBytes(['Expect: tea', 'Content-Length: 0']), 300));
      expectRefusal(answer, 400, 'validation_error', 'Expect');
    });

    it('(a client that leaves in the middle of its body) with nothing', async () => {
      const half = dialBytes([`Content-Length: ${dialBody().length}`], dialBody().slice(0, 30));
      const chunk = dialBytes(['Transfer-Encoding: chunked'], '8\r\n{"from_n');
      for (const bytes of [half, chunk]) expect((await exchange(sandbox.url, bytes, 100)).text).toBe('');
      // The server hears of it before it hears of these.
      for (let n = 0; n < 3; n++) await client.get('/v1/me');
      expect(await sandbox.requests()).not.toContainEqual(expect.objectContaining({ operation: 'dialCall' }));
    });
  });
});

describe('takes what only looks bad', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=Utf-8',
  ])('the media type %s', async (type) => {
    expect((await dial({ headers: { 'Content-Type': type } })).status).toBe(202);
  });

  it('a body of exactly the limit, by length and in chunks', async () => {
    const body = dialBody({ note: 'x'.repeat(LIMIT - dialBody({ note: '' }).length) });
    expect(body.length).toBe(LIMIT);
    expect((await dial({ body })).status).toBe(202);
    expect((await dial({ body, chunked: true })).status).toBe(202);
  });

  it('unknown fields where the specification does not show the whole body', async () => {
    const body = dialBody({ agent: 'x', constructor: 'y', toString: 1, nested: { deep: [1] } });
    expect((await dial({ body })).status).toBe(202);
  });

  it('a body, of whatever kind, on an operation without one', async () => {
    const garbage = { headers: { 'Content-Type': 'text/plain' }, body: '{{{' };
    expect((await wire.send({ path: '/v1/me', ...garbage })).status).toBe(200);
    const hangup = await wire.send({ method: 'POST', path: `/v1/calls/${callId}/hangup`, ...garbage });
    expect(hangup.status).toBe(200);
  });

  it.each([
    ['http://example.com/v1/me', 200],
    ['HTTP://EXAMPLE.com/v1/me', 200],
    ['http://example.com:80/v1/me', 200],
    ['http://u:p@example.com/v1/me', 200],
    ['http://example.com/v1/calls?page_size=1', 200],
    ['http://example.com/_sandbox/clock', 200],
    ['http://example.com', 200],
    ['http://example.com?x=1', 200],
    ['http://example.com/v1/nowhere', 404],
    ['http://example.com/v1/../v1/me', 404],
  ])('the whole address %s in place of a path, as a proxy would get it', async (address, status) => {
    const lines = [
      `GET ${address} HTTP/1.1`,
      'Host: x',
      'Authorization: Bearer svc_sandbox_default',
      'Connection: close',
    ];
    const answer = answerIn(await exchange(sandbox.url, [...lines, '', ''].join('\r\n')));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('a request of HTTP/1.0', async () => {
    const got = await exchange(sandbox.url, 'GET /v1/me HTTP/1.0\r\nAuthorization: Bearer svc_sandbox_default\r\n\r\n');
    expect(got.statuses).toEqual([200]);
  });

  it('requests in one packet, answered in their order', async () => {
    const one = (to: string): string => {
      const body = dialBody({ to_number: to });
      const head = ['POST /v1/calls/dial HTTP/1.1', 'Host: x', 'Authorization: Bearer svc_sandbox_default'];
      return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n');
    };
    const got = await exchange(sandbox.url, one('+12125550111') + one('+12125550100') + one('911'), 500);
    expect(got.statuses).toEqual([403, 202, 403]);
  });

  it('every text in a field, and gives it back as it came', async () => {
    const path = `/v1/agents/${agentId}`;
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('\u0000', '\ud800', '\u2028', '</script>', '\\u0000', '\ufeff', '"', '\u{1f600}'.repeat(20)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const body = JSON.stringify({ name });
        const answer = await wire.send({ method: 'PATCH', path, headers: JSON_TYPE, body });
        expect(answer.status).toBe(200);
        expect(answer.body.data.name).toBe(name);
        expect((await wire.send({ path })).body.data.name).toBe(name);
      }),
      { numRuns: runs(40, 200) },
    );
  });
});

describe('a scenario parameter of thousands of years', () => {
  it.each(['99999999d', '3000000d'])('ring=%s neither fails the request nor spoils the world', async (ring) => {
    await client.post('/_sandbox/worlds', { name: `bad-${ring}`, clock: 'instant' });
    const key = `svc_test_bad-${ring}`;
    const headers = { ...JSON_TYPE, 'X-Sandbox-Scenario': `answered;ring=${ring}` };
    const answer = await dial({ key, headers });
    expect(answer.status, answer.text).toBeLessThan(500);
    expect((await wire.send({ path: '/v1/calls', key })).status).toBe(200);
    expect((await dial({ key })).status).toBe(202);
  });
});

describe('hostile requests over all operations', () => {
  it(
    'get no unasked 5xx, and each an envelope or an answer that the contract allows',
    async () => {
      const open = await createSandbox({ clock: 'manual', rateLimit: 'off', concurrentCalls: 'off' });
      const line = wireTo(open.url);
      const watcher = clientOf(open.url);
      const calls = async (): Promise<number> => (await watcher.get('/v1/calls')).body.meta.total_results;
      const before = await calls();
      // Not a caller ID that dials go out from: some of the requests revoke it.
      const { data } = (await watcher.get('/v1/caller-ids')).body;
      const pending = data.find(({ status }: { status: string }) => status === 'PENDING_VERIFICATION');
      const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };
      const { id } = (await watcher.post('/api/v1/webhook_subscriptions', subscription)).body;
      const ids = {
        agents: agentId,
        calls: callId,
        'caller-ids': pending.caller_id_id,
        'caller-trust': 'doc_business_licence',
        leads: 'lead_default',
        webhook_subscriptions: id,
      };
      const met = new Map<number, number>();
      let accepted = 0;
      try {
        await fc.assert(
          fc.asyncProperty(hostileRequests(ids), async (outgoing) => {
            const answer = await line.send({ ...outgoing, patience: 5000 });
            const { status, headers, text } = answer;
            met.set(status, (met.get(status) ?? 0) + 1);
            expectNothingInternal(text);
            if (status === 202 && headers['x-sandbox-world'] === 'default' && !headers['idempotency-replayed']) {
              accepted += outgoing.path.startsWith('/v1/calls/dial') ? 1 : 0;
            }
            if (outgoing.method === 'HEAD' || status === 204) {
              expect(text).toBe('');
              return;
            }
            expect(headers['content-type']).toBe('application/json');
            if (status < 400) {
              expect([200, 201, 202]).toContain(status);
              return;
            }
            expect(Object.keys(answer.body)).toEqual(['error']);
            expect(answer.body.error.doc_url).toContain(`/docs/errors#${answer.body.error.code}`);
            if (status >= 500) expect(asked(outgoing)).toContain(answer.body.error.code);
          }),
          { numRuns: FUZZ_RUNS },
        );
        expect(await calls()).toBe(before + accepted);
        expect([...met.keys()]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 405, 415]));
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
        expect((await watcher.dial('+12125550100')).status).toBe(202);
      } finally {
        line.close();
        await open.close();
      }
    },
    120_000 + FUZZ_RUNS * 20,
  );

  /** The errors that the request asked for itself. */
  function asked({ headers = {} }: Outgoing): string[] {
    return [headers['X-Sandbox-Error'], headers['X-Sandbox-Scenario']].map(
      (value) => String(value).split(';')[0] ?? '',
    );
  }
});
