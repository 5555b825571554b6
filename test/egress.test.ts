// Which addresses a webhook may reach: `interface.md` section 1 (`--webhook-targets`) and section 6 ("Addresses are
// checked where they are dialled"). Every URL here is subscribed with webhookHttp any, so that only the address decides.
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from './support/webhooks.ts';

/** Nobody answers there (the discard port); what is dialled in vain is broken off when its sandbox closes. */
const SILENT_PORT = 9;

let connections = 0;
let port = 0;
const listeners: Server[] = [];
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
  // Answers whatever comes, and counts what connects, whether or not a request follows.
  const listen = (host: string, at: number): Promise<Server | null> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.on('error', () => {});
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
      });
      server.once('error', () => resolve(null));
      server.listen(at, host, () => resolve(server));
    });
  const first = (await listen('127.0.0.1', 0)) as Server;
  port = (first.address() as { port: number }).port;
  listeners.push(first);
  // A machine without IPv6 has no such listener, and nothing to refuse there either.
  const second = await listen('::1', port);
  if (second) listeners.push(second);
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  await Promise.all(sandboxes.map((each) => each.close()));
  for (const each of listeners) each.close();
});

async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ clock: 'manual', webhookHttp: 'any', rateLimit: false, ...options });
  sandboxes.push(sandbox);
  return sandbox;
}

type Outcome = 'delivered' | 'blocked_address' | 'dialled in vain';

/**
 * Sends one event to each of these URLs and expects what becomes of it. What is still open after a while was not
 * blocked; an answer, or a name that must be looked up, is given longer.
 */
async function expectOutcomes(sandbox: Sandbox, expected: Readonly<Record<string, Outcome>>): Promise<void> {
  const { client } = freshWorld(sandbox);
  for (const url of Object.keys(expected)) await subscribe(client, url, 'call_busy');
  await fire(client, 'call_busy');
  const began = performance.now();
  const takesLonger = (url: string): boolean => expected[url] === 'delivered' || /localhost/i.test(url);
  let deliveries: DeliveryView[] = await deliveriesOf(client);
  for (let polls = 0; deliveries.some(isOpen); polls++) {
    const waited = performance.now() - began;
    const patience = deliveries.some((each) => isOpen(each) && takesLonger(each.url)) ? 4000 : 300;
    if (waited > patience && polls > 20) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
    deliveries = await deliveriesOf(client);
  }
  expect(Object.fromEntries(deliveries.map((each) => [each.url, outcomeOf(each)]))).toEqual(expected);
}

interface DeliveryView {
  readonly url: string;
  readonly status: string;
  readonly attempts: readonly { readonly error_class: string }[];
}

const isOpen = ({ status }: DeliveryView): boolean => status === 'pending' || status === 'in_flight';

function outcomeOf({ status, attempts }: DeliveryView): Outcome {
  if (status === 'delivered') return 'delivered';
  return attempts[0]?.error_class === 'blocked_address' ? 'blocked_address' : 'dialled in vain';
}

const all = (urls: readonly string[], outcome: Outcome): Record<string, Outcome> =>
  Object.fromEntries(urls.map((url) => [url, outcome]));
const at = (host: string, dialled: number | string = SILENT_PORT): string => `http://${host}:${dialled}/hook`;

/** Ways to write 127.0.0.1, and others that lead to this machine. */
const loopbackForms = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '017700000001',
  '0177.0x0.1',
  '%31%32%37.0.0.1',
  '0.0.0.0',
  '0',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  'localhost',
  'LocalHost',
];

