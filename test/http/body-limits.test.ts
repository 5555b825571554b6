// Bodies over the limit: the assumption body_limits (413). Nothing is stored.
import { describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/until.ts';
import { answerOf, sendBytes } from '../support/wire.ts';
import { BODY_LIMIT, dialBody, expectRefusal, useUnchangedPlatform } from './setup.ts';

const { sandbox, dial } = useUnchangedPlatform({ rateLimit: 'off' });

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

  it('is 413 by its declared length, before any byte of it arrives', async () => {
    const got = await sendBytes(sandbox.url, head(['Content-Length: 1000000000000']));
    expect(got.outcome).toBe('ended');
    expectRefusal(answerOf(got), 413, 'payload_too_large');
  });

  it.each([
    ['the platform', 'POST /v1/calls/dial', 'application/json'],
    ['the control API', 'PUT /_sandbox/clock', 'application/json'],
    ['the control API, as YAML', 'PUT /_sandbox/scenarios/own_line', 'application/yaml'],
  ])('is 413 on %s, also for a client that sends everything before it reads', async (_, target, type) => {
    const to = (more: string): string =>
      head([more]).replace('POST /v1/calls/dial', target).replace('application/json', type);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const size = 64 * 0x10000;
    for (const bytes of [
      `${to('Transfer-Encoding: chunked')}${chunk.repeat(64)}0\r\n\r\n`,
      `${to(`Content-Length: ${size}`)}${'x'.repeat(size)}`,
    ]) {
      const got = await sendBytes(sandbox.url, bytes, PATIENCE, 'afterwards');
      expect(got).toMatchObject({ outcome: 'ended', statuses: [413] });
      expectRefusal(answerOf(got), 413, 'payload_too_large');
    }
  });

  it('is ignored on a route without a body, and the next request is served', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const get = (more: string[] = []): string => head(more).replace('POST /v1/calls/dial', 'GET /_sandbox/clock');
    const bytes = `${get(['Transfer-Encoding: chunked'])}${chunk.repeat(16)}0\r\n\r\n${get(['Connection: close'])}`;
    expect(await sendBytes(sandbox.url, bytes)).toMatchObject({ outcome: 'ended', statuses: [200, 200] });
  });

  it('is 413 for one byte too many', async () => {
    const body = dialBody({ note: '' });
    const over = dialBody({ note: 'x'.repeat(BODY_LIMIT + 1 - body.length) });
    expect(over.length).toBe(BODY_LIMIT + 1);
    expectRefusal(await dial({}, { body: over }), 413, 'payload_too_large');
    expectRefusal(await dial({}, { body: over, chunked: true }), 413, 'payload_too_large');
  });

  it('is 401 with an unknown key, and the connection closes or serves the next request', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const next = head([], 'svc_nobody').replace('POST /v1/calls/dial', 'GET /v1/me');
    const bytes = `${head(['Transfer-Encoding: chunked'], 'svc_nobody')}${chunk.repeat(16)}0\r\n\r\n${next}`;
    const { statuses, outcome } = await sendBytes(sandbox.url, bytes, { responses: 2 });
    expect(statuses[0]).toBe(401);
    expect(outcome !== 'open' || statuses.length === 2, `${statuses} ${outcome}`).toBe(true);
  });
});
