// Commands that speak to a server, through the built program: what they print, and their exit codes.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { destinationFor } from '../../src/index.ts';
import { holdFirstEvent } from '../clock/setup.ts';
import { clientOf } from '../support/client.ts';
import { commandShell } from '../support/command-shell.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const shell = commandShell();
const folderOf = temporaryFolders();
const newReceiver = useReceivers();

/** Runs a command for a world of the server. */
const run = (world: string, ...args: readonly string[]) =>
  shell([...args, '--key', `svc_test_${world}`], { RINGBACK_URL: sandbox.url });

/** What it prints with --json, and its exit code. */
async function json(world: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await run(world, ...args, '--json');
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).not.toContain('\n');
  return { code, value: JSON.parse(stdout) };
}

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address.
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('with --json, a command prints one value', () => {
  const fault = 'applied created_at error expires_at id matched operation probability when';
  const event = 'body cause created_at deliveries event_type headers id payload schema_violations subject unheard';
  const objects: readonly (readonly [line: string, keys: string])[] = [
    ['clock show', 'mode now pending speed'],
    ['clock advance 5s', 'complete deliveries now steps totals'],
    ['clock set manual', 'mode now pending speed'],
    ['trigger call_busy', event],
    ['faults set --operation listCalls --error rate_limited', fault],
    ['faults clear', 'cleared'],
    [
      'scenarios show busy',
      'default drawing error expect kind name numbers origin parameters refuse source summary timeline transcript',
    ],
  ];

  it.each(objects)('%s: an object', async (line, keys) => {
    const { code, value } = await json('json', ...line.split(' '));
    expect({ code, keys: Object.keys(value).sort().join(' ') }).toEqual({ code: 0, keys });
  });

  it.each(['deliveries', 'scenarios', 'faults', 'worlds'])('%s list: a list', async (group) => {
    const { code, value } = await json('json', group, 'list');
    expect([code, Array.isArray(value)]).toEqual([0, true]);
  });
});

describe('worlds', () => {
  const atServer = (...args: readonly string[]) => shell(['worlds', ...args, '--url', sandbox.url]);

  it('are created, listed and deleted without a key', async () => {
    const created = await atServer('create', 'ci-1', '--json');
    expect(JSON.parse(created.stdout)).toMatchObject({ name: 'ci-1', api_key: 'svc_test_ci-1' });
    expect((await atServer('list')).stdout).toMatch(/^ci-1 +posted /m);
    expect(await atServer('delete', 'ci-1')).toEqual({ code: 0, stdout: 'Deleted ci-1.\n', stderr: '' });
    expect((await atServer('delete', 'ci-1')).code).toBe(1);
  });

  it('are not deleted by the key of another one that is given', async () => {
    await atServer('create', 'ci-2');
    const { code, stderr } = await atServer('delete', 'ci-2', '--key', 'svc_test_ci-3');
    expect([code, stderr]).toEqual([1, expect.stringContaining('controls the world ci-3 alone')]);
  });
});

describe('a command that fails says why in one line', () => {
  const failing: readonly (readonly [line: string, code: number, says: string])[] = [
    ['clock show --key svc_nobody', 1, 'The API key is unknown or revoked. Give a key by --key (RINGBACK_KEY), or the'],
    ['clock show --world Nowhere!', 2, '--world: "Nowhere!" is not valid; must be 1 to 64 of A-Z, a-z, 0-9, _ and -'],
    ['clock set --now 2020-01-01T00:00:00Z', 2, 'now is in the past of this world'],
    [
      'scenarios show bussy',
      1,
      'No scenario named "bussy" exists; did you mean busy? List the scenarios with `ringback',
    ],
    ['deliveries show dlv_nobody', 1, 'No delivery with id "dlv_nobody" exists'],
    ['deliveries redeliver dlv_nobody', 1, 'No delivery with id "dlv_nobody" exists'],
    ['faults clear flt_nobody', 1, 'No fault with id "flt_nobody" exists'],
    ['faults set', 2, 'faults set: give what goes wrong: one of --error, --fault, --status, --drift and --latency'],
    ['faults set --operation listCall --error rate_limited', 2, 'operation "listCall" is not an operation'],
    ['worlds delete nobody', 1, 'No world named "nobody" exists. List the worlds with `ringback worlds list`'],
    ['worlds create not/a/name', 2, 'name must be 1 to 64 of'],
    ['worlds create x --fixtures defalt', 2, 'fixtures "defalt" is not a fixture; must be one of default, '],
    ['worlds create x --fixtures defalt', 2, '; did you mean default?'],
    ['trigger call_busy --data id=nobody', 1, 'data.id does not identify any call'],
    ['deliveries show ', 2, 'id: "" is not valid; must not be empty'],
    ['requests tail --operation dialcall', 2, '--operation: "dialcall" is not valid; must be the id of an operation'],
    ['trigger call_busy --data nothing=1', 2, 'data.nothing is not a known field'],
  ];

  it.each(failing)('%s', async (line, code, says) => {
    const end = await shell([...line.split(' '), '--url', sandbox.url]);
    expect({ ...end, stderr: end.stderr.split('\n').length }).toEqual({ code, stdout: '', stderr: 2 });
    expect(end.stderr).toContain(says);
  });

  it.each(['clock show', 'events tail', 'listen --forward-to 9', 'worlds list --json', 'coverage'])(
    '%s, of a server that is not there',
    async (line) => {
      const url = await closedAddress();
      const { code, stdout, stderr } = await shell([...line.split(' '), '--url', url]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^ringback: cannot reach \S+ \(GET \S+\): nothing listens there; .*\n$/);
    },
  );
});

