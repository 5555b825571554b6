// The stream of a world, as the client reads it: over connections that break.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createControlClient } from '../../src/client/control-client.ts';
import type { StreamMessage, StreamOptions } from '../../src/client/stream.ts';
import { useSandbox } from '../support/sandbox.ts';
import { type Passage, startPassage } from './passage.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

/** Reads until `count` messages of other types than `open` are there. */
async function read(messages: AsyncIterable<StreamMessage>, count: number, onOpen: () => unknown = () => {}) {
  const got: StreamMessage[] = [];
  for await (const message of messages) {
    if (message.type === 'open') await onOpen();
    else if (got.push(message) === count) break;
  }
  return got;
}

/** The names of the contacts that events tell of; the type of any other message. */
const namesIn = (messages: readonly StreamMessage[]): unknown[] =>
  messages.map((message) => (message.type === 'event' ? message.data.payload.name : message.type));

const clientOf = (world: string, url = sandbox.url) => createControlClient({ url, world });

async function addContacts(world: string, from: number, to: number): Promise<void> {
  const control = clientOf(world);
  for (let n = from; n < to; n++) await control.call('simulateNewContact', { body: { name: `${n}` } });
}

describe('the stream that the client reads', () => {
  it('tells what happens as typed messages, beginning when it is open', async () => {
    const messages = clientOf('typed').stream({ types: ['event'] });
    const got = await read(messages, 2, () => addContacts('typed', 0, 2));
    expect(namesIn(got)).toEqual(['0', '1']);
    expect(got[0]).toMatchObject({ type: 'event', at: expect.any(String), entry: expect.any(String) });
  });

  it('goes on after a place, and after a journal entry', async () => {
    await addContacts('resumed', 0, 3);
    const control = clientOf('resumed');
    const oldest = (await control.all('listEvents')).at(-1);
    const [second] = await read(control.stream({ types: ['event'], since: oldest?.id }), 1);
    expect(namesIn([second as StreamMessage])).toEqual(['1']);
    expect(namesIn(await read(control.stream({ types: ['event'], since: second?.entry }), 1))).toEqual(['2']);
  });

  it('loses nothing and tells nothing twice when connections break, however often', async () => {
    const passage: Passage = await startPassage(sandbox.url);
    const told: string[] = [];
    const options: StreamOptions = {
      types: ['event'],
      onLost: ({ code }) => told.push(code),
      onResumed: () => told.push('resumed'),
    };
    const total = 40;
    const got: StreamMessage[] = [];
    for await (const message of clientOf('broken', passage.url).stream(options)) {
      if (message.type === 'open') await addContacts('broken', 0, 10);
      else got.push(message);
      if (got.length === total) break;
      // Not among the last ten: all of them may have come by then, and nothing be left to connect again for.
      if (got.length % 10 === 5 && got.length < total - 10) passage.breakAll();
      if (got.length % 10 === 0 && got.length > 0) await addContacts('broken', got.length, got.length + 10);
    }
    expect(namesIn(got)).toEqual(Array.from({ length: total }, (_, n) => `${n}`));
    expect(told).toEqual(Array.from({ length: 3 }, () => ['unreachable', 'resumed']).flat());
    await passage.close();
  });

  it('ends without an error when its signal is aborted, also while it waits', async () => {
    const reading = new AbortController();
    const messages = clientOf('aborted').stream({ signal: reading.signal });
    const got = await read(messages, 1, () => reading.abort());
    expect(got).toEqual([]);
  });

  it('ends with an error when the world is deleted', async () => {
    const control = clientOf('deleted');
    const messages = control.stream();
    const reading = read(messages, 1, () => control.call('deleteWorld', { path: { name: 'deleted' } }));
    await expect(reading).rejects.toMatchObject({ code: 'not_found', message: 'the world was deleted' });
  });

  it('rejects when the place to begin after is not kept', async () => {
    await expect(read(clientOf('gap').stream({ since: 'evt_nobody' }), 1)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('rejects when the first connection is refused or fails', async () => {
    const stranger = createControlClient({ url: sandbox.url, key: 'svc_nobody' });
    await expect(read(stranger.stream(), 1)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    const passage = await startPassage(sandbox.url);
    await passage.close();
    await expect(read(clientOf('nowhere', passage.url).stream(), 1)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('nothing listens there; is the server running?'),
    });
  });

  it('rejects when what answers is not a Ringback server', async () => {
    const stranger = createServer((_, res) => res.writeHead(404).end('<h1>Not here</h1>')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const failed = read(clientOf('elsewhere', url).stream(), 1);
    await expect(failed).rejects.toMatchObject({
      code: 'unexpected_answer',
      status: 404,
      message: `${url}/_sandbox/stream was answered with 404, which is not the answer of a Ringback server`,
    });
    stranger.close();
  });
});
