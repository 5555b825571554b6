// The single attempt of a delivery and its error class: `interface.md` section 6, with the ledger's delivery_policy.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { DeliveryErrorClass } from '../../src/model.ts';
import { Aborted, failureOf, hintFor, limitsFor } from '../../src/webhooks/failures.ts';
import { type Received, startReceiver, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { stretched } from '../support/until.ts';
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

  it.each([
    [302, 'Subscribe the final URL'],
    [401, 'without credentials'],
    [404, 'Check the path'],
    [405, 'accept POST'],
    [422, 'Respond with a 2xx'],
    [500, 'log of the receiver'],
  ])('that is refused with %i says what to do about it', async (status, advice) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(status).end();
    await subscribe(client, hook(receiver), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0].hint).toContain(advice);
  });

  it.each<[DeliveryErrorClass, unknown, string]>([
    ['connect_timeout', Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }), '3 s'],
    ['connect_timeout', new Aborted('connect_timeout'), '3 s'],
    ['headers_timeout', Object.assign(new Error(), { code: 'UND_ERR_HEADERS_TIMEOUT' }), '10 s'],
    ['body_timeout', new Aborted('body_timeout'), '10 s'],
    ['total_timeout', new Aborted('total_timeout'), '15 s'],
    ['connect_refused', new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]), 'ECONNREFUSED'],
  ])('that ends with %s names its limit or its cause (case %#)', (error_class, error, named) => {
    expect(failureOf(error, 'backend:8080', limitsFor(10_000))).toEqual({
      error_class,
      error: expect.stringContaining(named),
    });
    expect(hintFor(error_class, null, null).length).toBeGreaterThan(10);
  });

  it('to a port that speaks plain HTTP says so in one line, without the internals of OpenSSL', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver).replace('http:', 'https:'), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0]).toMatchObject({
      error_class: 'tls',
      error: expect.stringMatching(/^no TLS connection to [\w.]+:\d+: the port does not speak TLS \(\w+\)$/),
      hint: expect.stringContaining('plain HTTP'),
    });
  });

  describe.runIf(thorough).each(['fresh', 'reuse'])(
    'over %s connections has the time limit of',
    (webhookConnections) => {
      const own = useSandbox({ ...UNLIMITED, webhookConnections });

      it.concurrent.each([
        ['headers_timeout', 'no response within 10 s', ''],
        ['body_timeout', 'nothing more of it came for 10 s', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
      ])('%s', async (error_class, error, start) => {
        const server = createServer((socket) => socket.on('error', () => {}).write(start));
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as { port: number };
        const { client, world } = freshWorld(own.sandbox);
        await subscribe(client, `http://127.0.0.1:${port}/hook`, 'call_busy');
        await fire(client, 'call_busy');
        await world.clock.advance('0s');
        server.close();
        const [{ attempts }] = await deliveriesOf(client);
        expect(attempts[0]).toMatchObject({ error_class, error: expect.stringContaining(error) });
        expect(attempts[0].latency_ms).toBeGreaterThan(9_900);
        expect(attempts[0].latency_ms).toBeLessThan(10_000 + stretched(2500));
      });
    },
  );

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
      expect(attempt).toMatchObject({
        error_class: 'connect_refused',
        response: null,
        error: `nothing accepts connections at ${new URL(receiver.url).host} (ECONNREFUSED)`,
        hint: expect.stringContaining('Start the receiver'),
      });
    });

    it('dns when the name does not resolve', async () => {
      expect(await attemptTo('https://nothing.invalid/hook')).toMatchObject({
        error_class: 'dns',
        error: expect.stringContaining('the name of nothing.invalid could not be resolved'),
        hint: expect.stringContaining('Check the host'),
      });
    });

    it('http_status when the response is not 2xx', async () => {
      const receiver = await newReceiver();
      receiver.onDelivery = (_, res) => res.writeHead(503).end('later');
      expect(await attemptTo(hook(receiver))).toMatchObject({
        error_class: 'http_status',
        error: 'the receiver responded with 503',
        hint: 'Look for the error in the log of the receiver.',
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
