// What `listen` relays while its server is restarted and its connections break: every event once, in order.
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { entriesOnce } from '../../src/cli/relay.ts';
import { createControlClient } from '../../src/client/control-client.ts';
import { createPlatformClient } from '../../src/client/platform-client.ts';
import type { StreamMessage } from '../../src/client/stream.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { temporaryFolders } from '../support/folders.ts';
import { until } from '../support/until.ts';
import { startPassage } from './passage.ts';

const folderOf = temporaryFolders();

/** A server that can be restarted at its address, behind a passage whose connections can be broken. */
async function startServer(options: SandboxOptions) {
  let sandbox: Sandbox = await createSandbox({ clock: 'manual', ...options });
  const { url } = sandbox;
  const passage = await startPassage(url);
  let count = 0;
  return {
    url: passage.url,
    passage,
    async restart() {
      await sandbox.close();
      sandbox = await createSandbox({ clock: 'manual', ...options, port: Number(new URL(url).port) });
    },
    /** Adds events whose contacts are numbered, over all restarts. */
    async addEvents(events: number) {
      const control = createControlClient({ url });
      for (const end = count + events; count < end; count++) {
        await control.call('simulateNewContact', { body: { name: `${count}` } });
      }
    },
    async close() {
      await passage.close();
      await sandbox.close();
    },
  };
}

type Message = { readonly type: 'open' } | StreamMessage;

/** Reads until it is stopped; tells the names of contacts, and the types of other messages but `open`. */
function reading(messages: (signal: AbortSignal) => AsyncIterable<Message>) {
  const names: unknown[] = [];
  const stop = new AbortController();
  let opened = 0;
  const ended = (async () => {
    for await (const message of messages(stop.signal)) {
      if (message.type === 'open') opened += 1;
      else names.push(message.type === 'event' ? message.data.payload.name : message.type);
    }
  })();
  return {
    names,
    whenOpen: () => until(() => opened).toBe(1),
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `${from + n}`);

describe('the events of a world over restarts of its server', () => {
  it('are told once and in order by a server that keeps them, also those of which no connection told', async () => {
    const server = await startServer({ state: join(folderOf(), 'state.json') });
    const control = createControlClient({ url: server.url });
    const { names, whenOpen, stop } = reading((signal) => entriesOnce(control, 'event', { signal }));
    await whenOpen();
    for (let n = 0; n < 2; n++) {
      await server.addEvents(10);
      server.passage.shut();
      await server.addEvents(10);
      await server.restart();
      server.passage.open();
      await server.addEvents(10);
    }
    await until(() => names.length).toBeGreaterThanOrEqual(60);
    await stop();
    expect(names).toEqual(numbered(0, 60));
    await server.close();
  });

  it('are told once and in order by a server that starts over', async () => {
    const server = await startServer({});
    const control = createControlClient({ url: server.url });
    const { names, whenOpen, stop } = reading((signal) => entriesOnce(control, 'event', { signal }));
    await whenOpen();
    for (let n = 0; n < 3; n++) {
      if (n > 0) await server.restart();
      await server.addEvents(1);
      // What comes while nobody is connected is gone with the server.
      await until(() => names.length).toBeGreaterThan(20 * n);
      await server.addEvents(19);
    }
    await until(() => names.length).toBeGreaterThanOrEqual(60);
    await stop();
    expect(names).toEqual(numbered(0, 60));
    await server.close();
  });
});

describe('the requests of a world that a server keeps over a restart', () => {
  it('are told once, also if the reader began with all that the journal has', async () => {
    const server = await startServer({ state: join(folderOf(), 'state.json') });
    const platform = createPlatformClient({ url: server.url, key: 'svc_sandbox_default' });
    const control = createControlClient({ url: server.url });
    await platform.call('listCalls');
    const { names, stop } = reading((signal) => entriesOnce(control, 'request', { since: 'start', signal }));
    await until(() => names.length).toBe(1);
    await server.restart();
    await platform.call('listCalls');
    await until(() => names.length).toBe(2);
    await platform.call('listCalls');
    await until(() => names.length).toBeGreaterThan(2);
    await stop();
    expect(names).toEqual(['request', 'request', 'request']);
    await server.close();
  });
});

describe('a stream whose next entries are no longer kept', () => {
  it('tells of the gap, and goes on with the oldest entry that is kept', async () => {
    const server = await startServer({ journalLimit: 100 });
    const control = createControlClient({ url: server.url });
    const { names, whenOpen, stop } = reading((signal) => control.stream({ types: ['event'], signal }));
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const relayed = reading((signal) => entriesOnce(control, 'event', { signal }));
    await relayed.whenOpen();
    await whenOpen();
    await server.addEvents(3);
    await until(() => names.length).toBe(3);
    server.passage.shut();
    await server.addEvents(110);
    server.passage.open();
    // Both, since one more event drops the oldest that is kept.
    await until(() => [names.at(-1), relayed.names.at(-1)]).toEqual(['112', '112']);
    await server.addEvents(1);
    await until(() => [names.at(-1), relayed.names.at(-1)]).toEqual(['113', '113']);
    await stop();
    await relayed.stop();
    const told = said.mock.calls.join('');
    said.mockRestore();
    expect(told.match(/more than the journal keeps/g)).toHaveLength(1);
    expect(relayed.names).toEqual([...numbered(0, 3), ...numbered(13, 114)]);
    expect(names).toEqual([...numbered(0, 3), 'gap', ...numbered(13, 114)]);
    await server.close();
  });
});
