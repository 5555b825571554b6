// WebSocket handshakes that are not valid, and offers to upgrade to another protocol.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { answerOf, sendBytes } from '../support/wire.ts';
import { useWebCalls } from './setup.ts';

const { sandbox, client, wire, webCall } = useWebCalls();

describe('a WebSocket connection', () => {
  it('is required by a room: plain HTTP is 426', async () => {
    const answer = await wire.send({ path: '/rooms/room_1', key: null });
    expectError(answer, 426, 'validation_error');
    expect(answer.headers.upgrade).toBe('websocket');
  });

  const upgrade = (path: string, more: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;

  it('is refused with 400 in the envelope when its handshake has no key', async () => {
    const { room_name, token } = await webCall();
    const path = `/rooms/${room_name}?access_token=${token}`;
    for (const more of ['', 'Sec-WebSocket-Version: 13\r\n', 'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n']) {
      const answer = answerOf(await sendBytes(sandbox.url, upgrade(path, more)));
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.doc_url).toBe('http://x/docs/errors#validation_error');
    }
  });

  it('is refused with 400 when its version is unknown, naming the known versions', async () => {
    const { room_name, token } = await webCall();
    const more = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 99\r\n';
    const answer = answerOf(await sendBytes(sandbox.url, upgrade(`/rooms/${room_name}?access_token=${token}`, more)));
    expectError(answer, 400, 'validation_error');
    expect(answer.headers['sec-websocket-version']).toBe('13, 8');
  });

  it('affects no other request when its handshake is aborted', async () => {
    const { room_name, token } = await webCall();
    const whole = upgrade(
      `/rooms/${room_name}?access_token=${token}`,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    );
    for (let n = 0; n < 20; n++) await sendBytes(sandbox.url, whole, 1);
    for (let n = 0; n < 20; n++) await sendBytes(sandbox.url, upgrade('/rooms/room_1', ''), 1);
    expect((await client.get('/v1/me')).status).toBe(200);
  });

  it('is the only one that an invalid frame closes', async () => {
    const { room_name, token } = await webCall();
    const whole = upgrade(
      `/rooms/${room_name}?access_token=${token}`,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    );
    const bytes = Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xff, 0xff, 0xff])]);
    const { statuses, outcome } = await sendBytes(sandbox.url, bytes);
    expect(statuses).toEqual([101]);
    expect(outcome).not.toBe('open');
    expect((await client.get('/v1/me')).status).toBe(200);
  });
});

describe('an offer of another protocol', () => {
  it.each(['h2c', 'TLS/1.3', 'websocket'])(
    'of %s outside rooms is ignored, and the request is served',
    async (name) => {
      const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
      const lines = (method: string, path: string, more: readonly string[]): string =>
        [
          `${method} ${path} HTTP/1.1`,
          'Host: x',
          'Authorization: Bearer svc_sandbox_default',
          `Connection: Upgrade, HTTP2-Settings`,
          `Upgrade: ${name}`,
          'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
          ...more,
          '',
          '',
        ].join('\r\n');
      const read = answerOf(await sendBytes(sandbox.url, lines('GET', '/v1/me', []), { responses: 1 }));
      expect(read.status, read.text).toBe(200);
      const head = lines('POST', '/v1/calls/dial', [
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ]);
      // Two requests on one connection, each with its body.
      const twice = await sendBytes(sandbox.url, `${head}${body}${head}${body}`, { responses: 2 });
      expect(twice.statuses).toEqual([202, 202]);
    },
  );

  it('is allowed on every request of a connection', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const headers = { Connection: 'Upgrade, keep-alive', Upgrade: 'h2c' };
    for (let n = 0; n < 40; n++) expect((await wire.send({ path: '/v1/me', headers })).status).toBe(200);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('is ignored on a request with a chunked body', async () => {
    const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
    const request = [
      'POST /v1/calls/dial HTTP/1.1',
      'Host: x',
      'Authorization: Bearer svc_sandbox_default',
      'Connection: close, Upgrade',
      'Upgrade: h2c',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ].join('\r\n');
    const answered = await sendBytes(sandbox.url, request);
    expect(answered.statuses).toEqual([202]);
    expect(answered.outcome).toBe('ended');
  });
});
