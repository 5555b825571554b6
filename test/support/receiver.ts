// A webhook receiver as a customer would write one: a plain HTTP server that keeps the deliveries it gets. Every delivery
// is checked against the contract; a deviation fails the test during which it arrived.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { deliveryDeviations } from './contract.ts';
import { deviations } from './deviations.ts';

/** Records how a delivery deviates from the contract, which fails the current test. */
export function checkDelivery({ method, path, headers, body, raw }: Received): void {
  const what = `${method} ${path} ${raw}`;
  for (const deviation of deliveryDeviations(method, headers, body)) deviations.push(`${what}: ${deviation}`);
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes of the body. */
  readonly raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any;
}

export interface Receiver {
  readonly url: string;
  readonly got: Received[];
  /** Called with each delivery; the receiver responds with 200 afterwards unless this has responded. */
  onDelivery: (delivery: Received, res: ServerResponse) => unknown;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Whether each delivery is checked against the contract, as is usual. */
  readonly checks?: boolean;
}

export async function startReceiver({ checks = true }: ReceiverOptions = {}): Promise<Receiver> {
  const got: Received[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', async () => {
      const raw = Buffer.concat(chunks);
      const { method = '', url: path = '', headers } = req;
      // A client of the server that had this port before, perhaps of another process, still looks for it.
      if (checks && path.startsWith('/_sandbox/')) return res.writeHead(404).end();
      const delivery = { method, path, headers, raw, body: JSON.parse(raw.toString() || 'null') };
      got.push(delivery);
      if (checks) checkDelivery(delivery);
      await receiver.onDelivery(delivery, res);
      if (!res.writableEnded && !res.destroyed) res.writeHead(200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    onDelivery: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

/** Called once, at the top of a test file or group: starts receivers, which are closed after each test. */
export function useReceivers(options: ReceiverOptions = {}): () => Promise<Receiver> {
  const running: Receiver[] = [];
  afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));
  return async () => {
    const receiver = await startReceiver(options);
    running.push(receiver);
    return receiver;
  };
}
