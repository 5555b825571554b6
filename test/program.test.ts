// The built program as a process: `interface.md` section 1 (what a start prints, `--log`), section 7 (`serve`, `readyz`
// and exit codes), the stop that section 5 promises of `ready`, and `spec.md` "Delivery shapes" and "Signature" as a
// receiver in a third process meets them.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../src/index.ts';
import { type Client, clientOf } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { commandLines, type Program, programs, root } from './support/program.ts';
import { thorough } from './support/thorough.ts';
import { eventually, stretched } from './support/until.ts';

const folderOf = temporaryFolders();
const { bash, node, run, serve } = programs();
const line = commandLines();

/** The journal has an entry as soon as a request has taken effect, before its answer is delayed. */
const tookEffect = (client: Client, path: string): Promise<unknown> =>
  eventually(async () => {
    expect((await client.get(`/_sandbox/requests?path=${path}`)).body.meta.total_results).toBe(1);
  });

async function subscribe(client: Client, webhook_url: string, event_type: string): Promise<string> {
  const answer = await client.post('/api/v1/webhook_subscriptions', { webhook_url, event_type });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

describe('what a start prints', () => {
  let server: Program;
  beforeAll(async () => {
    server = await serve(['--clock', 'manual']);
  });
  afterAll(() => server.stop());

  const curlLines = (of: Program): string[] =>
    of
      .stdout()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('curl '));
  const hasCurl = spawnSync('curl', ['--version']).status === 0;

  const keyIn = (of: Program): string => /API key +(\S+)/.exec(of.stdout())?.[1] ?? 'none';

  it('has the base address', async () => {
    const answer = await fetch(server.url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { name: 'ringback' } });
  });

  it('has an API key that works', async () => {
    expect((await clientOf(server.url, keyIn(server)).get('/v1/account')).status).toBe(200);
  });

  it('has addresses that answer', async () => {
    const addresses = [...server.stdout().matchAll(/^ +\S.*? +(http:\S+)$/gm)].map(([, address]) => address as string);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  });

  it('has a curl line that dials, as printed', async ({ skip }) => {
    if (!hasCurl) {
      console.info('skipped: the printed curl line is not tried, since curl is not installed');
      skip('curl is not installed');
    }
    const [dial] = curlLines(server);
    const { code, stdout } = await bash(dial as string);
    expect(code).toBe(0);
    const { call_id, status } = JSON.parse(stdout);
    expect(status).toBe('QUEUED');
    expect((await clientOf(server.url).readCall(call_id)).to_number).toMatch(/0101$/);
  });

  it('says on a standing clock that nothing moves until advance, with a curl line that does it', async ({ skip }) => {
    expect(server.stdout()).toMatch(/nothing moves until you advance/);
    if (!hasCurl) {
      console.info('skipped: the printed curl line is not tried, since curl is not installed');
      skip('curl is not installed');
    }
    const client = clientOf(server.url);
    const id = await client.call('+12125550101');
    expect((await client.readCall(id)).status).toBe('QUEUED');
    const { stdout } = await bash(curlLines(server)[1] as string);
    expect(JSON.parse(stdout).data.complete).toBe(true);
    expect((await client.readCall(id)).status).toBe('BUSY');
  });

  it.runIf(thorough)('says nothing of advance on a clock that runs', async () => {
    const running = await serve();
    expect(running.stdout()).not.toMatch(/advance/);
    expect(curlLines(running)).toHaveLength(1);
    await running.stop();
  });

  it.runIf(thorough)('has a key that works where the fixture is another', async () => {
    const file = join(
      folderOf({
        'ours.yaml':
          'organization: { name: Ours, slug: ours, plan: p }\nuser: { name: U, email: u@ours.example }\nkeys: [{ key: svc_ours }]\n',
      }),
      'ours.yaml',
    );
    const other = await serve(['--fixtures', file]);
    const { status } = await clientOf(other.url, keyIn(other)).get('/v1/account');
    await other.stop();
    expect(status).toBe(200);
  });

  it.runIf(thorough)('leaves the control token out', async () => {
    const guarded = await serve(['--control-token', 'open-sesame', '--clock', 'manual']);
    const { stdout, stderr } = await guarded.stop();
    expect(stdout + stderr).not.toContain('open-sesame');
  });
});

