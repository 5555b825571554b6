// What the log has at `debug`, and its lines for requests that Node hands over as a bare socket (`interface.md` section 1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import type { Log } from '../../src/log.ts';
import { textOf } from '../../src/log-lines.ts';
import { type OpenSandbox, openSandbox } from '../../src/sandbox.ts';
import { type Client, clientOf } from '../support/client.ts';
import { subscribe } from '../support/webhooks.ts';
import { sendBytes } from '../support/wire.ts';

interface Record {
  readonly level: 'error' | 'info' | 'debug';
  readonly text: string;
  readonly fields: object;
}

/** A log at `debug` that keeps its records. */
function keptLog(): { log: Log; records: Record[] } {
  const records: Record[] = [];
  const keep = (level: Record['level']) => (fields: object, text: string) => {
    records.push({ level, text, fields });
  };
  const log: Log = {
    error: keep('error'),
    info: keep('info'),
    debug: keep('debug'),
    line: (level, line) => keep(level)(line, textOf(line).replace(/\d+ ms/, '… ms')),
    shows: () => true,
    dropped: 0,
  };
  return { log, records };
}

const { log, records } = keptLog();
let sandbox: OpenSandbox;
let client: Client;
beforeAll(async () => {
  sandbox = await openSandbox(readOptions({ clock: 'manual' }), log);
  client = clientOf(sandbox.url);
});
afterAll(() => sandbox.close(0));

describe('at debug, the log says', () => {
  const fieldsOf = (text: string): object[] =>
    records.filter((each) => each.level === 'debug' && each.text === text).map(({ fields }) => fields);

  it('which scenario a request played and what that outranked, each step, and when the next task runs', async () => {
    const id = await client.call('+12125550101');
    expect(fieldsOf('request').at(-1)).toMatchObject({
      operation: 'dialCall',
      scenario: {
        name: 'busy',
        source: 'number',
        outranked: [expect.objectContaining({ source: 'default', name: 'answered' })],
      },
    });
    expect(fieldsOf('step').at(-1)).toMatchObject({ subject: `calls ${id}`, from: null, to: 'QUEUED' });
    expect(fieldsOf('schedule').at(-1)).toMatchObject({ next_task_at: expect.stringMatching(/^2026-01-05T15:00:0/) });
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(fieldsOf('step').at(-1)).toMatchObject({ trigger: 'busy', from: 'QUEUED', to: 'BUSY' });
  });

  it('what a delivery was sent with, and no secret', async () => {
    await subscribe(client, 'http://127.0.0.1:9/hooks?key=s3cr3t', 'call_busy');
    await client.call('+12125550101');
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(fieldsOf('delivery').at(-1)).toMatchObject({
      event_type: 'call_busy',
      target: ':9/hooks?…',
      status: 'failed',
      request_headers: { 'content-type': 'application/json' },
    });
    expect(JSON.stringify(records)).not.toMatch(/s3cr3t|svc_sandbox|sandbox_signing_secret/);
  });
});

describe('the log has one line at info for', () => {
  it.each([
    ['bytes that are not a request', 'hello\r\n\r\n', 'malformed request 400 validation_error … ms'],
    [
      'an upgrade that is refused',
      'GET /rooms/none?access_token=eyJh.eyJi.c HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'GET /rooms/none?access_token=[redacted] 401 unauthorized … ms',
    ],
    [
      'a tunnel',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      'CONNECT example.com:443 405 method_not_allowed … ms',
    ],
    [
      'an expectation',
      'GET /v1/me HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n',
      'GET /v1/me 400 validation_error … ms',
    ],
  ])('%s', async (_, bytes, line) => {
    const before = records.length;
    await sendBytes(sandbox.url, bytes);
    await expect
      .poll(() => records.slice(before).flatMap(({ level, text }) => (level === 'info' ? text : [])))
      .toEqual([line]);
  });
});
