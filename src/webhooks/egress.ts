// Which addresses webhooks can reach. The URL is checked when it is subscribed; the address is checked when connecting,
// after DNS, so that neither unusual encodings of an address nor DNS rebinding can bypass the check.
import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** `--webhook-targets`: `private`, `public`, or hosts and CIDRs. */
export type WebhookTargets = 'private' | 'public' | { readonly hosts: readonly string[]; readonly ranges: Range[] };
/** `--webhook-http`: where plain HTTP is allowed. */
export type WebhookHttp = 'private' | 'never' | 'any';

const range = (cidr: string): Range => ipaddr.parseCIDR(cidr);

/** Never reached: link-local addresses, and cloud metadata services at other addresses. */
const linkLocalAndMetadata = [
  ...['169.254.0.0/16', 'fe80::/10', '100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'],
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128', 'fd00:100::100:200/128'],
  'fd00:a9fe:a9fe::1/128',
].map(range);

/** Not on the public internet, according to the special-purpose address registries. */
const notPublic = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/128', '::1/128', 'fe80::/10', 'fec0::/10', 'fc00::/7', 'ff00::/8'],
  ...['2001:db8::/32', '3fff::/20', '100::/64', '2001::/32', '2001:2::/48', '2001:10::/28', '2001:20::/28'],
  ...['2002::/16', '5f00::/16', '64:ff9b::/96', '64:ff9b:1::/48', '::ffff:0:0:0/96'],
]
  .map(range)
  .concat(linkLocalAndMetadata);

/** Where plain HTTP stays on this machine or in its network. */
const privateRanges = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7'].map(
  range,
);

const within = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));

/** Whether an address, or the one that it may be translated to, is in these ranges. */
const reaches = (address: Address, ranges: readonly Range[]): boolean =>
  within(address, ranges) || within(unwrapLocalNat64(address), ranges);

/** Unwraps the local NAT64 prefix of 48 bits, with the IPv4 address around the reserved octet (RFC 6052). */
function unwrapLocalNat64(address: Address): Address {
  if (address.kind() === 'ipv4' || !within(address, [range('64:ff9b:1::/48')])) return address;
  const bytes = address.toByteArray();
  const around = [...bytes.slice(6, 8), ...bytes.slice(9, 11)];
  const atEnd = bytes.slice(12);
  return ipaddr.fromByteArray(around.some((byte) => byte !== 0) ? around : atEnd);
}

/** Parses an address; IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4) is unwrapped. */
function targetOf(text: string): Address {
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

/** Parses `--webhook-targets`; undefined if a part is neither a host nor a CIDR. */
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

/** Why a webhook URL is refused, as one sentence; undefined for a valid one. */
export function urlProblem(text: string, http: WebhookHttp): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the check looks for.
  if (/[\u0000-\u0020\u007f]/.test(text)) return 'must not contain spaces or control characters';
  if (!URL.canParse(text)) return 'must be an absolute HTTPS URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `must be an HTTPS URL, not ${url.protocol}`;
  // The parser accepts `https:host`, but other clients do not.
  if (!/^https?:\/\/[^/\\]/i.test(text)) return 'must be an absolute HTTPS URL, with // before the host';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (url.protocol === 'https:' || http === 'any') return undefined;
  if (http === 'never') return 'must be an HTTPS URL; plain HTTP is disabled (--webhook-http never)';
  if (isPrivateHost(hostOf(url))) return undefined;
  return 'must be an HTTPS URL; plain HTTP is allowed only to this machine and private networks (--webhook-http)';
}

/** The host of a URL, without the brackets of an IPv6 literal and without a trailing dot. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isPrivateHost(host: string): boolean {
  if (isIP(host)) return within(targetOf(host), privateRanges) || host === '0.0.0.0';
  return !host.includes('.') || /\.(internal|local|localhost)$/.test(host);
}

/** The refusal of a connection. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';
}

export class Egress {
  readonly #targets: WebhookTargets;
  /** The server's own port; webhooks to the server itself are always blocked. */
  ownPort = 0;

  constructor(targets: WebhookTargets) {
    this.#targets = targets;
  }

  /** Why an address cannot be reached for a host and port; undefined if it can. */
  refusalOf(host: string, address: string, port: number): BlockedAddress | undefined {
    const target = targetOf(address);
    if (port === this.ownPort && isThisMachine(target)) {
      return new BlockedAddress(`${address}:${port} is the sandbox's own address`);
    }
    if (this.#allows(host, target)) return undefined;
    return new BlockedAddress(`${address} is not an allowed target (--webhook-targets ${this.#name()})`);
  }

  /** A `dns.lookup` that returns only addresses that can be reached. */
  lookupFor(port: number): LookupFunction {
    return (host, options, callback) => {
      dnsLookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, '');
        const refusals = addresses.map(({ address }) => this.refusalOf(host, address, port));
        const allowed = addresses.filter((_, index) => !refusals[index]);
        const [first] = allowed;
        if (!first) return callback(refusals.at(-1) ?? new BlockedAddress(`${host} has no address`), '');
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
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
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === text));
}
