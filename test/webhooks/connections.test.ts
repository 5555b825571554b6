// Connections to receivers: `--webhook-connections`, `interface.md` sections 1 and 6.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Egress } from '../../src/webhooks/egress.ts';
import { limitsFor } from '../../src/webhooks/failures.ts';
import { freshConnections } from '../../src/webhooks/fresh-connections.ts';
import type { WebhookConnections } from '../../src/webhooks/post.ts';
import { createSender } from '../../src/webhooks/post.ts';
import type { Post, ReceiverResponse } from '../../src/webhooks/transport.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { UNLIMITED } from './setup.ts';

interface ConnectionReceiver {
  readonly url: string;
  connections: number;
  deliveries: number;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A receiver that counts its connections, and does this once it has read a delivery and before it responds. */
async function countingReceiver(
  onDelivery: (socket: Socket, nth: number, req: IncomingMessage) => boolean | undefined = () => undefined,
): Promise<ConnectionReceiver> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    req.resume().on('end', () => {
      receiver.deliveries += 1;
      if (onDelivery(req.socket, receiver.deliveries, req) !== false) res.end('ok');
    });
  });
  server.on('connection', () => {
    receiver.connections += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: ConnectionReceiver = { url: `http://127.0.0.1:${port}/hook`, connections: 0, deliveries: 0 };
  return receiver;
}

describe.each<WebhookConnections>(['fresh', 'reuse'])('with --webhook-connections %s, a receiver', (connections) => {
  const { sandbox } = useSandbox({ ...UNLIMITED, webhookConnections: connections });

  async function deliver(receiver: ConnectionReceiver, times: number): Promise<{ error_class: string | null }[]> {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, receiver.url, 'call_busy');
    for (let nth = 0; nth < times; nth++) {
      await fire(client, 'call_busy');
      await world.clock.advance('0s');
    }
    return (await deliveriesOf(client)).flatMap(
      (each: { attempts: { error_class: string | null }[] }) => each.attempts,
    );
  }

  it(`has ${connections === 'fresh' ? 'a connection for each delivery' : 'one connection for many deliveries'}`, async () => {
    const headers: (string | undefined)[] = [];
    const receiver = await countingReceiver((_socket, _nth, req) => {
      headers.push(req.headers.connection);
      return undefined;
    });
    await deliver(receiver, 5);
    expect(receiver.deliveries).toBe(5);
    expect(receiver.connections).toBe(connections === 'fresh' ? 5 : 1);
    expect(new Set(headers)).toEqual(new Set([connections === 'fresh' ? 'close' : 'keep-alive']));
  });

  it('that closes the connection with its response misses nothing', async () => {
    const receiver = await countingReceiver((socket) => {
      // Without the header that would announce it.
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      return false;
    });
    const attempts = await deliver(receiver, 30);
    expect(attempts.filter(({ error_class }) => error_class !== null)).toEqual([]);
    expect(receiver.deliveries).toBe(30);
  });

  it.each(['websocket', 'h2c'])('that switches to %s unasked fails the delivery at once', async (protocol) => {
    const receiver = await countingReceiver((socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`);
      return false;
    });
    const attempts = await deliver(receiver, 2);
    expect(attempts.map(({ error_class }) => error_class)).toHaveLength(2);
    for (const { error_class } of attempts) expect(['http_status', 'reset']).toContain(error_class);
  });

  it('that reads a delivery and closes the connection without a response does not get it twice', async () => {
    const receiver = await countingReceiver((socket, nth) => {
      if (nth !== 2) return undefined;
      socket.destroy();
      return false;
    });
    const attempts = await deliver(receiver, 3);
    expect(attempts.map(({ error_class }) => error_class)).toEqual([null, 'reset', null]);
    expect(receiver.deliveries).toBe(3);
  });
});

describe('a receiver that closes idle connections after 1 to 30 ms', () => {
  const { sandbox } = useSandbox(UNLIMITED);

  it('misses nothing', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await countingReceiver((socket, nth) => {
      setTimeout(() => socket.destroy(), 1 + (nth % 30));
      return undefined;
    });
    const types = ['call_busy', 'call_failed', 'call_voicemail', 'call_no_answer'];
    for (const type of types) await subscribe(client, `${receiver.url}/${type}`, type);
    for (let round = 0; round < 15; round++) {
      for (const type of types) await fire(client, type);
      await world.clock.advance('0s');
    }
    expect(await deliveriesOf(client, 'status=failed')).toEqual([]);
    expect(receiver.deliveries).toBe(60);
  });
});

describe('a connection', () => {
  const shortage = (code: string): Error => Object.assign(new Error(code), { code, address: '127.0.0.1' });
  const response: ReceiverResponse = { status: 200, headers: {}, body: '', isTooLarge: false };

  /** Sends once over a transport whose connections fail with these errors, then succeed. */
  async function send(...errors: Error[]): Promise<{ result: unknown; posts: number }> {
    let posts = 0;
    const post = (): Post => {
      const error = errors[posts];
      posts += 1;
      return { response: error ? Promise.reject(error) : Promise.resolve(response), abort: () => {} };
    };
    const sender = createSender({ post, close: async () => {} });
    const result = await sender
      .send({ world: 'w', epoch: 1 }, new URL('http://127.0.0.1:9/'), {}, '', limitsFor(10_000))
      .catch((error: Error) => error.message);
    return { result, posts };
  }

  it.each(['EADDRNOTAVAIL', 'EMFILE'])('is tried again when this machine lacks what it needs (%s)', async (code) => {
    expect(await send(shortage(code), shortage(code))).toEqual({ result: response, posts: 3 });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET'])('is not tried again after %s', async (code) => {
    expect(await send(shortage(code))).toEqual({ result: code, posts: 1 });
  });

  it('is not begun once the server stops', async () => {
    const post = (): Post => ({ response: Promise.resolve(response), abort: () => {} });
    const sender = createSender({ post, close: async () => {} });
    sender.abort();
    const sent = sender.send({ world: 'w', epoch: 1 }, new URL('http://127.0.0.1:9/'), {}, '', limitsFor(10_000));
    await expect(sent).rejects.toThrow('shutdown');
  });

  it('that is made while the process is held up past its limit is in time', async () => {
    const receiver = await countingReceiver();
    const transport = freshConnections(new Egress('private', null), async () => []);
    // From here, the loop runs its timers before it reads its sockets.
    await new Promise((resolve) => setImmediate(resolve));
    const { response } = transport.post(new URL(receiver.url), {}, '', { ...limitsFor(60_000), connect: 30 });
    // The system call that connects is made in a tick of its own.
    const afterTicks = (ticks: number, run: () => void): void =>
      process.nextTick(() => (ticks === 0 ? run() : afterTicks(ticks - 1, run)));
    afterTicks(5, () => {
      const until = performance.now() + 60;
      while (performance.now() < until);
    });
    expect(await response).toMatchObject({ status: 200 });
  });
});
