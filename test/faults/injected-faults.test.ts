// A fault at each place where a sandbox uses its store, its files, its log or a receiver: it is survived, by everyone.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createLog } from '../../src/pino-log.ts';
import { type OpenSandbox, openSandbox } from '../../src/sandbox.ts';
import { temporaryFolders } from '../support/folders.ts';
import { Faults } from '../support/inject-faults.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { join as joinRoom } from '../support/rooms.ts';
import { thorough } from '../support/thorough.ts';
import { unhandledDuring } from '../support/unhandled.ts';

const folderOf = temporaryFolders();
const folder = folderOf({ 'scenarios/own.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
const options = readOptions({
  state: join(folder, 'state.json'),
  // Both are looked at by timers, again and again.
  scenarios: join(folder, 'scenarios'),
  worldTtl: '1s',
  clock: 'manual',
  rateLimit: 'off',
  concurrentCalls: 'off',
});
/** `npm test` tries every eighth place. */
const faults = new Faults((place) => thorough || place.length % 8 === 0);
const log = { sink: (_: string, done: (lost: number) => void) => done(0) };
/** After so many rounds without a place that has not failed yet, there is none. */
const QUIET = thorough ? 4 : 1;
let sandbox: OpenSandbox;
let receiver: Receiver;

const open = async (): Promise<OpenSandbox> =>
  openSandbox(options, await createLog('debug', null, (...given) => log.sink(...given)));

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await open();
  faults.everywhere();
  faults.in(log, ['sink'], 'throws');
});
afterAll(async () => {
  faults.restore();
  await sandbox.close(100);
  await receiver.close();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

/** Sends a request with the key of a world; it is always answered, by a success or in the envelope of errors. */
async function ask(world: string, method: string, path: string, body?: object, headers = {}): Promise<Answer> {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: Answer = { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  if (response.status >= 400) expect(answer.body.error.code, `${method} ${path}`).toEqual(expect.any(String));
  return answer;
}

const dial = (world: string, headers = {}): Promise<Answer> =>
  ask(world, 'POST', '/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' }, headers);
const callsOfDefault = (): Promise<string[]> =>
  sandbox.context.store.transaction('default', (tx) =>
    tx.page('calls', 'organization', tx.world.organization_id).map(({ id, status }) => `${id} ${status}`),
  );
const advance = (world: string): Promise<Answer> =>
  ask(world, 'POST', '/_sandbox/clock/advance', { until: 'idle', timeout: '5s' });

/** Uses most of what a sandbox does. */
async function useEverything(world: string): Promise<void> {
  await ask('default', 'POST', '/_sandbox/worlds', { name: world, clock: 'manual' });
  for (const event_type of ['new_call', 'call_completed']) {
    await ask(world, 'POST', '/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/x`, event_type });
  }
  const once = { 'Idempotency-Key': 'b1f0a6fe-0a53-4d0b-8e53-9a4b3b0c6f7e' };
  await Promise.all([dial(world, once), dial(world, once), dial(world)]);
  await ask(world, 'POST', '/v1/calls/dial', {});
  await ask(world, 'GET', '/v1/calls');
  await ask(world, 'POST', '/v1/client-tokens', {});
  await ask(world, 'POST', '/v1/leads/none', {});
  const agent = (await ask(world, 'GET', '/v1/agents')).body.data?.[0]?.id;
  const { room_url, token } = (await ask(world, 'POST', `/v1/agents/${agent}/web-call`)).body.data ?? {};
  if (token !== undefined) await enterRoom(`${room_url}?access_token=${token}`);
  await advance(world);
  for (const path of ['events', 'deliveries', 'requests', 'scenarios', 'clock'])
    await ask(world, 'GET', `/_sandbox/${path}`);
  await ask(world, 'POST', '/_sandbox/wait', { event_type: 'new_call', timeout: '1s' });
  await ask(world, 'PUT', '/_sandbox/clock', { speed: 1_000_000 });
  await dial(world);
  await ask(world, 'POST', '/_sandbox/wait', { event_type: 'call_completed', delivered: true, timeout: '300ms' });
  await ask(world, 'PUT', '/_sandbox/clock', { mode: 'instant' });
  await dial(world);
  await ask(world, 'PUT', '/_sandbox/clock', { mode: 'manual' });
  if (world.endsWith('0')) await ask(world, 'POST', '/_sandbox/reset');
  // One world goes by itself, a second later, and one at once.
  await ask(`leaving-${world}`, 'GET', '/v1/me');
  await ask('passing', 'GET', '/v1/me');
  await ask('default', 'DELETE', '/_sandbox/worlds/passing');
}

async function enterRoom(url: string): Promise<void> {
  const entered = await joinRoom(url).catch(() => undefined);
  if (!entered || 'status' in entered) return;
  entered.leave();
  await entered.closed;
}

/** That the world in which something failed serves on, and that nothing in it is half done. */
async function expectSound(world: string): Promise<void> {
  await ask('default', 'POST', '/_sandbox/worlds', { name: world, clock: 'manual' });
  await ask(world, 'PUT', '/_sandbox/clock', { mode: 'manual' });
  for (const each of [world, 'default']) expect((await dial(each)).status, each).toBe(202);
  const advanced = await advance(world);
  expect(advanced.body.data.complete).toBe(true);
  const { store } = sandbox.context;
  const found = await store.transaction(world, (tx) => ({
    pending: tx.taskCount(),
    frozen: tx.state('clock').frozen,
    open: tx.journal('deliveries').entries.filter(({ status }) => status === 'pending' || status === 'in_flight'),
    failedTasks: tx.journal('steps').entries.filter(({ error }) => error !== undefined),
    // A call whose steps were lost would never end.
    unended: tx.page('calls', 'organization', tx.world.organization_id).filter(({ ended_at }) => ended_at === null),
  }));
  expect(found).toMatchObject({ pending: 0, frozen: false, open: [], failedTasks: [], unended: [] });
}

describe('a fault in the store, a file, the log or a connection', () => {
  it('is survived wherever it happens: all worlds serve on, and nothing is left half done or unhandled', async () => {
    const failed: string[] = [];
    const unhandled = await unhandledDuring(async () => {
      for (let n = 0, quiet = 0; quiet < QUIET; n++) {
        const world = `faults-${n}`;
        faults.arm();
        try {
          await useEverything(world);
          // What is done in the background, such as writing the state.
          if (quiet > 0) await sleep(400);
          faults.disarm();
          quiet = faults.fired === undefined ? quiet + 1 : 0;
          if (faults.fired === undefined) continue;
          failed.push(faults.fired);
          await expectSound(world);
        } catch (error) {
          throw new Error(`after a fault in ${faults.fired}`, { cause: error });
        }
      }
    });
    expect(unhandled).toEqual([]);
    // Bundled files are read once per process, in most runs by an earlier test.
    expect(failed.length).toBeGreaterThan(thorough ? 40 : 1);
    const before = await callsOfDefault();
    await sandbox.close(1000);
    faults.restore();
    sandbox = await open();
    expect(await callsOfDefault()).toEqual(before);
  });
});
