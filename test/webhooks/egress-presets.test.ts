// The addresses that `--webhook-targets private` and `public` allow: `interface.md` sections 1 and 6.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { sample } from '../support/thorough.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { all, at, expectOutcomes, loopbackForms, neverReached, notPublic, useEgress } from './egress-setup.ts';

const { target, sandboxWith } = useEgress();

describe('webhookTargets private', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await sandboxWith({});
  });

  it('allows this machine in any notation of its address', async () => {
    const urls = loopbackForms.map((host) => at(host, target.port));
    await expectOutcomes(sandbox, all(urls, 'delivered'));
    expect(target.connections).toBe(urls.length);
  });

  it('does not block private ranges, documentation ranges or the public internet', async () => {
    const hosts = ['10.255.255.254', '198.51.100.1', '203.0.113.1', '100.64.0.1', '[fd12:3456:789a::1]', '[2d00::1]'];
    const urls = hosts.map((host) => at(host));
    await expectOutcomes(sandbox, all(urls, 'not blocked'));
  });

  it.each(sample(neverReached))('blocks %s', async (_, host) => {
    const urls = [at(host, 80), at(host), `https://${host}/latest/meta-data`];
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
  });
});

describe('webhookTargets public', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await sandboxWith({ webhookTargets: 'public' });
  });

  it('blocks this machine in any notation of its address, without a connection', async () => {
    const hosts = [...loopbackForms, '[::1]', '[::]', '127.255.255.254'];
    const urls = hosts.flatMap((host) => [at(host, target.port), `https://${host}:${target.port}/`]);
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
    expect(target.connections).toBe(0);
  });

  it.each(sample([...neverReached, ...notPublic]))('blocks %s', async (_, host) => {
    const urls = [at(host), `https://${host}/hook`];
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
  });

  it('does not block public addresses', async () => {
    // An anycast sink for stray packets (AS112), and unallocated addresses.
    const urls = [at('192.31.196.1'), at('[2d00::1]'), at('[::ffff:192.31.196.1]')];
    await expectOutcomes(sandbox, all(urls, 'not blocked'));
  });

  it('records in the delivery which address was blocked, without a response', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, at('localhost', target.port), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [delivery] = await deliveriesOf(client);
    expect(delivery.status).toBe('failed');
    expect(delivery.attempts).toHaveLength(1);
    expect(delivery.attempts[0]).toMatchObject({
      error_class: 'blocked_address',
      error: expect.stringMatching(/127\.0\.0\.1|::1/),
      response: null,
    });
  });

  it('blocks a redelivery too', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, at('127.0.0.1', target.port), 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ id }] = await deliveriesOf(client);
    await client.post(`/_sandbox/deliveries/${id}/redeliver`);
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts.map((each: { error_class: string }) => each.error_class)).toEqual([
      'blocked_address',
      'blocked_address',
    ]);
    expect(target.connections).toBe(0);
  });
});