/** Link-local, and the metadata services of clouds. */
const neverReached: [string, string][] = [
  ['link-local', '169.254.1.1'],
  ['the metadata service of AWS, GCP and Azure', '169.254.169.254'],
  ['the same in decimal', '2852039166'],
  ['the same in hexadecimal', '0xa9fea9fe'],
  ['the same in octal', '0251.0376.0251.0376'],
  ['the task metadata service of AWS', '169.254.170.2'],
  ['the last link-local address', '169.254.255.255'],
  ['the metadata service of Alibaba', '100.100.100.200'],
  ['the older metadata service of Oracle', '192.0.0.192'],
  ['the platform address of Azure', '168.63.129.16'],
  ['IPv6 link-local', '[fe80::1]'],
  ['the last of IPv6 link-local', '[febf:ffff::1]'],
  ['the IPv6 metadata service of AWS', '[fd00:ec2::254]'],
  ['the IPv6 credentials service of AWS', '[fd00:ec2::23]'],
  ['the IPv6 metadata service of GCP', '[fd20:ce::254]'],
  ['the IPv6 metadata service of Oracle', '[fd00:c1::a9fe:a9fe]'],
  ['the IPv6 metadata service of Scaleway', '[fd00:42::42]'],
  ['the IPv6 metadata service of Alibaba', '[fd00:100::100:200]'],
  ['the IPv6 metadata service of Akamai', '[fd00:a9fe:a9fe::1]'],
  ['metadata as an IPv4-mapped address', '[::ffff:169.254.169.254]'],
  ['metadata as an IPv4-mapped address in hexadecimal', '[::ffff:a9fe:a9fe]'],
  ['metadata as an IPv4-compatible address', '[::169.254.169.254]'],
  ['metadata through NAT64', '[64:ff9b::169.254.169.254]'],
  ['metadata through a local NAT64 prefix', '[64:ff9b:1::169.254.169.254]'],
  ['metadata through a local NAT64 prefix of 48 bits', '[64:ff9b:1:a9fe:a9:fe00::]'],
  ['metadata through 6to4', '[2002:a9fe:a9fe::1]'],
];

/** Not on the public internet, by the registries of special-purpose addresses. */
const notPublic: [string, string][] = [
  ['this network', '0.1.2.3'],
  ['10/8', '10.1.2.3'],
  ['172.16/12 at its beginning', '172.16.0.1'],
  ['172.16/12 at its end', '172.31.255.255'],
  ['192.168/16', '192.168.1.1'],
  ['10/8 in decimal', '167838211'],
  ['shared address space', '100.64.0.1'],
  ['the end of shared address space', '100.127.255.255'],
  ['protocol assignments', '192.0.0.8'],
  ['TEST-NET-1', '192.0.2.1'],
  ['TEST-NET-2', '198.51.100.1'],
  ['TEST-NET-3', '203.0.113.1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarks', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['the unspecified IPv6 address', '[::]'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback at length', '[0:0:0:0:0:0:0:1]'],
  ['unique local', '[fd12:3456:789a::1]'],
  ['unique local at its beginning', '[fc00::1]'],
  ['site-local', '[fec0::1]'],
  ['IPv6 multicast', '[ff02::1]'],
  ['IPv6 documentation', '[2001:db8::1]'],
  ['newer IPv6 documentation', '[3fff::1]'],
  ['discard-only', '[100::1]'],
  ['Teredo', '[2001::1]'],
  ['IPv6 benchmarks', '[2001:2::1]'],
  ['ORCHID', '[2001:10::1]'],
  ['segment routing', '[5f00::1]'],
  ['10/8 as an IPv4-mapped address', '[::ffff:10.1.2.3]'],
  ['loopback as an IPv4-compatible address', '[::127.0.0.1]'],
  ['loopback as an IPv4-translated address', '[::ffff:0:127.0.0.1]'],
  ['10/8 through NAT64', '[64:ff9b::10.1.2.3]'],
  ['loopback through NAT64', '[64:ff9b::7f00:1]'],
  ['a local NAT64 prefix around loopback', '[64:ff9b:1::127.0.0.1]'],
  ['a local NAT64 prefix around a public address', '[64:ff9b:1::8.8.8.8]'],
  ['loopback through 6to4', '[2002:7f00:1::1]'],
  ['192.168/16 through 6to4', '[2002:c0a8:101::1]'],
];

describe('webhookTargets private', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await sandboxWith({});
  });

  it('reaches this machine, in whatever way its address is written', async () => {
    const urls = loopbackForms.map((host) => at(host, port));
    await expectOutcomes(sandbox, all(urls, 'delivered'));
    expect(connections).toBe(urls.length);
  });

  it('does not block private ranges, documentation ranges or the public internet', async () => {
    const hosts = ['10.255.255.254', '198.51.100.1', '203.0.113.1', '100.64.0.1', '[fd12:3456:789a::1]', '[2d00::1]'];
    const urls = hosts.map((host) => at(host));
    await expectOutcomes(sandbox, all(urls, 'dialled in vain'));
  });

  it.each(neverReached)('blocks %s', async (_, host) => {
    const urls = [at(host, 80), at(host), `https://${host}/latest/meta-data`];
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
  });
});

