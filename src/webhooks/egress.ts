// Which addresses webhooks can reach. The URL is checked when it is subscribed; the address is checked when connecting,
// after DNS, so that neither unusual encodings of an address nor DNS rebinding can bypass the check.
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isOneErrorFrom } from '../errors/did-you-mean.ts';
import { hostOf, isPrivateName } from '../host-names.ts';
import { parseUrl } from '../parse-url.ts';
import { type PublicUrl, prefixOf, withoutPrefix } from '../public-url.ts';
import {
  type Address,
  isLoopback,
  isPartOfAny,
  isWithin,
  mayReach,
  type Range,
  rangesOf,
  readAddress,
  readRange,
  staysIn,
  textsOf,
} from './addresses.ts';
import { OWN_ADDRESS } from './failures.ts';
import { isInboxPath } from './inbox-path.ts';

/** `--webhook-targets`: `private`, `public`, or hosts and CIDRs. */
export type WebhookTargets = 'private' | 'public' | { readonly hosts: readonly string[]; readonly ranges: Range[] };
/** `--webhook-http`: where plain HTTP is allowed. */
export type WebhookHttp = 'private' | 'never' | 'any';

/** Link-local addresses, and cloud metadata services at other addresses: never reached unless a list names them. */
const linkLocalAndMetadata = rangesOf(
  ...['169.254.0.0/16', 'fe80::/10'],
  // Alibaba, Volcengine, UCloud, Oracle, Azure.
  ...['100.100.100.200/32', '100.96.0.96/32', '100.80.80.80/32', '192.0.0.192/32', '168.63.129.16/32'],
  // AWS, Google, Oracle, Scaleway, Alibaba, Akamai.
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128', 'fd00:100::100:200/128'],
  'fd00:a9fe:a9fe::1/128',
);

/** Where public addresses are: IPv4, IPv6 global unicast, and NAT64, which leads to IPv4. */
const unicast = rangesOf('0.0.0.0/0', '2000::/3', '64:ff9b::/96');
/** What is not public in there, according to the registries of special-purpose addresses. */
const notPublic = rangesOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
).concat(linkLocalAndMetadata);

/** Where plain HTTP stays on this machine or in its network. */
const privateRanges = rangesOf('127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7');

/** A name. The last label of one is never a number: URLs read such a host as an IPv4 address. */
const hostForm = /^(?!(?:.*\.)?(?:\d+|0x[\da-f]*)$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** The values of `--webhook-targets` that stand alone. */
export const targetWords = ['private', 'public'] as const;

/**
 * Parses `--webhook-targets`; undefined if a part is neither a host nor a CIDR. A misspelt word would be a host, and every
 * webhook would be blocked, so it is refused; a host with such a name can be given as an address.
 */
export function readTargets(text: string): WebhookTargets | undefined {
  const word = targetWords.find((each) => each === text);
  if (word) return word;
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  const hosts: string[] = [];
  const ranges: Range[] = [];
  for (const part of parts) {
    const range = readRange(part);
    if (range) ranges.push(range);
    else if (targetWords.some((each) => isOneErrorFrom(each, part))) return undefined;
    else if (hostForm.test(part)) hosts.push(part);
    else return undefined;
  }
  return { hosts, ranges };
}

/** Why a webhook URL is refused, as one sentence; undefined for a valid one. */
export function urlProblem(text: string, http: WebhookHttp): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the check looks for.
  if (/[\u0000-\u0020\u007f]/.test(text)) return 'must not contain spaces or control characters';
  const url = parseUrl(text);
  if (!url) return 'must be an absolute URL with https, or with http where --webhook-http allows it';
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

function isPrivateHost(host: string): boolean {
  if (isIP(host)) return staysIn(readAddress(host), privateRanges) || host === '0.0.0.0';
  return isPrivateName(host);
}

/** Completes "this address …"; undefined if it may be reached. The host is the name by which it was found. */
function refusalReason(targets: WebhookTargets, host: string, address: Address): string | undefined {
  if (targets === 'private') {
    return mayReach(address, linkLocalAndMetadata) ? 'is a link-local or cloud metadata address' : undefined;
  }
  if (targets === 'public') {
    const isPublic = isWithin(address, unicast) && !mayReach(address, notPublic);
    return isPublic ? undefined : 'is not a public address (--webhook-targets public)';
  }
  const { hosts, ranges } = targets;
  if (!hosts.includes(host.toLowerCase().replace(/\.$/, '')) && !staysIn(address, ranges)) {
    return 'is not an allowed target (--webhook-targets list)';
  }
  // Neither a host nor a wide range such as 0.0.0.0/0 opens these.
  const named = ranges.filter((range) => isPartOfAny(range, linkLocalAndMetadata));
  if (!mayReach(address, linkLocalAndMetadata, named)) return undefined;
  return 'is a link-local or cloud metadata address, which only a range of its own in --webhook-targets allows';
}

/** The refusal of a connection. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';
}

export class Egress {
  readonly #targets: WebhookTargets;
  /** The server's own port; webhooks to the server itself are always blocked, but for its inboxes. */
  ownPort = 0;

  readonly #publicHost: string | null;
  readonly #prefix: string;

  constructor(targets: WebhookTargets, publicUrl: PublicUrl | null = null) {
    this.#targets = targets;
    this.#publicHost = publicUrl && withoutDot(new URL(publicUrl).host);
    this.#prefix = publicUrl === null ? '' : prefixOf(publicUrl);
  }

  /** Whether a path of this server leads to an inbox. */
  isInbox(path: string): boolean {
    return isInboxPath(withoutPrefix(path, this.#prefix));
  }

  /** Why nothing is sent to a URL, whatever its address: it leads to this server through a proxy, and to no inbox. */
  refusalOfUrl({ host, pathname }: URL): BlockedAddress | undefined {
    if (withoutDot(host) !== this.#publicHost || this.isInbox(pathname)) return undefined;
    const isOwn = pathname === this.#prefix || pathname.startsWith(`${this.#prefix}/`);
    return isOwn ? new BlockedAddress(`${host}${this.#prefix} ${OWN_ADDRESS}`) : undefined;
  }

  /** Why an address cannot be reached for a host and port; undefined if it can. `isInbox`: whether it is to reach an inbox. */
  refusalOf(host: string, address: string, port: number, isInbox = false): BlockedAddress | undefined {
    const target = readAddress(address);
    if (port === this.ownPort && isThisMachine(target)) {
      return isInbox ? undefined : new BlockedAddress(`${address}:${port} ${OWN_ADDRESS}`);
    }
    const reason = refusalReason(this.#targets, host, target);
    return reason === undefined ? undefined : new BlockedAddress(`${address} ${reason}`);
  }
}

/** A host and its port, without the dot that a full name may end with. */
const withoutDot = (host: string): string => host.replace(/\.(?=:|$)/, '');

function isThisMachine(address: Address): boolean {
  if (isLoopback(address)) return true;
  const texts = textsOf(address);
  try {
    return Object.values(networkInterfaces()).some((list) => list?.some((own) => texts.includes(own.address)));
  } catch {
    // The system asks for a descriptor to list them. Without one, this counts as the sandbox's own address.
    return true;
  }
}
