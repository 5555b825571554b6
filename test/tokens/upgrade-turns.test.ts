// WebSockets are opened in turns with requests: opening them again and again delays nobody else.
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Callers } from '../../src/http/callers.ts';
import { Rounds } from '../../src/scheduler/rounds.ts';
import { until } from '../support/until.ts';
import { freshWorld } from '../support/webhooks.ts';
import { joinUrl, useWebCalls } from './setup.ts';

const { sandbox, webCall } = useWebCalls();

afterEach(() => void vi.restoreAllMocks());

/** Lets requests wait for their turns, and tells whose each is. */
function holdTurns() {
  const names: string[] = [];
  const waiting: (() => void)[] = [];
  vi.spyOn(Callers.prototype, 'turnOf').mockImplementation(function (this: Callers, ...asking) {
    names.push(this.nameOf(...asking));
    return new Promise((begin) => waiting.push(begin));
  });
  const give = (): void => {
    for (const begin of waiting.splice(0)) begin();
  };
  return { names, give };
}

/** Opens a WebSocket, which waits until it is given its turn; returns whose that was. */
async function openedInTurnOf(url: string, key?: string): Promise<string | undefined> {
  const { names, give } = holdTurns();
  const socket = new WebSocket(url, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });
  await until(() => names.length).toBe(1);
  expect(socket.readyState).toBe(WebSocket.CONNECTING);
  give();
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');
  vi.restoreAllMocks();
  return names[0];
}

describe('a WebSocket', () => {
  const stream = (query = ''): string => `${sandbox.url.replace('http', 'ws')}/_sandbox/stream${query}`;

  it('of a stream is opened when it is the turn of its world, whatever carries its key', async () => {
    const { client, world } = freshWorld(sandbox);
    expect(await openedInTurnOf(stream(), client.key)).toBe('unknown key');
    expect(await openedInTurnOf(stream(), client.key)).toBe(world.name);
    expect(await openedInTurnOf(stream(`?token=${client.key}`))).toBe(world.name);
  });

  it('of a room is opened when it is the turn of its world', async () => {
    const session = await webCall();
    expect(await openedInTurnOf(joinUrl(session))).toBe('unknown key');
    expect(await openedInTurnOf(joinUrl(session))).toBe('default');
  });

  it('arrives on a connection that may be one of many: the others are let in first', async () => {
    const arrived = vi.spyOn(Rounds.prototype, 'connectionArrived');
    const { client } = freshWorld(sandbox);
    await openedInTurnOf(stream(), client.key);
    expect(arrived).toHaveBeenCalledTimes(1);
  });
});