describe.concurrent('the log', () => {
  it.runIf(thorough)('is one JSON line a record where stdout is no terminal', async () => {
    const server = await serve(['--log', 'debug']);
    const client = clientOf(server.url);
    await subscribe(client, 'http://127.0.0.1:9/hook', 'new_call');
    await client.dial('+12125550101');
    await eventually(() => expect(server.log().some(({ level }) => level === 20)).toBe(true));
    const { stdout, stderr } = await server.stop();
    const lines = stdout.split('\n').filter((line) => line !== '');
    const afterBanner = lines.slice(lines.findIndex((line) => line.startsWith('curl ')) + 1);
    expect(afterBanner.length).toBeGreaterThan(2);
    for (const line of afterBanner) {
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        msg: expect.any(String),
      });
    }
    expect(stderr).toBe('');
  });

  it('is alone on stdout with serve --json', async () => {
    const { child, ended, stdout } = node(join(root, 'dist/main.js'), 'serve', '--json', '--port', '0');
    await eventually(() => expect(stdout()).toContain('"ready"'));
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const records = stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg }) => msg)).toEqual(['ready', 'stopping', 'stopped']);
    expect(records[0].url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.runIf(thorough)('has a broken edit of a scenario among its errors, and errors alone at --log error', async () => {
    const folder = folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
    const [loud, silent] = await Promise.all(
      ['error', 'silent'].map((level) => serve(['--log', level, '--scenarios', folder])),
    );
    writeFileSync(join(folder, 'own_line.yaml'), 'kind: call\nsummary: Our own.\nextends: bussy\n');
    await eventually(async () => {
      for (const { url } of [loud, silent] as Program[]) {
        expect((await clientOf(url).get('/_sandbox/scenarios/own_line')).body.data.error).toContain('bussy');
      }
    });
    await eventually(() => expect(loud?.stdout()).toContain('own_line.yaml:3'));
    await Promise.all([loud?.stop(), silent?.stop()]);
    expect(loud?.log().map(({ level }) => level)).toEqual([50]);
    expect(silent?.log()).toEqual([]);
  });

  it.runIf(thorough)('has a payload that does not match its schema among its errors', async () => {
    const state = join(folderOf(), 'state.json');
    const before = await createSandbox({ clock: 'manual', state });
    const id = await clientOf(before.url).call('+12125550100');
    await before.close();
    // Such a payload is a bug; a record that no operation could have made stands in for one.
    writeFileSync(state, readFileSync(state, 'utf8').replaceAll('"outbound"', '"sideways"'));
    const server = await serve(['--log', 'error', '--state', state]);
    const client = clientOf(server.url);
    await client.post(`/v1/calls/${id}/hangup`);
    // Not by the client of the tests, which fails on what deviates from the contract.
    const answer = await fetch(`${server.url}/_sandbox/events?event_type=call_completed`);
    const { data } = (await answer.json()) as { data: { id: string; schema_violations: string[] }[] };
    expect(data[0]?.schema_violations[0]).toContain('direction');
    await server.stop();
    expect(server.log()).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'a payload does not match its schema',
        event: data[0]?.id,
        schema_violations: data[0]?.schema_violations,
      }),
    );
  });

  it('never has a key, a token or a secret in it, at debug either', async () => {
    const token = 'control-3d1f0c';
    const server = await serve(['--log', 'debug', '--clock', 'manual', '--control-token', token]);
    const client = clientOf(server.url, 'svc_test_quiet_7f3a9b');
    const inQuiet = { 'X-Sandbox-World': 'quiet' };
    const control = clientOf(server.url, token);
    await client.get('/v1/account');
    const { api_key } = (await control.post('/_sandbox/keys', {}, inQuiet)).body.data;
    const keyed = clientOf(server.url, api_key);
    const id = await subscribe(keyed, 'http://127.0.0.1:9/hook', 'number_purchased');
    await control.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: 'signing-5e8d2a' }, inQuiet);
    await control.post('/_sandbox/events', { event_type: 'number_purchased', data: {} }, inQuiet);
    // What fails in ways that are worth a record, with secrets in every place that a client can put them.
    await clientOf(server.url, 'svc_unknown_c41b77').dial('+12125550101');
    await clientOf(server.url, 'control-token-wrong-99aa').get('/_sandbox/clock');
    await keyed.post('/v1/calls/dial', { token: 'token-in-body-61d0', api_key, to_number: '+12125550101' });
    await keyed.post('/v1/calls/dial', `{ "api_key": "${api_key}"`);
    await keyed.dial('+12125550101', { 'X-Sandbox-Error': 'internal_error', 'X-Source-Secret': 'source-77b2' });
    await keyed.dial('+12125550101', { 'X-Sandbox-Fault': 'empty' }).catch(() => {});
    await control.post('/_sandbox/clock/advance', { until: 'idle' }, inQuiet);
    await eventually(() => expect(server.log().some(({ level }) => level === 20)).toBe(true));
    await server.stop();
    const log = JSON.stringify(server.log());
    const secrets = [
      token,
      api_key,
      'svc_test_quiet_7f3a9b',
      'svc_sandbox_default',
      'svc_unknown_c41b77',
      'control-token-wrong-99aa',
      'sandbox_signing_secret',
      'signing-5e8d2a',
      'token-in-body-61d0',
      'source-77b2',
    ];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });

  it.runIf(thorough)('has no token of a webhook address in it', async () => {
    const server = await serve(['--log', 'debug']);
    const client = clientOf(server.url);
    await subscribe(client, 'http://127.0.0.1:9/hook?token=receiver-token-40c1', 'new_call');
    await client.dial('+12125550101');
    await eventually(() => expect(server.log().some(({ level }) => level === 20)).toBe(true));
    const { stdout } = await server.stop();
    expect(stdout).not.toContain('receiver-token-40c1');
  });
});

