// The sandbox's own address, which no webhook reaches: `interface.md` section 6.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { all, at, expectOutcomes, loopbackForms, useEgress } from './egress-setup.ts';

const { sandboxWith } = useEgress();

describe("the sandbox's own address", () => {
  const ownPort = (sandbox: Sandbox): string => new URL(sandbox.url).port;

  it.each(['private', 'public', '127.0.0.0/8,localhost,::1', '0.0.0.0/0,::/0'])(
    'is blocked with webhookTargets %s, in any notation',
    async (webhookTargets) => {
      const sandbox = await sandboxWith({ webhookTargets });
      const interfaces = Object.values(networkInterfaces())
        .flatMap((list) => list ?? [])
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => address);
      const hosts = [...loopbackForms, ...interfaces];
      const urls = hosts.map((host) => at(host, ownPort(sandbox)));
      await expectOutcomes(sandbox, all(urls, 'blocked_address'));
    },
  );

  it('is blocked for the platform, the control API and the pages, and gets no request', async () => {
    const sandbox = await sandboxWith({});
    const { client, world } = freshWorld(sandbox);
    for (const path of ['/v1/calls/dial', '/_sandbox/reset', '/_sandbox/clock/advance', '/']) {
      await subscribe(client, sandbox.url + path, 'call_busy');
    }
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const deliveries = await deliveriesOf(client);
    expect(deliveries.map(({ attempts }: { attempts: { error_class: string }[] }) => attempts[0]?.error_class)).toEqual(
      ['blocked_address', 'blocked_address', 'blocked_address', 'blocked_address'],
    );
    expect(deliveries[0].attempts[0].hint).toBe(
      'Subscribe the address of your receiver, or that of an inbox of the sandbox: /_sandbox/inbox/<name>?world=<world>.',
    );
    const requests = await sandbox.requests();
    expect(requests.filter(({ path }) => path === '/v1/calls/dial')).toEqual([]);
  });

  it('does not include another sandbox on this machine', async () => {
    const [one, other] = [await sandboxWith({}), await sandboxWith({})];
    const { client, world } = freshWorld(one);
    await subscribe(client, `${other.url}/_sandbox/health`, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0]).toMatchObject({ error_class: 'http_status', response: { status: 405 } });
  });
});
