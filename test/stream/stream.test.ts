// The stream of a world (`interface.md` section 5): what happens as it happens, and resuming without loss or doubling.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, clientOf, playing } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { unhandledDuring } from '../support/unhandled.ts';
import { fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';
import { journaled, latest, type Watcher, watch } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off' });
const newReceiver = useReceivers();
const folderOf = temporaryFolders();

type Json = Answer['body'];

const MIB = 1024 * 1024;

/** What connections take of the memory, with what waits to be sent to them. */
async function bytesOfConnections(client: Client): Promise<number> {
  const { text } = await client.get('/_sandbox/metrics');
  return Number(/^ringback_memory_used_bytes\{share="connections"\} (\d+)/m.exec(text)?.[1]);
}

const typesOf = ({ messages }: Watcher): string[] => messages.map(({ type }) => type);

describe('the stream', () => {
  it('begins with the present, and tells what happens as the journals show it', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, receiver.url, 'call_busy');
    const watcher = await watch(sandbox.url, client.key);
    const open = watcher.opened;
    expect(open).toMatchObject({
      at: '2026-01-05T15:00:00.000Z',
      data: { world: world.name, clock: { mode: 'manual' } },
    });
    const call = await client.call('+12125550147', playing('busy;ring=2s'));
    await world.clock.untilIdle();
    await watcher.until(({ type, data }) => type === 'delivery' && data.status === 'delivered');
    const moved = await watcher.until(({ type }) => type === 'clock');
    expect(moved.data).toEqual({ mode: 'manual', speed: 0, now: '2026-01-05T15:00:02.000Z' });
    const steps = watcher.messages.filter(({ type }) => type === 'step').map(({ data }) => [data.subject.id, data.to]);
    expect(steps).toEqual([
      [call, 'QUEUED'],
      [call, 'BUSY'],
    ]);
    const all = await journaled(client);
    const told = latest(watcher.messages);
    expect(told.size).toBeGreaterThan(4);
    for (const [id, entry] of told) expect(entry).toEqual(all.get(id));
    const request = watcher.messages.find(({ type }) => type === 'request');
    expect(request.data.request.headers.authorization).toBe('[redacted]');
    await watcher.leave();
  });

  it('tells of its own world alone, and only what was asked for', async () => {
    const [one, other] = [freshWorld(sandbox), freshWorld(sandbox)];
    const watcher = await watch(sandbox.url, one.client.key, { types: 'event,step' });
    await other.client.call('+12125550101');
    await one.client.call('+12125550101');
    await watcher.until(({ data }) => data.event_type === 'new_call');
    expect(typesOf(watcher)).toEqual(['open', 'step', 'event']);
    await watcher.leave();
  });

  it('with the key of a sub-entity tells what belongs to it', async () => {
    const { client } = freshWorld(sandbox);
    const child = await childOf(sandbox.url, client);
    const watcher = await watch(sandbox.url, child.key, { types: 'request,step,event' });
    await client.call('+12125550101');
    const dialed = await child.post('/v1/calls/dial', { from_number: '+14155550194', to_number: '+12125550101' });
    await watcher.until(({ data }) => data.event_type === 'new_call');
    const subjects = watcher.messages.flatMap(({ data }) => data.subject?.id ?? []);
    expect(new Set(subjects)).toEqual(new Set([dialed.body.call_id]));
    expect(typesOf(watcher).filter((type) => type === 'request').length).toBeLessThan(2);
    const again = await watch(sandbox.url, child.key, { types: 'event', since: watcher.messages[0].entry });
    expect((await again.until(({ type }) => type === 'event')).data.subject.id).toBe(dialed.body.call_id);
    await Promise.all([watcher.leave(), again.leave()]);
  });

  it('tells a new epoch, and resumes in it from a place before', async () => {
    const { client, world } = freshWorld(sandbox);
    const watcher = await watch(sandbox.url, client.key);
    const open = watcher.opened;
    await client.call('+12125550101');
    await world.reset();
    const call = await client.call('+12125550101');
    const reset = await watcher.until(({ type }) => type === 'reset');
    expect(reset.data.epoch).toBe(open.data.epoch + 1);
    await watcher.until(({ type, data }) => type === 'event' && data.subject.id === call);
    const late = await watch(sandbox.url, client.key, { since: open.entry });
    await late.until(({ type }) => type === 'request');
    expect(typesOf(late).slice(0, 2)).toEqual(['open', 'reset']);
    expect(latest(late.messages)).toEqual(await journaled(client));
    await Promise.all([watcher.leave(), late.leave()]);
  });

  it('resumes after the id of a journal entry too', async () => {
    const { client } = freshWorld(sandbox);
    const first = await client.dial('+12125550101');
    await client.call('+12125550101');
    const id = first.headers['x-sandbox-request-id'] as string;
    const watcher = await watch(sandbox.url, client.key, { since: id });
    await watcher.until(({ type }) => type === 'request');
    expect(watcher.messages.map(({ data }) => data.id)).not.toContain(id);
    expect(typesOf(watcher)).toEqual(['open', 'step', 'event', 'request']);
    await watcher.leave();
  });

  it('is closed with the reason where entries after that place are gone', async () => {
    const small = await createSandbox({ clock: 'manual', journalLimit: 5, rateLimit: false });
    try {
      const client = clientOf(small.url);
      const watcher = await watch(small.url, client.key);
      const { entry } = watcher.opened;
      for (let n = 0; n < 8; n++) await client.get('/v1/me');
      await watcher.until(() => watcher.messages.length === 9);
      for (const since of [entry, 'req_000000000000000000000000', 'abc.1.2']) {
        const late = await watch(small.url, client.key, { since });
        expect(await late.closed).toEqual({
          code: 4409,
          reason: 'conflict: entries after `since` are gone; leave it out to begin now',
        });
      }
      const fresh = await watch(small.url, client.key, { since: watcher.last() });
      expect(fresh.messages).toHaveLength(1);
      await fresh.leave();
      // What is gone of requests is nothing to a reader of events, and `start` is whatever is left.
      const events = await watch(small.url, client.key, { since: entry, types: 'event' });
      await events.leave();
      const left = await watch(small.url, client.key, { since: 'start' });
      await left.until(() => left.messages.length === 6);
      expect(typesOf(left)).toEqual(['open', ...Array(5).fill('request')]);
      await left.leave();
      await small.close();
      expect(await watcher.closed).toEqual({ code: 1001, reason: 'the server is stopping' });
    } finally {
      await small.close();
    }
  });

  it('tells everything that has happened to its last word when the server stops', async () => {
    const stopping = await createSandbox({ clock: 'manual', rateLimit: false });
    const client = clientOf(stopping.url);
    const watcher = await watch(stopping.url, client.key, { types: 'event' });
    for (let n = 0; n < 30; n++) await fire(client, 'contact_created', { name: 'x'.repeat(60_000) });
    await stopping.close();
    expect(await watcher.closed).toMatchObject({ code: 1001 });
    expect(typesOf(watcher)).toEqual(['open', ...Array(30).fill('event')]);
  });

  it('says which world it is: the same after a restart that kept it, else another', async () => {
    const state = join(folderOf(), 'state.json');
    const opened = async (options: SandboxOptions): Promise<Json> => {
      const each = await createSandbox(options);
      const watcher = await watch(each.url, 'svc_sandbox_default');
      const { data } = watcher.opened;
      await watcher.leave();
      await each.close();
      return data.world_id;
    };
    const ids = [await opened({ state }), await opened({ state }), await opened({}), await opened({})];
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  it('is closed when its world is deleted', async () => {
    const admin = clientOf(sandbox.url);
    expect((await admin.post('/_sandbox/worlds', { name: 'watched' })).status).toBe(201);
    const client = clientOf(sandbox.url, 'svc_test_watched');
    const watcher = await watch(sandbox.url, client.key);
    expect((await client.delete('/_sandbox/worlds/watched')).status).toBe(204);
    expect(await watcher.closed).toEqual({ code: 4404, reason: 'the world was deleted' });
  });

  it('ends alone for a reader that sends an invalid frame, and leaves no error unhandled', async () => {
    const { client } = freshWorld(sandbox);
    const [bad, good] = [await watch(sandbox.url, client.key), await watch(sandbox.url, client.key)];
    const unhandled = await unhandledDuring(async () => {
      Reflect.get(bad.socket, '_socket').write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
      await bad.closed;
      await client.get('/v1/me');
      await good.until(({ type }) => type === 'request');
    });
    expect(unhandled).toEqual([]);
    await good.leave();
  });

  it('drops a reader that does not read, who can resume, and delays nobody', async () => {
    const { client } = freshWorld(sandbox);
    const slow = await watch(sandbox.url, client.key, { types: 'event' });
    slow.socket.pause();
    const data = { name: 'x'.repeat(60_000) };
    let fired = 0;
    const waiting: number[] = [];
    // What waits for it is given back when it is dropped. It has ten seconds from then on to read why.
    while ((waiting.at(-1) ?? 0) >= Math.max(...waiting) / 2 || Math.max(...waiting) < 4 * MIB) {
      expect(fired, `of ${waiting}`).toBeLessThan(1000);
      await Promise.all(Array.from({ length: 10 }, () => fire(client, 'contact_created', data)));
      fired += 10;
      waiting.push(await bytesOfConnections(client));
    }
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    expect(code, reason).toBe(4429);
    const since = /resume with since=(\S+)$/.exec(reason)?.[1] ?? '';
    const again = await watch(sandbox.url, client.key, { since, types: 'event' });
    await again.until(() => again.messages.length + slow.messages.length === fired + 2);
    expect(latest([...slow.messages, ...again.messages]).size).toBe(fired);
    await again.leave();
  });
});
