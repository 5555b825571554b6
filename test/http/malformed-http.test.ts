// Bytes that are not a valid HTTP/1.1 request: 400 in the envelope of `spec.md` "Errors", and nothing is stored.
import { describe, expect, it } from 'vitest';
import { answerOf, sendBytes } from '../support/wire.ts';
import { dialBody, expectRefusal, useUnchangedPlatform } from './setup.ts';

const { sandbox, client } = useUnchangedPlatform({ rateLimit: 'off' });

describe('a malformed HTTP/1.1 request', () => {
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
    ['plain text', () => 'hello, is anyone there?\r\n\r\n'],
    ['a TLS handshake', () => Buffer.from('160301020001000001fc0303', 'hex')],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['random bytes', () => Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 13, 10, 13, 10])],
    ['an unknown version', () => 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['HTTP/2.0 in the first line', () => 'GET /v1/me HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9 in the first line', () => 'GET /v1/me HTTP/0.9\r\nHost: x\r\n\r\n'],
    ['a host other than that of the first line', () => 'GET http://x/v1/me HTTP/1.1\r\nHost: y\r\n\r\n'],
    ['another port than that of the first line', () => 'GET http://x/v1/me HTTP/1.1\r\nHost: x:81\r\n\r\n'],
    ['an unknown method', () => 'BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path with a space', () => 'GET /v1/my account HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path of raw bytes', () => Buffer.from('GET /v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1')],
    ['a NUL in a header', () => 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Note: a\0b\r\n\r\n'],
    ['a header without a name', () => 'GET /v1/me HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['a negative length', () => dialBytes(['Content-Length: -1'])],
    ['a length that is not a number', () => dialBytes(['Content-Length: ten'])],
    ['two lengths', () => dialBytes(['Content-Length: 2', 'Content-Length: 60'], dialBody())],
    ['both a length and chunks', () => dialBytes(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['a malformed chunk', () => dialBytes(['Transfer-Encoding: chunked'], `ZZ\r\n${dialBody()}\r\n0\r\n\r\n`)],
    ['chunks after another encoding', () => dialBytes(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
    [
      'chunks declared twice',
      () => dialBytes(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ],
    ['chunks with an unknown name', () => dialBytes(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['two hosts', () => dialBytes(['Host: y', 'Content-Length: 0'])],
    ['the same host twice', () => dialBytes(['host: x', 'Content-Length: 0'])],
    ['two keys', () => dialBytes(['Authorization: Bearer svc_sandbox_other', 'Content-Length: 0'])],
    ['two media types', () => dialBytes(['Content-Type: text/plain', 'Content-Length: 0'])],
    ['chunks in HTTP/1.0', () => dialBytes(['Transfer-Encoding: chunked'], '0\r\n\r\n').replace('/1.1', '/1.0')],
    ['a host with a path', () => 'GET /v1/me HTTP/1.1\r\nHost: localhost/x\r\n\r\n'],
    ['two hosts in one header', () => 'GET /v1/me HTTP/1.1\r\nHost: x,y\r\n\r\n'],
    ['a host in quotes', () => 'GET /v1/me HTTP/1.1\r\nHost: "x"\r\n\r\n'],
    ['a host with a user', () => 'GET /v1/me HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n'],
    ['HTTP/1.1 without a Host', () => 'GET /v1/me HTTP/1.1\r\nAuthorization: Bearer svc_sandbox_default\r\n\r\n'],
  ])('%s is 400 in the envelope, and closes the connection', async (_, bytes) => {
    const got = await sendBytes(sandbox.url, bytes());
    expect(got.outcome).toBe('ended');
    expect(got.statuses).toEqual([400]);
    const answer = answerOf(got);
    expect(answer.headers['content-type']).toBe('application/json');
    expectRefusal(answer, 400, 'validation_error');
  });

  it('bytes that follow a request are refused after its response', async () => {
    const read = 'GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_sandbox_default\r\n\r\n';
    expect((await sendBytes(sandbox.url, `${read}garbage\r\n\r\n`)).statuses).toEqual([200, 400]);
  });

  it('an unsupported Expect is 400, naming the header', async () => {
    const answer = answerOf(
      await sendBytes(sandbox.url, dialBytes(['Expect: tea', 'Content-Length: 0']), { responses: 1 }),
    );
    expectRefusal(answer, 400, 'validation_error', 'Expect');
  });

  it('a client that disconnects in the middle of its body gets no response', async () => {
    const half = dialBytes([`Content-Length: ${dialBody().length}`], dialBody().slice(0, 30));
    const chunk = dialBytes(['Transfer-Encoding: chunked'], '8\r\n{"from_n');
    for (const bytes of [half, chunk]) expect((await sendBytes(sandbox.url, bytes, 100)).text).toBe('');
    // The server handles the disconnects before these requests.
    for (let n = 0; n < 3; n++) await client.get('/v1/me');
    expect(await sandbox.requests()).not.toContainEqual(expect.objectContaining({ operation: 'dialCall' }));
  });
});
