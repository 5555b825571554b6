// The log's lines of requests, deliveries and unheard events, as JSON and on a terminal (`interface.md` section 1).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import type { LogLine } from '../../src/log-lines.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';
import { clientOf } from '../support/client.ts';
import { build, type Environment, freePort, programs, root } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const { serve, node } = programs();

const request: LogLine = {
  kind: 'request',
  world: 'default',
  method: 'POST',
  path: '/v1/calls/dial',
  status: 202,
  error_code: null,
  scenario: 'busy',
  source: 'number',
  duration_ms: 4,
};
const delivery: LogLine = {
  kind: 'delivery',
  world: 'default',
  delivery: 'dlv_1',
  event: 'evt_1',
  event_type: 'call_busy',
  target: ':8080/hooks',
  status: 500,
  latency_ms: 32,
  error_class: 'http_status',
  error: 'the receiver responded with 500',
  hint: 'Look for the error.',
};

/** What a log writes to a terminal. */
async function shown(
  level: 'silent' | 'error' | 'info' | 'debug',
  colors: boolean,
  ...lines: LogLine[]
): Promise<string> {
  let text = '';
  const log = await createLog(level, { hasColors: () => colors }, (more, done) => {
    text += more;
    done(0);
  });
  for (const line of lines) log.line('info', line);
  return text;
}

describe('on a terminal', () => {
  it('a request and a delivery have one line each', async () => {
    expect(await shown('info', false, request, { ...delivery, error: null, error_class: null })).toBe(
      'POST /v1/calls/dial 202 busy (number) 4 ms\n→ call_busy :8080/hooks 500 32 ms\n',
    );
  });

  it.each<[string, Partial<typeof request>, string]>([
    ['its error code', { status: 404, error_code: 'not_found', scenario: null }, '404 not_found 4 ms'],
    [
      'a refusal by a scenario once',
      { status: 403, error_code: 'no_consent', scenario: 'no_consent' },
      '403 no_consent (number) 4 ms',
    ],
    ['a connection that closed', { status: null, scenario: null }, 'closed 4 ms'],
    ['its world unless it is default', { world: 'checkout' }, '202 busy (number) 4 ms [checkout]'],
  ])('the line of a request shows %s', async (_, change, end) => {
    expect(await shown('info', false, { ...request, ...change } as LogLine)).toBe(`POST /v1/calls/dial ${end}\n`);
  });

  it('a failed delivery says what failed and what to do', async () => {
    expect(await shown('info', false, delivery)).toBe(
      '→ call_busy :8080/hooks 500 32 ms the receiver responded with 500. Look for the error.\n',
    );
  });

  it('lines are colored only where the terminal has colors', async () => {
    const colored = await shown('info', true, request);
    expect(colored).toContain('\u001b[32m202\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the colors.
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(await shown('info', false, request));
  });

  it.each(['error', 'silent'] as const)('nothing is shown of requests at %s', async (level) => {
    expect(await shown(level, true, request, delivery)).toBe('');
  });

  it('characters that control a terminal do not reach it', async () => {
    const path = '/a\u001b[2J\u0007\u009b1m\u202e\r\nPOST /faked 200';
    const text = await shown('info', false, { ...request, path }, { ...delivery, target: path, error: path });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text.split('\n')).toHaveLength(3);
  });
});

