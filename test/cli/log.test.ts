// The log of `serve` (`interface.md` section 1, `--log`).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createSandbox } from '../../src/index.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { programs, root } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const folderOf = temporaryFolders();
const { node, serve } = programs();

describe.concurrent('the log', () => {
  it.runIf(thorough)('has one JSON line per record when stdout is not a terminal', async () => {
    const server = await serve(['--log', 'debug']);
    const client = clientOf(server.url);
    await subscribe(client, 'http://127.0.0.1:9/hook', 'new_call');
    await client.dial('+12125550101');
    await eventually(() => expect(server.log().some(({ level }) => level === 20)).toBe(true));
    const { stdout, stderr } = await server.stop();
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        msg: expect.any(String),
      });
    }
    expect(stderr).toBe('');
  });

  it('leaves stderr empty when a recording is downloaded', async () => {
    const server = await serve([]);
    const { data } = (await clientOf(server.url).get('/v1/calls')).body;
    const { recording_url } = data.find(({ recording_url }: { recording_url: unknown }) => recording_url !== null);
    expect((await (await fetch(recording_url)).arrayBuffer()).byteLength).toBeGreaterThan(44);
    expect((await server.stop()).stderr).toBe('');
  });

  it.runIf(thorough)('is the only output on stdout with serve --json, until SIGINT ends it', async () => {
    const { child, ended, stdout } = node(join(root, 'dist/main.js'), 'serve', '--json', '--port', '0');
    await eventually(() => expect(stdout()).toContain('"ready"'));
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const records = stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg }) => msg)).toEqual(['ready', 'stopping', 'stopped']);
    expect(records[0].url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(records[0].key).toBe('svc_sandbox_default');
  });

  it.runIf(thorough)('has an error for an invalid edit of a scenario, and only errors at --log error', async () => {
    const folder = folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
    const loud = await serve(['--log', 'error', '--scenarios', folder]);
    writeFileSync(join(folder, 'own_line.yaml'), 'kind: call\nsummary: Our own.\nextends: bussy\n');
    await eventually(async () => {
      expect((await clientOf(loud.url).get('/_sandbox/scenarios/own_line')).body.data.error).toContain('bussy');
    });
    await eventually(() => expect(loud.stdout()).toContain('own_line.yaml:3'));
    await loud.stop();
    expect(loud.log().map(({ level }) => level)).toEqual([30, 50]);
    expect(loud.log()[0]?.msg).toBe('ready');
  });

  it.runIf(thorough)('has an error for a payload that does not match its schema', async () => {
    const state = join(folderOf(), 'state.json');
    const before = await createSandbox({ clock: 'manual', state });
    const id = await clientOf(before.url).call('+12125550100');
    await before.close();
    // Only a bug causes such a payload, so the test edits a record into one that no operation creates.
    const edited = readFileSync(state, 'utf8').replaceAll('"outbound"', '"sideways"');
    writeFileSync(state, JSON.stringify(JSON.parse(edited)));
    const server = await serve(['--log', 'error', '--state', state]);
    const client = clientOf(server.url);
    await client.post(`/v1/calls/${id}/hangup`);
    // The client of the tests would fail on a payload that deviates from the contract.
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

  it('contains no key, token or secret, even at debug', async () => {
    const token = 'control-3d1f0c';
    const written: string[] = [];
    const logging = await createLog('debug', null, (text, done) => {
      written.push(text);
      done(0);
    });
    const server = await openSandbox(readOptions({ clock: 'manual', controlToken: token }), logging);
    const client = clientOf(server.url, 'svc_test_quiet.7f3a9b');
    const inQuiet = { 'X-Sandbox-World': 'quiet' };
    const control = clientOf(server.url, token);
    await client.get('/v1/account');
    const { api_key } = (await control.post('/_sandbox/keys', {}, inQuiet)).body.data;
    const keyed = clientOf(server.url, api_key);
    const [id] = await subscribe(keyed, 'http://127.0.0.1:9/hook', 'number_purchased');
    await control.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: 'signing-5e8d2a' }, inQuiet);
    await control.post('/_sandbox/events', { event_type: 'number_purchased', data: {} }, inQuiet);
    // Failures that are logged, with secrets in every place where a client can put them.
    await clientOf(server.url, 'svc_unknown_c41b77').dial('+12125550101');
    await clientOf(server.url, 'control-token-wrong-99aa').get('/_sandbox/clock');
    await keyed.post('/v1/calls/dial', { token: 'token-in-body-61d0', api_key, to_number: '+12125550101' });
    await keyed.post('/v1/calls/dial', `{ "api_key": "${api_key}"`);
    await keyed.dial('+12125550101', { 'X-Sandbox-Error': 'internal_error', 'X-Source-Secret': 'source-77b2' });
    await keyed.dial('+12125550101', { 'X-Sandbox-Fault': 'empty' }).catch(() => {});
    await keyed.get(
      '/v1/calls?apiKey=in-query-1&access-token=in-query-2&next=https%3A%2F%2Fa.test%2F%3Fpassword%3Din-query-3',
    );
    await keyed.post('/v1/leads/ltk_0a1b2c3d4e5f60718293', {});
    await keyed.get('/_sandbox/media/c2VjcmV0LW5hbWU.5dd0586770564a38.wav');
    await subscribe(keyed, 'http://127.0.0.1:9/T0/a1b2c3d4e5f6a7b8c9d0e1f2?token=in-webhook-1', 'call_busy');
    await control.post('/_sandbox/events', { event_type: 'call_busy', data: {} }, inQuiet);
    await control.post('/_sandbox/clock/advance', { until: 'idle' }, inQuiet);
    await server.close(0);
    await logging.flush();
    const log = written.join('');
    expect(log).toContain('"level":20');
    const secrets = [
      token,
      api_key,
      'svc_test_quiet.7f3a9b',
      'svc_sandbox_default',
      'svc_unknown_c41b77',
      'control-token-wrong-99aa',
      'sandbox_signing_secret',
      'signing-5e8d2a',
      'token-in-body-61d0',
      'source-77b2',
      'in-query',
      '0a1b2c3d4e5f60718293',
      'c2VjcmV0LW5hbWU',
      'a1b2c3d4e5f6a7b8c9d0e1f2',
      'in-webhook-1',
    ];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });

  it.runIf(thorough)('contains no token of a webhook URL', async () => {
    const server = await serve(['--log', 'debug']);
    const client = clientOf(server.url);
    await subscribe(client, 'http://127.0.0.1:9/hook?token=receiver-token-40c1', 'new_call');
    await client.dial('+12125550101');
    await eventually(() => expect(server.log().some(({ msg }) => msg.includes('→'))).toBe(true));
    const { stdout } = await server.stop();
    expect(stdout).not.toContain('receiver-token-40c1');
  });
});
