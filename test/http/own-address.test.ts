// The address by which a client reaches the server, with which every URL in its answers begins (`interface.md` section 10).
import { describe, expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { join } from '../support/rooms.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, subscribe } from '../support/webhooks.ts';
import { answerOf, sendBytes } from '../support/wire.ts';

type Headers = Readonly<Record<string, string>>;

async function webCall(
  client: Client,
  headers: Headers = {},
  prefix = '',
): Promise<{ room_url: string; token: string }> {
  const agents = await client.get(`${prefix}/v1/agents`, headers);
  const answer = await client.post(`${prefix}/v1/agents/${agents.body.data[0].id}/web-call`, {}, headers);
  return answer.body.data;
}

/** The URLs that answers carry, each without what follows the address, or the part of the address that it has. */
async function addressesIn(client: Client, headers: Headers = {}, prefix = ''): Promise<Record<string, string>> {
  const refused = await client.get(`${prefix}/v1/calls/x`, headers);
  const calls = await client.get(`${prefix}/v1/calls`, headers);
  const { room_url } = await webCall(client, headers, prefix);
  const root = await client.get(`${prefix}/`, headers);
  const recorded = calls.body.data.find((call: { recording_url: string | null }) => call.recording_url !== null);
  return {
    error: refused.body.error.doc_url.replace('/docs/errors#not_found', ''),
    recording: recorded.recording_url.replace(/\/_sandbox\/media\/[^/]+$/, ''),
    room: room_url.replace(/\/rooms\/[^/]+$/, ''),
    page: root.body.data.contract.replace('/openapi.yaml', ''),
  };
}

/** The servers that the OpenAPI documents name. */
async function serversIn(client: Client, headers: Headers = {}, prefix = ''): Promise<string[]> {
  const control = await client.get(`${prefix}/_sandbox/openapi.json`, headers);
  const contracts = ['openapi.yaml', 'openapi-3.0.yaml'].map((name) => client.get(`${prefix}/${name}`, headers));
  const named = (await Promise.all(contracts)).map(({ text }) => /^servers:\n *- url: (.*)$/m.exec(text)?.[1] ?? text);
  return [control.body.servers[0].url, ...named];
}

const at = (address: string): Record<string, string> => ({
  error: address,
  recording: address,
  room: address.replace('http', 'ws'),
  page: new URL(address).pathname.replace(/\/$/, ''),
});

describe('without a public URL, the URLs of answers', () => {
  const { sandbox, client } = useSandbox();

  it('begin with the Host of the request', async () => {
    expect(await addressesIn(client)).toEqual(at(sandbox.url));
    expect(await addressesIn(client, { Host: 'sandbox.internal:81' })).toEqual(at('http://sandbox.internal:81'));
  });

  it.each<[string, Headers, string]>([
    ['its scheme', { 'X-Forwarded-Proto': 'https' }, 'https://sandbox.internal'],
    ['its host', { 'X-Forwarded-Host': 'example.com' }, 'http://example.com'],
    ['a host with a port', { 'X-Forwarded-Host': 'example.com:8443' }, 'http://example.com:8443'],
    [
      'a port of its own',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Port': '8443' },
      'https://example.com:8443',
    ],
    [
      'the default port',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Port': '443' },
      'https://example.com',
    ],
    ['a prefix', { 'X-Forwarded-Prefix': '/voice/' }, 'http://sandbox.internal/voice'],
    [
      'all of them',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Prefix': '/a/b' },
      'https://example.com/a/b',
    ],
    ['several values, of which the first counts', { 'X-Forwarded-Host': 'a.example, b.example' }, 'http://a.example'],
    [
      'Forwarded',
      { Forwarded: 'for=1.2.3.4;proto=https;host=example.com, for=10.0.0.1;host=x' },
      'https://example.com',
    ],
    ['Forwarded with quotes', { Forwarded: 'For="[::1]:4711"; Host="example.com:81"' }, 'http://example.com:81'],
    [
      'X-Forwarded headers, which outrank Forwarded',
      { Forwarded: 'host=a.example;proto=https', 'X-Forwarded-Host': 'b.example' },
      'https://b.example',
    ],
  ])('follow a proxy on this machine that tells %s', async (_, headers, address) => {
    expect(await addressesIn(client, { Host: 'sandbox.internal', ...headers })).toEqual(at(address));
  });

  it('and the OpenAPI documents follow a prefix', async () => {
    expect(await serversIn(client)).toEqual(['/', '/', '/']);
    expect(await serversIn(client, { 'X-Forwarded-Prefix': '/voice' })).toEqual(['/voice', '/voice', '/voice']);
  });

  it.each<[string, Headers]>([
    ['scheme', { 'X-Forwarded-Proto': 'javascript' }],
    ['host', { 'X-Forwarded-Host': 'a/b"<script>' }],
    ['host that is no address', { 'X-Forwarded-Host': '999.1.1.1' }],
    ['host that is no address of version 6', { Forwarded: 'host="[::::]"' }],
    ['port of the host', { 'X-Forwarded-Host': 'example.com:99999' }],
    ['prefix', { 'X-Forwarded-Prefix': '/a b"<' }],
    ['prefix without a slash', { 'X-Forwarded-Prefix': 'voice' }],
    ['element', { Forwarded: 'host="a b";proto=x;=;"' }],
    ['port without a host', { 'X-Forwarded-Port': '99' }],
  ])('ignore a malformed %s', async (_, headers) => {
    expect(await addressesIn(client, { Host: 'sandbox.internal', ...headers })).toEqual(at('http://sandbox.internal'));
  });
});

describe.each([
  ['off', false],
  ['10.0.0.0/8', false],
  ['127.0.0.1', true],
  ['uniquelocal, 127.0.0.0/30', true],
])('with --trust-proxy %s', (trustProxy, isTrusted) => {
  const { client } = useSandbox({ trustProxy });

  it(`the forwarded headers of a peer on this machine are ${isTrusted ? 'believed' : 'ignored'}`, async () => {
    const headers = { Host: 'sandbox.internal', 'X-Forwarded-Host': 'example.com', Forwarded: 'proto=https' };
    const address = isTrusted ? 'https://example.com' : 'http://sandbox.internal';
    expect(await addressesIn(client, headers)).toEqual(at(address));
  });
});

describe('with a public URL', () => {
  const publicUrl = 'https://sandbox.example.com/voice';
  const { sandbox, client } = useSandbox({ publicUrl, clock: 'manual' });

  it('the URLs of answers begin with it, whatever the request says', async () => {
    expect(await addressesIn(client)).toEqual(at(publicUrl));
    expect(await addressesIn(client, { Host: 'sandbox.internal', 'X-Forwarded-Host': 'x.example' })).toEqual(
      at(publicUrl),
    );
  });

  it('paths are served with and without its prefix, by proxies that leave it on and those that take it off', async () => {
    expect(await addressesIn(client, {}, '/voice')).toEqual(at(publicUrl));
    expect(await serversIn(client, {}, '/voice')).toEqual(['/voice', '/voice', '/voice']);
    expect((await client.get('/voice')).body.data.name).toBe('ringback');
    expect((await client.get('/voice?x')).body.data.name).toBe('ringback');
    expect((await client.get('/voicemail/v1/me')).status).toBe(404);
    const [request] = await sandbox.requests();
    expect(request?.path).toMatch(/^\/v1\//);
  });

  it('a room and a recording are served under its prefix', async () => {
    const { room_url, token } = await webCall(client);
    const own = sandbox.url.replace('http', 'ws');
    const browser = await join(`${room_url.replace('wss://sandbox.example.com', own)}?token=${token}`);
    if (!('leave' in browser)) throw new Error(`refused with ${browser.status}`);
    browser.leave();
    await browser.closed;
    const calls = (await client.get('/v1/calls')).body.data;
    const { recording_url } = calls.find((call: { has_recording: boolean }) => call.has_recording);
    const recording = await fetch(recording_url.replace('https://sandbox.example.com', sandbox.url));
    expect([recording.status, recording.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  });

  it('its host is answered', async () => {
    const got = await client.get('/v1/me', { Host: 'sandbox.example.com' });
    expect(got.status).toBe(200);
  });

  it('what is not a request is answered with it too', async () => {
    const answer = answerOf(await sendBytes(sandbox.url, 'nonsense\r\n\r\n'));
    expect(answer.body.error.doc_url).toBe(`${publicUrl}/docs/errors#validation_error`);
  });

  it('a page of it may control the server, and pages of other origins may not', async () => {
    const post = (Origin: string) => client.post('/voice/_sandbox/reset', {}, { Origin });
    expect((await post('https://sandbox.example.com')).status).toBe(204);
    expect((await post('https://evil.example')).status).toBe(403);
  });

  it('webhooks reach no path of it but those of inboxes', async () => {
    const own = clientOf(sandbox.url, 'svc_test_own_address');
    const urls = [`${publicUrl}/_sandbox/reset`, publicUrl, `${publicUrl}/_sandbox/inbox/a/messages`];
    for (const url of urls) await subscribe(own, url, 'new_call');
    await subscribe(own, `${sandbox.url}/voice/_sandbox/inbox/orders?world=own_address`, 'new_call');
    await fire(own, 'new_call');
    await sandbox.world('own_address').clock.untilIdle();
    const deliveries = await deliveriesOf(own);
    const ends = deliveries.map(
      ({ url, status, attempts }: { url: string; status: string; attempts: [{ error_class: string }] }) => [
        url.replace(/\?.*/, ''),
        status,
        attempts[0].error_class,
      ],
    );
    expect(ends.sort()).toEqual(
      [
        ...urls.map((url) => [url, 'failed', 'blocked_address']),
        [`${sandbox.url}/voice/_sandbox/inbox/orders`, 'delivered', null],
      ].sort(),
    );
  });
});
