// By which addresses webhooks reach an inbox of their own server: `interface.md` section 5.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { WebhookConnections } from '../../src/webhooks/post.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';

describe.each<WebhookConnections>(['fresh', 'reuse'])('with --webhook-connections %s', (webhookConnections) => {
  const { sandbox: own } = useSandbox({ clock: 'manual', rateLimit: false, webhookHttp: 'any', webhookConnections });

  /** What becomes of a delivery to each of these URLs: its status, or its error class. */
  async function outcomesOf(urls: (world: string) => string[]): Promise<string[]> {
    const { client, world } = freshWorld(own);
    // All of them come and are answered in this process, beside other tests.
    await client.put('/_sandbox/webhook-plan', { timeout: { connect: '60s', answer: '60s', total: '60s' } });
    for (const url of urls(world.name)) await subscribe(client, url, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    return (await deliveriesOf(client)).map(
      ({ status, attempts }: { status: string; attempts: { error_class: string | null }[] }) =>
        attempts[0]?.error_class ?? status,
    );
  }

  it('webhooks reach an inbox by every name of this machine', async () => {
    const { port } = new URL(own.url);
    const interfaces = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    const hosts = ['localhost', '127.0.0.1', '127.1', '0x7f.1', '[::ffff:127.0.0.1]'];
    const outcomes = await outcomesOf((world) =>
      [...hosts, ...interfaces].map((host) => `http://${host}:${port}/_sandbox/inbox/a?world=${world}`),
    );
    // The server listens on the loopback address: on the others, nothing does, but none is refused.
    expect(outcomes.slice(0, hosts.length)).toEqual(hosts.map(() => 'delivered'));
    expect(outcomes).not.toContain('blocked_address');
  });

  it('webhooks reach no other path of the own address, even right after an inbox', async () => {
    const { port } = new URL(own.url);
    const hosts = ['localhost', '127.0.0.1'];
    const paths = [
      ...['/_sandbox/reset', '/_sandbox/inbox', '/_sandbox/inbox/', '/_sandbox/inbox/a/', '/_sandbox/inbox/a/messages'],
      ...['/_sandbox/inbox/%61', '/_sandbox/inbox/../reset', '/_sandbox/inbox/a/../../reset', '/_sandbox//inbox/a'],
      ...['/_sandbox/inbox/a%2f..%2f..%2freset', '/_SANDBOX/inbox/a', '/_sandbox/inbox/a%0d', '/v1/calls/dial', '/'],
    ];
    const outcomes = await outcomesOf((world) =>
      hosts.flatMap((host) =>
        paths.flatMap((path) =>
          ['/_sandbox/inbox/a', path].map((each) => `http://${host}:${port}${each}?world=${world}`),
        ),
      ),
    );
    expect(outcomes).toEqual(hosts.flatMap(() => paths.flatMap(() => ['delivered', 'blocked_address'])));
  });
});
