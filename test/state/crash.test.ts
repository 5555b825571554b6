// What a crash leaves: `interface.md` section 1, --state. A copy of the files is what a process that is killed at that
// moment leaves behind.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Client, clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Receiver, useReceivers } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { killedCopy } from './setup.ts';

const folderOf = temporaryFolders();
const openReceiver = useReceivers();
const running: Sandbox[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

interface Started {
  readonly sandbox: Sandbox;
  readonly client: Client;
  readonly folder: string;
}

async function start(folder = folderOf(), options: SandboxOptions = {}): Promise<Started> {
  const sandbox = await createSandbox({ clock: 'manual', state: join(folder, 'state.json'), ...options });
  running.push(sandbox);
  return { sandbox, client: clientOf(sandbox.url), folder };
}

const callsIn = async (client: Client): Promise<string[]> =>
  (await client.get('/v1/calls?page_size=100')).body.data.map(({ id }: { id: string }) => id);

async function subscribe(client: Client, receiver: Receiver, ...types: string[]): Promise<void> {
  for (const event_type of types) {
    await client.post('/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/${event_type}`, event_type });
  }
}

/** Creates one record of each kind that gives out an id, and returns what was given out. */
async function giveOut({ client, sandbox: { url } }: Started, posted: string): Promise<Record<string, string>> {
  const dialed = await client.dial('+12125550147');
  const body = { webhook_url: 'https://hooks.example.com/x', event_type: 'new_call' };
  const key = (await client.post('/_sandbox/keys', {})).body.data;
  const [agent] = (await client.get('/v1/agents')).body.data;
  const token = (await client.post('/v1/client-tokens', {})).body.data.token;
  const room = (await client.post('/v1/room-token', { agent_id: agent.id })).body.data;
  await client.post('/_sandbox/worlds', { name: posted });
  const [event] = (await client.get('/_sandbox/events?event_type=new_call')).body.data.slice(-1);
  const message = await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hi' });
  return {
    call: dialed.body.call_id,
    request: dialed.headers['x-sandbox-request-id'] ?? '',
    subscription: (await client.post('/api/v1/webhook_subscriptions', body)).body.id,
    key: key.api_key,
    token: JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).jti,
    room: room.room_name,
    event: event.id,
    message: message.body.data.id,
    contact: (await client.post('/_sandbox/simulate/new-contact', {})).body.data.id,
    number: String((await client.post('/v1/phone-numbers', { area_code: '415' })).body.data.id),
    'call of a posted world': await clientOf(url, `svc_test_${posted}`).call('+12125550147'),
    'call of a passing world': await clientOf(url, 'svc_test_passing').call('+12125550147'),
  };
}
describe('after a crash', () => {
  it('no id is given out again, of whatever kind, in worlds that were kept, lost or created again', async () => {
    const first = await start();
    // As if nothing of it had been saved.
    const copy = killedCopy(first.folder, folderOf);
    const before = await giveOut(first, 'workshop');
    const second = await start(copy);
    const after = await giveOut(second, 'workshop');
    for (const [kind, id] of Object.entries(before)) {
      expect(id, kind).toMatch(/./);
      expect(Object.values(after), kind).not.toContain(id);
    }
    const third = await start(killedCopy(second.folder, folderOf));
    await third.client.post('/_sandbox/reset');
    const again = await giveOut(third, 'studio');
    const given = [...Object.values(before), ...Object.values(after)];
    for (const [kind, id] of Object.entries(again)) expect(given, kind).not.toContain(id);
  });

  it('a clean restart gives the ids that a server without one gives, also in worlds that it lost', async () => {
    const ids = async (restarts: boolean): Promise<string[]> => {
      let server = await start();
      const given: string[] = [];
      for (let n = 0; n < 2; n++) {
        given.push(await server.client.call('+12125550147'));
        if (restarts) {
          await server.sandbox.close();
          server = await start(server.folder);
        }
      }
      return [...given, await clientOf(server.sandbox.url, 'svc_test_passing').call('+12125550147')];
    };
    expect(await ids(true)).toEqual(await ids(false));
  });

  it('changes are there that were made 250 ms before', async () => {
    const server = await start();
    const id = await server.client.call('+12125550147');
    // However busy the machine is: timers of one process run in the order in which they are due.
    await setTimeout(250);
    const copy = killedCopy(server.folder, folderOf);
    expect(await callsIn((await start(copy)).client)).toContain(id);
  });

  it('a delivery that was under way is not sent again, and the journal says what is known about it', async () => {
    const receiver = await openReceiver();
    const server = await start();
    await subscribe(server.client, receiver, 'new_call', 'call_busy', 'call_completed');
    let copy = '';
    receiver.onDelivery = ({ path }) => {
      if (path === '/call_busy') copy = killedCopy(server.folder, folderOf);
    };
    const id = await server.client.call('+12125550147', { 'X-Sandbox-Scenario': 'busy;ring=2s' });
    await server.sandbox.clock.advance('1m');
    const sent = receiver.got.map(({ path }) => path).sort();
    expect(sent).toEqual(['/call_busy', '/call_completed', '/new_call']);
    const restarted = await start(copy);
    // What the receiver was told is true: the call has ended, and does not end again.
    expect((await restarted.client.readCall(id)).status).toBe('BUSY');
    await restarted.sandbox.clock.untilIdle();
    const deliveries = await restarted.sandbox.deliveries();
    const busy = deliveries.filter(({ event_type }) => event_type === 'call_busy');
    expect(busy).toMatchObject([{ status: 'failed', attempts: [{ error_class: 'shutdown' }] }]);
    expect(busy[0]?.attempts[0]?.error).toContain('killed during this attempt');
    expect(receiver.got.map(({ path }) => path).filter((path) => path === '/call_busy')).toHaveLength(1);
    expect(receiver.got.map(({ path }) => path).filter((path) => path === '/new_call')).toHaveLength(1);
  });

  it('a delivery that had not begun is sent once', async () => {
    const receiver = await openReceiver();
    const server = await start();
    await subscribe(server.client, receiver, 'contact_created');
    let copy = '';
    receiver.onDelivery = () => {
      copy ||= killedCopy(server.folder, folderOf);
    };
    // One at a time, so that the second waits while the first is delivered.
    await Promise.all([1, 2].map(() => server.client.post('/_sandbox/simulate/new-contact', {})));
    await server.sandbox.clock.untilIdle();
    await server.sandbox.close();
    running.splice(running.indexOf(server.sandbox), 1);
    const before = receiver.got.length;
    const restarted = await start(copy);
    await restarted.sandbox.clock.untilIdle();
    const statuses = (await restarted.sandbox.deliveries()).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(1);
    expect(receiver.got.length - before).toBe(statuses.filter((status) => status === 'delivered').length);
  });

  it('an idempotency key whose request was saved replays, and one that was lost has its effect once', async () => {
    const header = { 'Idempotency-Key': '6f1d7c9e-4a3b-4f0e-9d2c-1b5a7e8f9c0d' };
    const server = await start();
    const empty = killedCopy(server.folder, folderOf);
    const dialed = await server.client.dial('+12125550101', header);
    await until(() => readFileSync(join(server.folder, 'state.json'), 'utf8')).toContain(dialed.body.call_id);
    const kept = await start(killedCopy(server.folder, folderOf));
    const replay = await kept.client.dial('+12125550101', header);
    expect([replay.headers['idempotency-replayed'], replay.body]).toEqual(['true', dialed.body]);
    const lost = await start(empty);
    const anew = await lost.client.dial('+12125550101', header);
    expect(anew.headers).not.toHaveProperty('idempotency-replayed');
    expect(anew.body.call_id).not.toBe(dialed.body.call_id);
    expect((await lost.client.dial('+12125550101', header)).body).toEqual(anew.body);
  });

  it('a test world that was lost says so', async () => {
    const server = await start();
    const passing = (of: Started): Client => clientOf(of.sandbox.url, 'svc_test_passing');
    await passing(server).get('/v1/me');
    const restarted = await start(killedCopy(server.folder, folderOf));
    expect((await passing(restarted).get('/v1/me')).headers['x-sandbox-world']).toBe('passing;recreated');
    expect((await passing(restarted).get('/v1/me')).headers['x-sandbox-world']).toBe('passing');
  });
});

describe('a change log', () => {
  /** Starts a server, and returns a copy of its files with a log of several lines. */
  async function withLog(): Promise<{ copy: string; log: string; calls: string[] }> {
    const server = await start();
    const receiver = await openReceiver();
    await subscribe(server.client, receiver, 'call_busy');
    const before = readdirSync(server.folder);
    const calls: string[] = [];
    let copy = '';
    let log: string | undefined;
    // Every delivery saves; until the file is written again, the log has a line for each.
    while (log === undefined || lines(join(copy, log)) < 4) {
      calls.push(await server.client.call('+12125550101'));
      await server.sandbox.clock.untilIdle();
      copy = killedCopy(server.folder, folderOf);
      log = readdirSync(copy).find((name) => name.includes('.log.') && lines(join(copy, name)) >= 4);
      expect(before).not.toEqual([]);
    }
    return { copy, log, calls };
  }
  const lines = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

  it('whose end was torn off is read up to there', async () => {
    const { copy, log, calls } = await withLog();
    const text = readFileSync(join(copy, log));
    writeFileSync(join(copy, log), text.subarray(0, text.length - 20));
    appendFileSync(join(copy, log), '\0\0\0');
    const restarted = await start(copy);
    const kept = await callsIn(restarted.client);
    expect(kept).toEqual(expect.arrayContaining(calls.slice(0, -1)));
  });

  it('that is damaged before its end refuses the start, with file and line', async () => {
    const { copy, log } = await withLog();
    const text = readFileSync(join(copy, log), 'utf8').split('\n');
    text[1] = 'this is not a line of ours';
    writeFileSync(join(copy, log), text.join('\n'));
    await expect(start(copy)).rejects.toThrow(`${log}:2: is not a state file, or is damaged`);
  });

  it('goes when the sandbox stops, with the lock', async () => {
    const server = await start();
    await server.client.call('+12125550101');
    await server.sandbox.close();
    expect(readdirSync(server.folder)).toEqual(['state.json']);
  });
});
