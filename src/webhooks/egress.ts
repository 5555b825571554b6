// Which addresses a webhook may reach. A URL is read when it is subscribed; the address is checked where it is dialled,
// after DNS, so that neither an encoding of an address nor a name that changes its mind gets past.
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** `--webhook-targets`: `private`, `public`, or hosts and CIDRs. */
export type WebhookTargets = 'private' | 'public' | { readonly hosts: readonly string[]; readonly ranges: Range[] };
/** `--webhook-http`: where plain HTTP is allowed. */
export type WebhookHttp = 'private' | 'never' | 'any';

const range = (cidr: string): Range => ipaddr.parseCIDR(cidr);

/** Never reached: link-local, and the metadata services of clouds that live elsewhere. */
const linkLocalAndMetadata = [
  ...['169.254.0.0/16', 'fe80::/10', '100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'],
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128', 'fd00:100::100:200/128'],
  'fd00:a9fe:a9fe::1/128',
].map(range);

/** Not on the public internet, by the special-purpose registries. */
const notPublic = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/128', '::1/128', 'fe80::/10', 'fec0::/10', 'fc00::/7', 'ff00::/8'],
  ...['2001:db8::/32', '3fff::/20', '100::/64', '2001::/32', '2001:2::/48', '2001:10::/28', '2001:20::/28'],
  ...['2002::/16', '5f00::/16', '64:ff9b::/96', '64:ff9b:1::/48', '::ffff:0:0:0/96'],
]
  .map(range)
  .concat(linkLocalAndMetadata);

/** Where plain HTTP stays on the machine or in its network. */
const privateRanges = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7'].map(
  range,
);

const within = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));

/** Whether one of the addresses that this one may stand for is in those ranges. */
const reaches = (address: Address, ranges: readonly Range[]): boolean =>
  within(address, ranges) || within(meantByLocalNat64(address), ranges);

/** A local NAT64 prefix of 48 bits: the IPv4 address around the reserved octet (RFC 6052). */
function meantByLocalNat64(address: Address): Address {
  if (address.kind() === 'ipv4' || !within(address, [range('64:ff9b:1::/48')])) return address;
  const bytes = address.toByteArray();
  const around = [bytes[6], bytes[7], bytes[9], bytes[10]] as number[];
  const atEnd = bytes.slice(12);
  return ipaddr.fromByteArray(around.some((byte) => byte !== 0) ? around : atEnd);
}

/** The address that is meant: IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) is unwrapped. */
function meant(text: string): Address {
  const address = ipaddr.parse(text.replace(/%.*$/, ''));
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  const prefix = (cidr: string): boolean => within(address, [range(cidr)]);
  const embedded = (at: number): Address => ipaddr.fromByteArray(bytes.slice(at, at + 4));
  if (prefix('::ffff:0:0/96') || prefix('64:ff9b::/96')) return embedded(12);
  if (prefix('2002::/16')) return embedded(2);
  if (prefix('::/96') && !prefix('::/127')) return embedded(12);
  return address;
}

/** Reads `--webhook-targets`; undefined where a part is neither a host nor a CIDR. */
export function readTargets(text: string): WebhookTargets | undefined {
  if (text === 'private' || text === 'public') return text;
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  const hosts: string[] = [];
  const ranges: Range[] = [];
  for (const part of parts) {
    if (ipaddr.isValidCIDR(part)) ranges.push(range(part));
    else if (isIP(part)) ranges.push([ipaddr.parse(part), part.includes(':') ? 128 : 32]);
    else if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(part)) hosts.push(part);
    else return undefined;
  }
  return { hosts, ranges };
}

/** What is wrong with a webhook URL, as one sentence; undefined where it may be subscribed. */
export function urlProblem(text: string, http: WebhookHttp): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0020\u007f]/.test(text)) return 'must not contain spaces or control characters';
  if (!URL.canParse(text)) return 'must be an absolute HTTPS URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `must be an HTTPS URL, not ${url.protocol}`;
  // The parser would make do with `https:host`, and another client of the same text would not.
  if (!/^https?:\/\/[^/\\]/i.test(text)) return 'must be an absolute HTTPS URL, with // before the host';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (text.includes('#')) return 'must not carry a fragment';
  if (url.protocol === 'https:' || http === 'any') return undefined;
  if (http === 'never') return 'must be an HTTPS URL (plain HTTP is off: --webhook-http never)';
  if (isPrivateHost(hostOf(url))) return undefined;
  return 'must be an HTTPS URL; plain HTTP is allowed to this machine and private networks only (--webhook-http)';
}

/** The host of a URL without the brackets of an IPv6 literal and without a final dot. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isPrivateHost(host: string): boolean {
  if (isIP(host)) return within(meant(host), privateRanges) || host === '0.0.0.0';
  return !host.includes('.') || /\.(internal|local|localhost)$/.test(host);
}

/** A connection that the policy refuses. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';
}

export class Egress {
  readonly #targets: WebhookTargets;
  /** The server's own port; its address may be reached at the inbox only. */
  ownPort = 0;

  constructor(targets: WebhookTargets) {
    this.#targets = targets;
  }

  /** Throws BlockedAddress where this address may not be dialled for that host and port. */
  check(host: string, address: string, port: number): void {
    const target = meant(address);
    if (port === this.ownPort && isThisMachine(target)) {
      throw new BlockedAddress(`${address}:${port} is the sandbox's own address`);
    }
    if (!this.#allows(host, target)) {
      throw new BlockedAddress(`${address} may not be reached (--webhook-targets ${this.#name()})`);
    }
  }

  /** A `dns.lookup` that hands on only addresses that may be dialled. */
  lookupFor(port: number): typeof dnsLookup {
    const guarded = (
      host: string,
      options: LookupOptions,
      callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
    ): void => {
      dnsLookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, '');
        let refused: Error | undefined;
        const open = addresses.filter(({ address }) => {
          try {
            this.check(host, address, port);
            return true;
          } catch (problem) {
            refused = problem as Error;
            return false;
          }
        });
        const [first] = open;
        if (!first) return callback(refused ?? new BlockedAddress(`${host} has no address`), '');
        if (options.all) callback(null, open);
        else callback(null, first.address, first.family);
      });
    };
    return guarded as unknown as typeof dnsLookup;
  }

  #allows(host: string, address: Address): boolean {
    const targets = this.#targets;
    if (targets === 'private') return !reaches(address, linkLocalAndMetadata);
    if (targets === 'public') return !reaches(address, notPublic);
    return targets.hosts.includes(host.toLowerCase()) || within(address, targets.ranges);
  }

  #name(): string {
    return typeof this.#targets === 'string' ? this.#targets : 'list';
  }
}

function isThisMachine(address: Address): boolean {
  if (address.range() === 'loopback' || address.range() === 'unspecified') return true;
  const text = address.toString();
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === text));
}
