// A program whose output fails, and whose code does: it serves on. One process for all tests of the file, in their order.
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { freePort, type Program, programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually, until } from '../support/until.ts';

const { bash, serve } = programs();
let server: Program;

/** An error that nothing handles, on a signal: only a bug can cause one. */
const BUG = "data:text/javascript,process.on('SIGUSR2',()=>{throw%20new%20Error('a%20bug')})";

beforeAll(async () => {
  server = await serve(['--rate-limit', 'off'], { NODE_OPTIONS: `--import=${BUG}` });
});

/** How many requests a connection may have without a response, at most. */
const AT_ONCE = 60;

const BEGINNING = 'HTTP/1.1 404';

/** Sends so many requests whose lines of the log are long, on one connection; resolves when all are answered. */
function ask(requests: number): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const request = `GET /v1/${'x'.repeat(280)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let sent = 0;
    let answered = 0;
    /** What may be the beginning of a response. */
    let rest = '';
    const socket = connect(Number(port), hostname, () => send());
    const send = (): void => {
      const more = Math.min(requests - sent, AT_ONCE - (sent - answered));
      sent += more;
      socket.write(request.repeat(more));
    };
    socket.on('error', reject);
    socket.setEncoding('latin1').on('data', (text) => {
      const parts = `${rest}${text}`.split(BEGINNING);
      answered += parts.length - 1;
      rest = parts.at(-1)?.slice(1 - BEGINNING.length) ?? '';
      if (answered < requests) return send();
      socket.destroy();
      resolve();
    });
  });
}

const healthOf = async () => (await clientOf(server.url).get('/_sandbox/health')).body.data;
const messages = (): string[] => server.log().map(({ msg }) => msg);

describe('a server', () => {
  it('goes on after an error that nothing handled, and logs it once', async () => {
    server.signal('SIGUSR2');
    await eventually(() => expect(messages().join()).toContain('an error was not handled'));
    server.signal('SIGUSR2');
    await ask(2);
    expect(messages().filter((text) => text.startsWith('an error was not handled'))).toHaveLength(1);
    expect(server.stdout()).toContain('Error: a bug');
  });

  // In `npm test`, test/cli/log-output.test.ts has a log that nobody reads.
  it.runIf(thorough)(
    'answers while nobody reads its output, and says how many lines of the log were dropped',
    async () => {
      server.output.pause();
      await ask(3000);
      const { log_lines_dropped } = await healthOf();
      expect(log_lines_dropped).toBeGreaterThan(100);
      server.output.resume();
      // Lines about the last of these responses may be dropped after health was asked.
      const told = (): number =>
        Math.max(0, ...server.log().map((line) => ('dropped' in line ? Number(line.dropped) : 0)));
      await until(told).toBeGreaterThanOrEqual(log_lines_dropped);
    },
  );

  it('answers when its output is closed', async () => {
    server.output.destroy();
    await ask(20);
    expect((await healthOf()).status).toBe('ok');
  });

  it('stops with exit code 0 on SIGHUP, which a closed terminal and its shell both send, and some with SIGTERM', async () => {
    server.signal('SIGTERM');
    server.signal('SIGHUP');
    server.signal('SIGHUP');
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a server', () => {
  it.runIf(thorough)('that may open too few files does not start, and says so in one line', async () => {
    const start = (files: number) => bash(`ulimit -n ${files}; exec node dist/main.js serve --port 0`);
    for (const { code, stdout, stderr } of await Promise.all([24, 40].map(start))) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe('ringback: too many open files; allow this process 256 or more (ulimit -n)\n');
    }
  });

  it.runIf(thorough)('goes on when its output is a full disk, or the end of a pipe that closed', async () => {
    const endOf = async (output: string) => {
      const port = await freePort();
      return bash(`
        node dist/main.js serve --port ${port} ${output} & server=$!
        node dist/main.js readyz --port ${port} --wait 60s > /dev/null
        kill -HUP $server; wait $server; echo "code $?"`);
    };
    const [full, closed] = await Promise.all([endOf('> /dev/full'), endOf('> >(head -c 1 > /dev/null)')]);
    expect(full.stdout).toBe('code 0\n');
    expect(closed.stdout).toBe('code 0\n');
  });
});
