// Connections to receivers over TLS share what is the same for all of them: Node makes it for each otherwise, which takes
// longer than all else.

import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import type { WebhookConnections } from '../../src/webhooks/post.ts';
import { createTlsContext } from '../../src/webhooks/tls-context.ts';
import { useSandbox } from '../support/sandbox.ts';
import { selfSigned } from '../support/self-signed.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { UNLIMITED } from './setup.ts';

/** As Node itself uses it. */
const ofNode: typeof tls = createRequire(import.meta.url)('node:tls');

describe.each<WebhookConnections>(['fresh', 'reuse'])('with --webhook-connections %s', (connections) => {
  const { sandbox } = useSandbox({ ...UNLIMITED, webhookConnections: connections });

  it('no connection makes certificates and ciphers of its own', async () => {
    const server = createServer(selfSigned, (_, res) => res.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const made = vi.spyOn(ofNode, 'createSecureContext');
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, 'call_busy');
    for (let nth = 0; nth < 3; nth++) {
      await fire(client, 'call_busy');
      await world.clock.advance('0s');
    }
    const attempts = (await deliveriesOf(client)).flatMap((each: { attempts: unknown[] }) => each.attempts);
    expect(attempts).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ error_class: 'tls' })));
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    server.close();
  });
});

it('a receiver that asks for a second handshake in a connection gets none', async () => {
  const server = tls.createServer({ ...selfSigned, maxVersion: 'TLSv1.2' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ port, secureContext: createTlsContext()(), rejectUnauthorized: false });
  client.on('error', () => {}).once('secureConnect', () => client.write('delivery'));
  const outcome = await new Promise<string>((resolve) => {
    server.once('secureConnection', (socket) => {
      socket
        .on('error', ({ message }) => resolve(message))
        .once('data', () => {
          socket.renegotiate({}, (error) => resolve(error?.message ?? 'a second handshake'));
        });
    });
  });
  expect(outcome).toContain('no renegotiation');
  client.destroy();
  server.close();
});