describe('webhookTargets public', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await sandboxWith({ webhookTargets: 'public' });
  });

  it('blocks this machine, in whatever way its address is written, and connects to nothing', async () => {
    const hosts = [...loopbackForms, '[::1]', '[::]', '127.255.255.254'];
    const urls = hosts.flatMap((host) => [at(host, port), `https://${host}:${port}/`]);
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
    expect(connections).toBe(0);
  });

  it.each([...neverReached, ...notPublic])('blocks %s', async (_, host) => {
    const urls = [at(host), `https://${host}/hook`];
    await expectOutcomes(sandbox, all(urls, 'blocked_address'));
  });

  it('does not block public addresses', async () => {
    // An anycast sink for stray packets, and space that nobody has been given.
    const urls = [at('192.31.196.1'), at('[2d00::1]'), at('[::ffff:192.31.196.1]')];
    await expectOutcomes(sandbox, all(urls, 'dialled in vain'));
  });

  it('says in the delivery which address was blocked, and that nothing was answered', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, at('localhost', port), 'call_busy');
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

  it('blocks it again when the delivery is sent again', async () => {
    const { client, world } = freshWorld(sandbox);
    await subscribe(client, at('127.0.0.1', port), 'call_busy');
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
    expect(connections).toBe(0);
  });
});

describe('webhookTargets with a list', () => {
  it('reaches the addresses of its CIDRs alone, by whatever name or form', async () => {
    const sandbox = await sandboxWith({ webhookTargets: '127.0.0.0/8, 198.51.100.0/24' });
    const open = [...['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost'].map((host) => at(host, port))];
    const closed = [at('10.1.2.3'), at('203.0.113.1'), at('[2d00::1]'), at('0.0.0.0', port), at('169.254.169.254')];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
      [at('198.51.100.77')]: 'dialled in vain',
    });
    expect(connections).toBe(open.length);
  });

  it('reaches the hosts that it names, under that name alone', async () => {
    const sandbox = await sandboxWith({ webhookTargets: 'LOCALHOST,hooks.example.test' });
    const open = [at('localhost', port), at('LocalHost', port)];
    const closed = [at('127.0.0.1', port), at('2130706433', port), at('[::1]', port)];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
    });
    expect(connections).toBe(open.length);
  });

  it('reaches one address where it names one address', async () => {
    const sandbox = await sandboxWith({ webhookTargets: '127.0.0.1' });
    const open = [at('127.0.0.1', port), at('0x7f.1', port)];
    const closed = [at('127.0.0.2', port), at('[::1]', port)];
    await expectOutcomes(sandbox, {
      ...all(open, 'delivered'),
      ...all(closed, 'blocked_address'),
    });
  });

  it.each([
    '',
    '10.0.0.0/33',
    'http://hooks.example.test',
    '10.0.0.1,,10.0.0.2',
    'a host',
    'hooks.example.test:80',
    'fd00::/129',
  ])('that is malformed (%j) stops the start with one line that says what is allowed', async (webhookTargets) => {
    const problem = await createSandbox({ webhookTargets }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(problem).toMatch(/^webhookTargets: .*must be private, public/);
    expect(problem).not.toContain('\n');
  });
});

describe("the sandbox's own address", () => {
  const ownPort = (sandbox: Sandbox): string => new URL(sandbox.url).port;

  it.each(['private', 'public', '127.0.0.0/8,localhost,::1', '0.0.0.0/0,::/0'])(
    'is blocked with webhookTargets %s, in whatever way it is written',
    async (webhookTargets) => {
      const sandbox = await sandboxWith({ webhookTargets });
      const own = Object.values(networkInterfaces())
        .flatMap((list) => list ?? [])
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address }) => address);
      const hosts = [...loopbackForms, ...own];
      const urls = hosts.map((host) => at(host, ownPort(sandbox)));
      await expectOutcomes(sandbox, all(urls, 'blocked_address'));
    },
  );

  it('is blocked for the platform, the control API and the pages alike, so that nothing of it is asked', async () => {
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
    const asked = await sandbox.requests();
    expect(asked.filter(({ path }) => path === '/v1/calls/dial')).toEqual([]);
  });

  it('is not the address of another sandbox on this machine', async () => {
    const [one, other] = [await sandboxWith({}), await sandboxWith({})];
    const { client, world } = freshWorld(one);
    await subscribe(client, `${other.url}/_sandbox/health`, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ attempts }] = await deliveriesOf(client);
    expect(attempts[0]).toMatchObject({ error_class: 'http_status', response: { status: 405 } });
  });
});