describe.runIf(thorough)('a folder of scenarios that is watched', () => {
  it('does not end the server by what an editor leaves in it', async () => {
    const folder = folderOf();
    const server = await serve(['--scenarios', folder]);
    // The lock of a file that is open in Emacs: a link to nowhere, named like the file.
    symlinkSync('someone@somewhere.1', join(folder, '.#own_line.yaml'));
    await sleep(1500);
    writeFileSync(join(folder, 'own_line.yaml'), 'kind: call\nsummary: Our own.\nextends: busy\n');
    await eventually(async () => {
      expect((await fetch(`${server.url}/_sandbox/scenarios/own_line`)).status).toBe(200);
    });
    expect((await server.stop()).code).toBe(0);
  });

  it('keeps what it had when it is taken away, and says so once', async () => {
    const folder = folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
    const server = await serve(['--scenarios', folder]);
    rmSync(folder, { recursive: true });
    await eventually(() => expect(server.stdout()).toContain('is not a folder that can be read'));
    await sleep(1500);
    expect((await fetch(`${server.url}/_sandbox/scenarios/own_line`)).status).toBe(200);
    const { code, stdout } = await server.stop();
    expect(code).toBe(0);
    expect(stdout.split('is not a folder that can be read')).toHaveLength(2);
  });
});

