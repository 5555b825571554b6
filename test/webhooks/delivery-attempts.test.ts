// The single attempt of a delivery and its error class: `interface.md` section 6, with the ledger's delivery_policy.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Received, startReceiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { hook, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('a delivery', () => {
  it.each([200, 201, 202, 204, 299])('succeeds with a response of %i', async (status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(status).end();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ status: deliveryStatus, attempts }] = await deliveriesOf(client);
    expect([deliveryStatus, attempts[0].response.status, attempts[0].error_class]).toEqual(['delivered', status, null]);
  });

  it.each([300, 304, 400, 404, 408, 410, 429, 500, 502, 503])(
    'is attempted only once with a response of %i',
    async (status) => {
      const { client, world } = freshWorld(sandbox);
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.writeHead(status, { 'Retry-After': '1' }).end();
      await subscribe(client, hook(receiver), 'call_busy');
      await fire(client, 'call_busy');
      await world.clock.advance('30d');
      expect(receiver.got).toHaveLength(1);
      const [{ status: deliveryStatus, attempts }] = await deliveriesOf(client);
      expect(deliveryStatus).toBe('failed');
      expect(attempts).toHaveLength(1);
      expect(attempts[0]).toMatchObject({ error_class: 'http_status', response: { status } });
    },
  );

  it.each([301, 302, 303, 307, 308])('does not follow a redirect of %i', async (status) => {
    const { client, world } = freshWorld(sandbox);
    const [receiver, other] = [await newReceiver(), await newReceiver()];
    receiver.onDelivery = (_, res) => res.writeHead(status, { Location: hook(other) }).end();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ status: deliveryStatus, attempts }] = await deliveriesOf(client);
    expect([deliveryStatus, attempts[0].error_class]).toEqual(['failed', 'http_status']);
    expect(attempts[0].response.headers.location).toBe(hook(other));
    expect([receiver.got.length, other.got.length]).toEqual([1, 0]);
  });

  it('that fails does not stop the next event of the subscription', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = ({ body }, res) => {
      if (body.name === 'first') res.writeHead(500).end();
    };
    await subscribe(client, hook(receiver), 'contact_created');
    for (const name of ['first', 'second']) await fire(client, 'contact_created', { name });
    await world.clock.advance('0s');
    expect((await deliveriesOf(client)).map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'delivered',
    ]);
  });

  describe('has the error class', () => {
    const attemptTo = async (url: string): Promise<Received['body']> => {
      const { client, world } = freshWorld(sandbox);
      await subscribe(client, url, 'call_busy');
      await fire(client, 'call_busy');
      await world.clock.advance('0s');
      const [delivery] = await deliveriesOf(client);
      expect([delivery.status, delivery.attempts.length]).toEqual(['failed', 1]);
      return delivery.attempts[0];
    };

    it('connect_refused when nothing listens', async () => {
      const receiver = await startReceiver();
      await receiver.close();
      const attempt = await attemptTo(hook(receiver));
      expect(attempt).toMatchObject({ error_class: 'connect_refused', response: null, error: expect.any(String) });
    });

    it('dns when the name does not resolve', async () => {
      expect((await attemptTo('https://nothing.invalid/hook')).error_class).toBe('dns');
    });

    it('http_status when the response is not 2xx', async () => {
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.writeHead(503).end('later');
      expect(await attemptTo(hook(receiver))).toMatchObject({
        error_class: 'http_status',
        response: { status: 503, body: 'later' },
      });
    });

    it('reset when the connection breaks before a response', async () => {
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.socket?.resetAndDestroy();
      expect((await attemptTo(hook(receiver))).error_class).toBe('reset');
      receiver.onDelivery = (_, res) => res.socket?.destroy();
      expect((await attemptTo(hook(receiver))).error_class).toBe('reset');
    });

    it('tls when the server does not speak TLS', async () => {
      const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      try {
        expect((await attemptTo(`https://127.0.0.1:${port}/hook`)).error_class).toBe('tls');
      } finally {
        server.close();
      }
    });
  });
});