describe('as JSON lines', () => {
  it('the log has requests, deliveries and unheard events, and no secret of a URL', async () => {
    let written = '';
    const logging = await createLog('info', null, (text, done) => {
      written += text;
      done(0);
    });
    const server = await openSandbox(readOptions({ clock: 'manual' }), logging);
    const client = clientOf(server.url, 'svc_test_lines');
    const receiver = await startReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(500).end();
    await subscribe(client, `${receiver.url}/hooks/T0K3N0123456789abcdef?key=s3cr3t`, 'call_busy');
    await client.dial('+12125550101');
    await client.get('/v1/calls?page_size=1&token=s3cr3t');
    await client.post('/v1/leads/lead_lines', {});
    await client.post('/_sandbox/clock/advance', { until: 'idle' });
    await client.get('/_sandbox/health');
    await server.close(0);
    await logging.flush();
    await receiver.close();
    const log: Record<string, unknown>[] = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const messages = log.map(({ msg }) => String(msg).replace(/\d+ ms/, '… ms'));
    const port = new URL(receiver.url).port;
    expect(messages).toEqual(
      expect.arrayContaining([
        'POST /v1/calls/dial 202 busy (number) … ms [lines]',
        'GET /v1/calls?page_size=1&token=[redacted] 400 validation_error … ms [lines]',
        'POST /v1/leads/[redacted] 401 unauthorized … ms [lines]',
        'POST /_sandbox/clock/advance 200 … ms [lines]',
        '· new_call no subscription (none of that type) [lines]',
        `→ call_busy :${port}/hooks/T0K3…?… 500 … ms the receiver responded with 500. Look for the error in the log of the receiver. [lines]`,
      ]),
    );
    expect(messages.filter((message) => message.includes('/_sandbox/health'))).toEqual([]);
    expect(log.find(({ kind }) => kind === 'delivery')).toMatchObject({
      level: 30,
      world: 'lines',
      error_class: 'http_status',
      hint: expect.stringContaining('Look for the error'),
    });
    expect(log.find(({ kind }) => kind === 'unheard')).toMatchObject({ deliveries: 0, unheard: ['none_of_that_type'] });
    expect(written).not.toMatch(/s3cr3t|svc_test|0123456789abcdef|lead_lines/);
  });

  it.runIf(thorough)('there is only the ready line at error, and nothing at all with silent', async () => {
    const loud = await serve(['--log', 'error']);
    await clientOf(loud.url).dial('+12125550101');
    expect((await loud.stop()).stdout.trimEnd().split('\n')).toHaveLength(1);
    const port = String(await freePort());
    const silent = node(join(root, 'dist/main.js'), 'serve', '--log', 'silent', '--port', port);
    await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200));
    silent.child.kill('SIGTERM');
    expect(await silent.ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

// A container may have no pseudo-terminals.
const hasPython = spawnSync('python3', ['-c', 'import pty; pty.openpty()']).status === 0;

describe.runIf(thorough && hasPython)('in a real terminal', () => {
  /** What the script prints that runs the server in a terminal. */
  async function inTerminal(mode: 'shown' | 'stopped', flags: readonly string[], environment: Environment = {}) {
    await build();
    const script = join(root, 'test', 'support', 'terminal.py');
    // In a CI, Node takes no terminal for one with colors.
    const { CI: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env;
    const env = { ...inherited, TERM: 'xterm-256color', ...environment };
    const args = [script, mode, process.execPath, join(root, 'dist/main.js'), ...flags];
    return spawnSync('python3', args, { encoding: 'utf8', env }).stdout;
  }

  it('that is stopped with Ctrl-S, the server goes on, and prints its lines when the terminal goes on', async () => {
    expect(await inTerminal('stopped', ['--rate-limit', 'off'], { NO_COLOR: '1' })).toBe('50 50\n');
  });

  it('the server prints a welcome and colored lines; NO_COLOR removes the colors', async () => {
    const colored = await inTerminal('shown', ['--clock', 'manual']);
    expect(colored).toContain('API key    svc_sandbox_default');
    expect(colored).toMatch(/dashboard {2}http:\/\/127\.0\.0\.1:\d+\/_sandbox\/ui\//);
    expect(colored).toContain('\u001b[1mPOST\u001b[22m /v1/calls/dial \u001b[32m202\u001b[39m busy (number)');
    const plain = await inTerminal('shown', ['--clock', 'manual'], { NO_COLOR: '1' });
    expect(plain).toMatch(/POST \/v1\/calls\/dial 202 busy \(number\) \d+ ms/);
  });
});
