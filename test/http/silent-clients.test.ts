// Clients that do not answer, or do not read: their connections are ended, and take nothing any more. Time is the test's.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { holdIntervals } from '../support/intervals.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

// How often the server looks for what is not read, and sends a ping over WebSockets.
const checks = holdIntervals(5000);
const heartbeats = holdIntervals(30_000);
afterAll(() => {
  heartbeats.restore();
  checks.restore();
});
const { sandbox, client } = useSandbox({ clock: 'manual' });

const KEY = 'svc_sandbox_default';

async function open(url: string, autoPong: boolean): Promise<{ socket: WebSocket; isClosed: () => boolean }> {
  const headers = { Authorization: `Bearer ${KEY}` };
  const socket = new WebSocket(url.replace('http', 'ws'), { autoPong, headers });
  let closed = false;
  socket
    .on('error', () => {})
    .once('close', () => {
      closed = true;
    });
  await once(socket, 'open');
  return { socket, isClosed: () => closed };
}

/** What a socket has sent before has arrived when the server answers. */
async function arrived({ socket }: Awaited<ReturnType<typeof open>>): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}

describe('a WebSocket whose other end is silent', () => {
  const kinds: [string, () => Promise<string>][] = [
    ['of a stream', async () => `${sandbox.url}/_sandbox/stream`],
    [
      'of a room',
      async () => {
        const [{ id }] = (await client.get('/v1/agents')).body.data;
        const { room_url, token } = (await client.post(`/v1/agents/${id}/web-call`)).body.data;
        return `${room_url}?access_token=${token}`;
      },
    ],
  ];

  it.each(kinds)('%s is ended after two heartbeats, and one that answers is not', async (_, address) => {
    const url = await address();
    const [silent, good] = [await open(url, false), await open(url, true)];
    for (let beat = 0; beat < 3; beat++) {
      expect(silent.isClosed()).toBe(beat > 1);
      const pinged = once(good.socket, 'ping');
      heartbeats.run();
      await pinged;
      await arrived(good);
      if (beat === 1) await until(silent.isClosed).toBe(true);
    }
    expect(good.isClosed()).toBe(false);
    good.socket.close();
    await once(good.socket, 'close');
  });
});

describe('a connection whose responses are not read', () => {
  it('is ended after a minute, and gives back what it takes', async () => {
    const used = async (): Promise<number> =>
      (await client.get('/_sandbox/health')).body.data.memory.shares.connections.used_bytes;
    const before = await used();
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.pause();
    // More than the system holds for a connection.
    socket.write('GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60));
    await until(used).toBeGreaterThan(before);
    await until(async () => {
      checks.run();
      return await used();
    }).toBeLessThanOrEqual(before);
    socket.destroy();
  });
});
