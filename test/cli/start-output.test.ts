// What `serve` prints at its start (`interface.md` section 1).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Program, programs } from '../support/program.ts';
import { thorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const folderOf = temporaryFolders();
const { bash, serveOnTerminal } = programs();

describe('the output of a start', () => {
  let server: Program;
  beforeAll(async () => {
    server = await serveOnTerminal('--clock', 'manual');
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

  it('contains the base address', async () => {
    const answer = await fetch(server.url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { name: 'ringback' } });
  });

  it('contains an API key that works', async () => {
    expect((await clientOf(server.url, keyIn(server)).get('/v1/account')).status).toBe(200);
  });

  it('contains only addresses that respond', async () => {
    const addresses = [...server.stdout().matchAll(/^ +\S.*? +(http:\S+)$/gm)].map(([, address]) => address as string);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  });

  it('contains a curl line that dials', async ({ skip }) => {
    if (!hasCurl) {
      console.info('skipped: the printed curl line is not run because curl is not installed');
      skip('curl is not installed');
    }
    const [dial] = curlLines(server);
    const { code, stdout } = await bash(dial as string);
    expect(code).toBe(0);
    const { call_id, status } = JSON.parse(stdout);
    expect(status).toBe('QUEUED');
    expect((await clientOf(server.url).readCall(call_id)).to_number).toMatch(/0101$/);
  });

  it('says that a stopped clock has to be advanced, with a curl line that advances it', async ({ skip }) => {
    expect(server.stdout()).toMatch(/nothing moves until you advance/);
    if (!hasCurl) {
      console.info('skipped: the printed curl line is not run because curl is not installed');
      skip('curl is not installed');
    }
    const client = clientOf(server.url);
    const id = await client.call('+12125550101');
    expect((await client.readCall(id)).status).toBe('QUEUED');
    const { stdout } = await bash(curlLines(server)[1] as string);
    expect(JSON.parse(stdout).data.complete).toBe(true);
    expect((await client.readCall(id)).status).toBe('BUSY');
  });

  it('begins with the welcome where a demonstration is filled before', async () => {
    const demo = await serveOnTerminal('--clock', 'manual', '--demo');
    expect(demo.stdout().trimStart()).toMatch(/^Ringback \d/);
    expect(demo.stdout()).toContain('/_sandbox/ui/#/demo/calls');
    expect((await fetch(`${demo.url}/v1/me`)).status).toBe(401);
    await until(() => demo.stdout()).toMatch(/GET.* \/v1\/me/);
    await demo.stop();
  });

  it.runIf(thorough)('does not mention advance when the clock runs', async () => {
    const running = await serveOnTerminal();
    expect(running.stdout()).not.toMatch(/advance/);
    expect(curlLines(running)).toHaveLength(1);
    await running.stop();
  });

  it.runIf(thorough)('contains a key that works with another fixture', async () => {
    const file = join(
      folderOf({
        'ours.yaml':
          'organization: { name: Ours, slug: ours, plan: p }\nuser: { name: U, email: u@ours.example }\nkeys: [{ key: svc_ours }]\n',
      }),
      'ours.yaml',
    );
    const other = await serveOnTerminal('--fixtures', file);
    const { status } = await clientOf(other.url, keyIn(other)).get('/v1/account');
    await other.stop();
    expect(status).toBe(200);
  });

  it.runIf(thorough)('does not contain the control token', async () => {
    const guarded = await serveOnTerminal('--control-token', 'open-sesame', '--clock', 'manual');
    const { stdout, stderr } = await guarded.stop();
    expect(stdout + stderr).not.toContain('open-sesame');
  });
});