describe.concurrent('readyz', () => {
  let server: Program;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.stop());

  /** An address where nobody listens. */
  async function nobody(): Promise<string> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    return `http://127.0.0.1:${port}`;
  }

  it('is 0 where a server is ready, found by --url, RINGBACK_URL or --port', async () => {
    const { port } = new URL(server.url);
    const elsewhere = await nobody();
    const ends = await Promise.all([
      run(['readyz', '--url', server.url], { RINGBACK_URL: elsewhere }),
      run(['readyz'], { RINGBACK_URL: `${server.url}/`, RINGBACK_PORT: new URL(elsewhere).port }),
      run(['readyz', '--port', port], { RINGBACK_PORT: new URL(elsewhere).port }),
    ]);
    for (const { code, stdout, stderr } of ends) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toBe(`${server.url} is ready\n`);
    }
  });

  it('is 1 where nobody answers, saying where it asked', async () => {
    const url = await nobody();
    const { code, stdout, stderr } = await run(['readyz', '--url', url]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(`${url} is not ready`);
  });

  it('is 1 where another server answers', async () => {
    const { code } = await run(['readyz', '--url', `${server.url}/nowhere`]);
    expect(code).toBe(1);
  });

  it.runIf(thorough)('is 1 where another server answers whatever it is asked', async () => {
    const pages = ['<html></html>', '', '{"data":null}', '{"data":{"status":"ok"}}'];
    for (const page of pages) {
      const other = createServer((_req, res) => res.end(page)).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { code, stderr } = await run(['readyz', '--url', url]);
      other.close();
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${url} is not ready: another server responds there\n` });
    }
  });

  it('--json prints one JSON object, ready or not', async () => {
    const url = await nobody();
    const [ready, not] = await Promise.all([
      run(['readyz', '--json', '--url', server.url]),
      run(['readyz', '--json', '--url', url]),
    ]);
    expect(JSON.parse(ready.stdout)).toEqual({ url: server.url, ready: true });
    expect(not.code).toBe(1);
    expect(JSON.parse(not.stdout || 'null')).toMatchObject({ url, ready: false });
  });

  it.runIf(thorough)('--wait waits for a server that is still to come', async () => {
    const url = await nobody();
    const asked = run(['readyz', '--url', url, '--wait', '40s']);
    await sleep(700);
    const late = await serve(['--port', new URL(url).port]);
    const { code } = await asked;
    await late.stop();
    expect(code).toBe(0);
  });

  it.runIf(thorough)('--wait gives up when the time is over', async () => {
    const began = performance.now();
    const { code } = await run(['readyz', '--url', await nobody(), '--wait', '1500ms']);
    expect(code).toBe(1);
    expect(performance.now() - began).toBeGreaterThan(1200);
  });

  const wrong = [
    { flag: '--wait', end: line(['readyz', '--wait', 'soon']) },
    { flag: '--port', end: line(['readyz', '--port', 'http']) },
    { flag: '--url', end: line(['readyz', '--url', 'no address']) },
    { flag: '--now', end: line(['readyz', '--now']) },
  ];
  it.each(wrong)(
    'a malformed or unknown $flag is wrong use: exit code 2 and one line that names it',
    ({ flag, end }) => {
      const { code, stderr } = end();
      expect({ code, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({ code: 2, lines: 1 });
      expect(stderr).toContain(flag);
    },
  );
});

describe.concurrent('a command that is not built yet', () => {
  const lines: readonly (readonly string[])[] = [
    ['listen', '--forward-to', 'http://127.0.0.1:8080', '--events', 'call_busy'],
    ['trigger', 'call_busy', '--data', 'status=BUSY'],
    ['scenarios', 'list', '--json'],
    ['clock', 'advance', '30s'],
    ['deliveries', 'show', 'dlv_1'],
    ['check-receiver', 'http://127.0.0.1:8080'],
    ['exec', '--', 'npm', 'test'],
    ['coverage', '--min', '80'],
    ['init'],
    ['init', '--help'],
  ];
  const cases = lines.map((args) => ({ text: args.join(' '), args, end: line(args) }));

  it.each(cases)('$text is refused with exit code 2 and one line that says so', ({ args, end }) => {
    const { code, stdout, stderr } = end();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`ringback: ${args[0]} is not built yet; the commands are serve and readyz\n`);
  });

  const help = line(['--help']);
  it('stands in no help', () => {
    const { code, stdout } = help();
    expect(code).toBe(0);
    expect(stdout).toContain('readyz');
    expect(stdout).not.toMatch(/listen|trigger|scenarios|check-receiver|coverage/);
  });
});

describe('a stop', () => {
  it('by SIGINT ends an idle server at once, with exit code 0', async () => {
    const server = await serve();
    // A client that keeps its connection open.
    await fetch(`${server.url}/_sandbox/health`);
    const began = performance.now();
    server.signal('SIGINT');
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeLessThan(stretched(5000));
  });

  it('finishes the answers that are under way, and is not ready meanwhile', async () => {
    const server = await serve();
    const client = clientOf(server.url);
    const answered = client.dial('+12125550101', { 'X-Sandbox-Delay': '4s' });
    await tookEffect(client, '/v1/calls/dial');
    const began = performance.now();
    server.signal('SIGTERM');
    await eventually(async () => {
      const ready = await fetch(`${server.url}/_sandbox/ready`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ data: { status: 'not_ready' } });
    });
    expect((await fetch(`${server.url}/_sandbox/health`)).status).toBe(200);
    const { status, body } = await answered;
    expect(status).toBe(202);
    expect(body.status).toBe('QUEUED');
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(stretched(5500));
  });

  it.runIf(thorough)('waits for nobody who has left, with whatever answers were still to come', async () => {
    const server = await serve();
    const ask = (path: string, header = ''): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_sandbox_default\r\n${header}\r\n`;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(ask('/v1/me', 'X-Sandbox-Delay: 60s\r\n') + ask('/v1/account'));
    await tookEffect(clientOf(server.url), '/v1/account');
    socket.destroy();
    const began = performance.now();
    expect((await server.stop()).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(stretched(4000));
  });

  it('of a sandbox in a process is over when it says so, however often it is asked for', async () => {
    const sandbox = await createSandbox({ clock: 'manual' });
    const answered = clientOf(sandbox.url).get('/v1/me', { 'X-Sandbox-Delay': '300ms' });
    await eventually(async () => expect(await sandbox.requests()).toHaveLength(1), 5);
    const stopped = sandbox.close();
    await sandbox.close();
    await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow();
    await stopped;
    expect((await answered).status).toBe(200);
  });

  it.runIf(thorough)('of a sandbox in a process leaves nothing behind that the process would wait for', async () => {
    const folder = folderOf({
      'stop.mjs': `
        import { createSandbox } from ${JSON.stringify(join(root, 'dist', 'index.js'))};
        const sandbox = await createSandbox({ clock: 'manual' });
        const leaving = new AbortController();
        const headers = { Authorization: 'Bearer svc_sandbox_default', 'X-Sandbox-Delay': '60s' };
        const answered = fetch(sandbox.url + '/v1/me', { headers, signal: leaving.signal }).catch(() => {});
        while ((await sandbox.requests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        leaving.abort();
        await answered;
        await sandbox.close();`,
    });
    const began = performance.now();
    const { code, stdout, stderr } = await node(join(folder, 'stop.mjs')).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(performance.now() - began).toBeLessThan(stretched(30_000));
  });

  it.runIf(thorough)('waits for a delivery that is under way', async () => {
    let accepted = 0;
    const slow = createServer((req, res) => {
      req.resume();
      setTimeout(() => {
        accepted += 1;
        res.end();
      }, 500);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const server = await serve();
    const client = clientOf(server.url);
    await subscribe(client, `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`, 'new_call');
    await client.call('+12125550101');
    const { code } = await server.stop();
    slow.close();
    expect(code).toBe(0);
    expect(accepted).toBe(1);
  });

  it.runIf(thorough)(
    'breaks off at about 6 s what is left, records deliveries as `shutdown`, and exits with 0 within 8 s',
    async () => {
      const deaf = createServer((req) => req.resume()).listen(0, '127.0.0.1');
      await once(deaf, 'listening');
      const state = join(folderOf(), 'state.json');
      const server = await serve(['--state', state]);
      const client = clientOf(server.url);
      await subscribe(client, `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`, 'new_call');
      const ids = [await client.call('+12125550108'), await client.call('+12125550108')];
      const held = client.get('/v1/account', { 'X-Sandbox-Delay': '30s' }).then(
        () => 'answered',
        () => 'broken off',
      );
      await tookEffect(client, '/v1/account');
      const began = performance.now();
      const { code, stderr } = await server.stop();
      const took = performance.now() - began;
      deaf.closeAllConnections();
      deaf.close();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(took).toBeGreaterThan(5500);
      expect(took).toBeLessThan(stretched(8000));
      expect(await held).toBe('broken off');

      const next = await createSandbox({ state });
      const deliveries = await next.deliveries();
      await next.close();
      expect(deliveries.map(({ body }) => JSON.parse(body).id)).toEqual(ids);
      for (const { status, attempts } of deliveries) {
        expect(status).toBe('failed');
        expect(attempts.map(({ error_class }) => error_class)).toEqual(['shutdown']);
      }
    },
  );
});

describe.runIf(thorough)('the file of --state', () => {
  it('is written again once it can be, after it could not, which the log tells', async () => {
    const folder = folderOf();
    const away = `${folder}-away`;
    const state = join(folder, 'state.json');
    const server = await serve(['--clock', 'manual', '--state', state]);
    const client = clientOf(server.url);
    const written = (): number => JSON.parse(readFileSync(state, 'utf8')).worlds.default.rows.calls.length;
    await client.call('+12125550100');
    await eventually(() => expect(written()).toBe(1));
    renameSync(folder, away);
    await client.call('+12125550100');
    await eventually(() => expect(server.log().map(({ msg }) => msg)).toContain('the state could not be written'));
    renameSync(away, folder);
    await client.call('+12125550100');
    await eventually(() => expect(written()).toBe(3));
    expect((await server.stop()).code).toBe(0);
  });
});

describe('a receiver in a process of its own', () => {
  interface Logged {
    readonly accepted: boolean;
    readonly signature: string | null;
    readonly raw: string;
  }
  const types = [
    'new_call',
    'call_completed',
    'call_busy',
    'call_voicemail',
    'call_no_answer',
    'call_failed',
    'phone_call.ended',
    'sms_sent',
    'number_purchased',
  ];

  let server: Program;
  let client: Client;
  let hooks: string;
  const subscriptions = new Map<string, string>();
  let seen = 0;

  beforeAll(async () => {
    const receiver = node(join(root, 'test/support/checking-receiver.mjs'), 'sandbox_signing_secret');
    server = await serve(['--clock', 'manual']);
    await eventually(() => expect(receiver.stdout()).toMatch(/^\d+\n$/));
    hooks = `http://127.0.0.1:${receiver.stdout().trim()}/hooks`;
    client = clientOf(server.url);
    for (const type of types) subscriptions.set(type, await subscribe(client, hooks, type));
  });
  afterAll(() => server.stop());

  /** Runs the world until it is idle; what the receiver has got since it was last asked. */
  async function received(): Promise<Logged[]> {
    const answer = await client.post('/_sandbox/clock/advance', { until: 'idle' });
    expect(answer.body.data.complete).toBe(true);
    const log = (await (await fetch(hooks)).json()) as Logged[];
    const fresh = log.slice(seen);
    seen = log.length;
    return fresh;
  }

  async function sent(count: number): Promise<{ event_type: string; body: string; status: string }[]> {
    const { data } = (await client.get(`/_sandbox/deliveries?page_size=${count}`)).body;
    return data.reverse();
  }

  it.each([
    ['busy', '+12125550101', ['new_call', 'call_completed', 'call_busy', 'phone_call.ended'], 'BUSY'],
    ['voicemail', '+12125550103', ['new_call', 'call_completed', 'call_voicemail', 'phone_call.ended'], 'VOICEMAIL'],
    ['answered', '+12125550100', ['new_call', 'call_completed', 'phone_call.ended'], 'COMPLETED'],
  ])('accepts the events of a call that is %s, all of them, in order and unsigned', async (_, to, events, end) => {
    const id = await client.call(to);
    const got = await received();
    expect(got.map(({ accepted, signature }) => ({ accepted, signature }))).toEqual(
      events.map(() => ({ accepted: true, signature: null })),
    );
    expect(got.map(({ raw }) => `${JSON.parse(raw).id} ${JSON.parse(raw).status}`)).toEqual(
      events.map((type) => `${id} ${type === 'new_call' ? 'QUEUED' : end}`),
    );
    const deliveries = await sent(events.length);
    expect(deliveries.map(({ event_type }) => event_type)).toEqual(events);
    expect(deliveries.map(({ body }) => body)).toEqual(got.map(({ raw }) => raw));
    expect(deliveries.every(({ status }) => status === 'delivered')).toBe(true);
  });

  const fire = async (event_type: string, data: object = {}): Promise<void> => {
    const answer = await client.post('/_sandbox/events', { event_type, data });
    expect(answer.status, answer.text).toBe(201);
  };
  const setSecret = (signing_secret: string | null): Promise<unknown> =>
    client.put(`/_sandbox/webhook-subscriptions/${subscriptions.get('number_purchased')}`, { signing_secret });

  it('accepts number_purchased by its signature over the raw bytes', async () => {
    await fire('number_purchased', { id: 4190 });
    const [got, ...more] = await received();
    expect(more).toEqual([]);
    expect(got?.accepted).toBe(true);
    expect(got?.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(got?.raw ?? '')).toMatchObject({
      triggerEvent: 'number.purchased',
      payload: { id: 4190, phone_number: '+14155550190', area_code: '415', status: 'ACTIVE' },
    });
  });

  it('accepts it with letters beyond ASCII, since bytes are signed and not characters', async () => {
    await fire('number_purchased', { area_code: 'Z\u00fcrich \u{1f4de}' });
    const [got] = await received();
    expect(got?.accepted).toBe(true);
    expect(JSON.parse(got?.raw ?? '').payload.area_code).toBe('Z\u00fcrich \u{1f4de}');
  });

  it('refuses it when it is signed with another secret, or with none', async () => {
    for (const [secret, signature] of [
      ['another secret', /^[0-9a-f]{64}$/],
      [null, /^no-secret-provided$/],
    ] as const) {
      await setSecret(secret);
      await fire('number_purchased');
      const [got] = await received();
      expect(got?.accepted).toBe(false);
      expect(got?.signature).toMatch(signature);
      expect((await sent(1))[0]).toMatchObject({ event_type: 'number_purchased', status: 'failed' });
    }
    await setSecret('sandbox_signing_secret');
    await fire('number_purchased');
    expect((await received()).map(({ accepted }) => accepted)).toEqual([true]);
  });

  it('accepts a message event without a signature', async () => {
    await fire('sms_sent');
    const [got] = await received();
    expect(got).toMatchObject({ accepted: true, signature: null });
  });

  it('hears nothing of what it is not subscribed to, nor of a dial that is refused', async () => {
    await fire('number_released');
    await fire('contact_created');
    expect((await client.dial('+12125550111')).status).toBe(403);
    expect(await received()).toEqual([]);
  });
});
