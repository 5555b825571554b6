// Unusual requests that are valid, and are served: the other side of the tests of invalid input.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/thorough.ts';
import { answerOf, JSON_TYPE, sendBytes } from '../support/wire.ts';
import { BODY_LIMIT, dialBody, usePlatform } from './setup.ts';

const { sandbox, client, wire, dial } = usePlatform({ rateLimit: 'off' });

let agentId: string;
let callId: string;
beforeAll(async () => {
  agentId = (await client.get('/v1/agents')).body.data[0].id;
  callId = (await client.get('/v1/calls')).body.data[0].id;
});

describe('accepts unusual but valid input', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=Utf-8',
  ])('the media type %s', async (type) => {
    expect((await dial({}, { headers: { 'Content-Type': type } })).status).toBe(202);
  });

  it('a body of exactly the limit, by length and in chunks', async () => {
    const body = dialBody({ note: 'x'.repeat(BODY_LIMIT - dialBody({ note: '' }).length) });
    expect(body.length).toBe(BODY_LIMIT);
    expect((await dial({}, { body })).status).toBe(202);
    expect((await dial({}, { body, chunked: true })).status).toBe(202);
  });

  it('unknown fields where the specification does not show the whole body', async () => {
    const body = dialBody({ agent: 'x', constructor: 'y', toString: 1, nested: { deep: [1] } });
    expect((await dial({}, { body })).status).toBe(202);
  });

  it('any body on an operation without one', async () => {
    const garbage = { headers: { 'Content-Type': 'text/plain' }, body: '{{{' };
    expect((await wire.send({ path: '/v1/me', ...garbage })).status).toBe(200);
    const hangup = await wire.send({ method: 'POST', path: `/v1/calls/${callId}/hangup`, ...garbage });
    expect(hangup.status).toBe(200);
  });

  it.each([
    ['http://ringback.local/v1/me', 200],
    ['HTTP://RINGBACK.local/v1/me', 200],
    ['http://ringback.local:80/v1/me', 200],
    ['http://u:p@ringback.local/v1/me', 200],
    ['http://ringback.local/v1/calls?page_size=1', 200],
    ['http://ringback.local/_sandbox/clock', 200],
    ['http://ringback.local', 200],
    ['http://ringback.local?x=1', 200],
    ['http://ringback.local/v1/nowhere', 404],
    ['http://ringback.local/v1/../v1/me', 404],
  ])('the absolute address %s in place of a path, as a proxy receives it', async (address, status) => {
    const lines = [
      `GET ${address} HTTP/1.1`,
      `Host: ${new URL(address).host}`,
      'Authorization: Bearer svc_sandbox_default',
      'Connection: close',
    ];
    const answer = answerOf(await sendBytes(sandbox.url, [...lines, '', ''].join('\r\n')));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each(['http://x:80/v1/me', 'https://x:443/v1/me'])('the Host with the default port of %s', async (address) => {
    const lines = [`GET ${address} HTTP/1.1`, `Host: ${address.split('/')[2]}`, 'Connection: close'];
    const key = 'Authorization: Bearer svc_sandbox_default';
    expect((await sendBytes(sandbox.url, [...lines, key, '', ''].join('\r\n'))).statuses).toEqual([200]);
  });

  it('an HTTP/1.0 request', async () => {
    const got = await sendBytes(
      sandbox.url,
      'GET /v1/me HTTP/1.0\r\nAuthorization: Bearer svc_sandbox_default\r\n\r\n',
    );
    expect(got.statuses).toEqual([200]);
  });

  it('several requests in one packet, answered in order', async () => {
    const one = (to: string): string => {
      const body = dialBody({ to_number: to });
      const head = ['POST /v1/calls/dial HTTP/1.1', 'Host: x', 'Authorization: Bearer svc_sandbox_default'];
      return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n');
    };
    const got = await sendBytes(sandbox.url, one('+12125550111') + one('+12125550100') + one('911'), { responses: 3 });
    expect(got.statuses).toEqual([403, 202, 403]);
  });

  it('any string in a field, and returns it unchanged', async () => {
    const path = `/v1/agents/${agentId}`;
    const text = fc.oneof(
      anyText(60),
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
      { numRuns: runs(6, 200) },
    );
  });
});

describe('a scenario parameter of thousands of years', () => {
  it.each(['99999999d', '3000000d'])('ring=%s neither fails the request nor breaks the world', async (ring) => {
    await client.post('/_sandbox/worlds', { name: `long-${ring}`, clock: 'instant' });
    const key = `svc_test_long-${ring}`;
    const headers = { ...JSON_TYPE, 'X-Sandbox-Scenario': `answered;ring=${ring}` };
    const answer = await dial({}, { key, headers });
    expect(answer.status, answer.text).toBeLessThan(500);
    expect((await wire.send({ path: '/v1/calls', key })).status).toBe(200);
    expect((await dial({}, { key })).status).toBe(202);
  });
});
