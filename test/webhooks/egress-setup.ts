// Helpers of the egress tests: a counting server on loopback, tables of addresses, and the outcomes of deliveries.
// Every URL is subscribed with webhookHttp any, so only its address decides.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';

/** Nothing listens on the discard port; an attempt to connect to it is aborted when the sandbox closes. */
const SILENT_PORT = 9;

export interface Egress {
  /** A server on this machine that responds to everything. */
  readonly target: {
    readonly port: number;
    /** The connections of the current test, with or without a request. */
    readonly connections: number;
  };
  /** Starts a sandbox, which is closed after the tests of the file. */
  readonly sandboxWith: (options: SandboxOptions) => Promise<Sandbox>;
}

/** Called once, at the top of a test file. */
export function useEgress(): Egress {
  const target = { port: 0, connections: 0 };
  const listeners: Server[] = [];
  const sandboxes: Sandbox[] = [];

  beforeAll(async () => {
    const listen = (host: string, at: number): Promise<Server | null> =>
      new Promise((resolve) => {
        const server = createServer((socket) => {
          target.connections += 1;
          socket.on('error', () => {});
          socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
        });
        server.once('error', () => resolve(null));
        server.listen(at, host, () => resolve(server));
      });
    const first = (await listen('127.0.0.1', 0)) as Server;
    target.port = (first.address() as { port: number }).port;
    listeners.push(first);
    // A machine without IPv6 needs no such listener.
    const second = await listen('::1', target.port);
    if (second) listeners.push(second);
  });
  beforeEach(() => {
    target.connections = 0;
  });
  afterAll(async () => {
    await Promise.all(sandboxes.map((each) => each.close()));
    for (const each of listeners) each.close();
  });

  return {
    target,
    async sandboxWith(options) {
      const sandbox = await createSandbox({ clock: 'manual', webhookHttp: 'any', rateLimit: false, ...options });
      sandboxes.push(sandbox);
      return sandbox;
    },
  };
}

/** `not blocked`: the sandbox tried to connect, without a response. */
export type Outcome = 'delivered' | 'blocked_address' | 'not blocked';

/**
 * Sends one event to each of these URLs and expects its outcome. A delivery that is still open after a while was not
 * blocked; a response, or the lookup of a name, may take longer.
 */
export async function expectOutcomes(sandbox: Sandbox, expected: Readonly<Record<string, Outcome>>): Promise<void> {
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
  return attempts[0]?.error_class === 'blocked_address' ? 'blocked_address' : 'not blocked';
}

export const all = (urls: readonly string[], outcome: Outcome): Record<string, Outcome> =>
  Object.fromEntries(urls.map((url) => [url, outcome]));
export const at = (host: string, port: number | string = SILENT_PORT): string => `http://${host}:${port}/hook`;

/** Notations of 127.0.0.1, and other names of this machine. */
export const loopbackForms = [
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

/** Link-local addresses and the metadata services of clouds, which are always blocked. */
export const neverReached: [string, string][] = [
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
  ['the last IPv6 link-local address', '[febf:ffff::1]'],
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
  ['metadata as an IPv4-translated address', '[::ffff:0:a9fe:a9fe]'],
  ['metadata through Teredo', '[2001:0:808:808:0:0:5601:5601]'],
  ['metadata through ISATAP', '[2001:470::5efe:a9fe:a9fe]'],
  ['the metadata service of Volcengine', '100.96.0.96'],
  ['the metadata service of UCloud', '100.80.80.80'],
];

/** Addresses that are not public according to the registries of special-purpose addresses. */
export const notPublic: [string, string][] = [
  ['this network', '0.1.2.3'],
  ['10/8', '10.1.2.3'],
  ['the first address of 172.16/12', '172.16.0.1'],
  ['the last address of 172.16/12', '172.31.255.255'],
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
  ['IPv6 loopback in full', '[0:0:0:0:0:0:0:1]'],
  ['unique local', '[fd12:3456:789a::1]'],
  ['the first unique local address', '[fc00::1]'],
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
  ['a public address through 6to4', '[2002:808:808::1]'],
  ['10/8 through ISATAP', '[2600::200:5efe:10.1.2.3]'],
  ['unallocated IPv6', '[4000::1]'],
];