describe('clock advance', () => {
  it('exits with 1 when its timeout ends it, and says where the clock stands', async () => {
    const receiver = await newReceiver();
    const client = clientOf(sandbox.url, 'svc_test_stuck');
    const open = await holdFirstEvent(client, receiver);
    const { code, stdout, stderr } = await run('stuck', 'clock', 'advance', '1h', '--timeout', '50ms');
    expect([code, stderr]).toEqual([1, expect.stringContaining('or give it a longer --timeout')]);
    expect(stdout).toContain('2026-01-05T15:00:02.000Z');
    open();
    expect((await run('stuck', 'clock', 'advance', '1h')).code).toBe(0);
  });
});

describe('deliveries', () => {
  it('shows one that failed, and sends it again', async () => {
    const receiver = await newReceiver();
    const client = clientOf(sandbox.url, 'svc_test_failed');
    receiver.onDelivery = (_, res) => res.writeHead(500).end('broken');
    await subscribe(client, receiver.url, 'call_busy');
    await client.call(destinationFor('busy'));
    expect((await run('failed', 'clock', 'advance', 'idle')).code).toBe(0);
    await until(() => receiver.got.length).toBe(1);
    const { value: listed } = await json('failed', 'deliveries', 'list', '--status', 'failed');
    expect(listed).toMatchObject([{ event_type: 'call_busy', status: 'failed' }]);
    const [{ id }] = listed;
    const shown = await run('failed', 'deliveries', 'show', id);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^status +failed$/m);
    expect(shown.stdout).toContain(receiver.got[0]?.raw.toString());
    expect(shown.stdout).toMatch(/^Answer 500 in \d+ ms$/m);
    const again = await run('failed', 'deliveries', 'redeliver', id);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('(redelivery)')]);
    receiver.onDelivery = () => undefined;
    const { code, value } = await json('failed', 'deliveries', 'redeliver', id);
    expect([code, value.status, value.attempts.length]).toEqual([0, 'delivered', 3]);
    expect(receiver.got).toHaveLength(3);
  });
});

describe('faults', () => {
  it('are listed in columns', async () => {
    const set = (...flags: string[]) => run('broken', 'faults', 'set', ...flags);
    await set('--operation', 'dialCall', '--status', '502', '--times', '2', '--when', 'after');
    await set('--path', '/v1/calls/*', '--method', 'GET', '--error', 'rate_limited', '--probability', '0.29');
    await set('--latency', '200ms..2s', '--skip', '1', '--nth', '3');
    const { stdout } = await run('broken', 'faults', 'list');
    const [headings, ...rows] = stdout.trimEnd().split('\n');
    expect(headings).toMatch(/^ID +REQUESTS +WHAT GOES WRONG +WHICH OF THEM +MATCHED +APPLIED$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(1, 4)).sort()).toEqual([
      ['GET /v1/calls/*', 'rate_limited', '29 %'],
      ['all', '200ms..2s later', 'number 3, after the first 1'],
      ['dialCall', 'status 502, after the effect', 'at most 2'],
    ]);
  });
});

describe('coverage', () => {
  it('exits with 1 below --min, and writes JUnit', async () => {
    const file = join(folderOf(), 'coverage.xml');
    const end = await run('covered', 'coverage', '--min', '1', '--junit', file);
    expect([end.code, end.stderr]).toEqual([1, expect.stringMatching(/^ringback: below 1 %: operations, /)]);
    expect(end.stdout).not.toContain('below');
    expect(readFileSync(file, 'utf8')).toMatch(/^<\?xml .*\n<testsuites name="ringback coverage"/);
    const { code, value } = await json('covered', 'coverage', '--min', '0');
    expect([code, value.minimum.passed]).toEqual([0, true]);
    const nowhere = await run('covered', 'coverage', '--junit', join(folderOf(), 'none', 'x.xml'));
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--junit: ')]);
  });
});
