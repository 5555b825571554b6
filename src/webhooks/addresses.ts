// IP addresses for the egress check: ranges of addresses, and the IPv4 addresses that gateways and tunnels may turn an
// IPv6 address into. Parsing and matching are the library's.
import { isIP } from 'node:net';
// The types by name: the package's declarations have them, and a project without esModuleInterop has no default import.
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

type IpAddress = IPv4 | IPv6;
export type Range = readonly [network: IpAddress, bits: number];

/** An address with the IPv4 addresses inside it: a connection to it may end at any of them. */
export interface Address {
  readonly own: IpAddress;
  readonly embedded: readonly IpAddress[];
  /** Whether its prefix says that it leads there. Any network can have an ISATAP address, which says nothing of it. */
  readonly isTranslated: boolean;
}

/** Reads a CIDR or a single address; undefined for other text, such as `10/8`, which not all readers take for 10.0.0.0/8. */
export function readRange(text: string): Range | undefined {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (isIP(cidr.split('/', 1).join()) === 0 || !ipaddr.isValidCIDR(cidr)) return undefined;
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const isMapped = network.range() === 'ipv4Mapped' && bits >= 96;
  return isMapped ? [ipaddr.process(network.toString()), bits - 96] : [network, bits];
}

export const rangesOf = (...cidrs: readonly string[]): Range[] => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

/** Where the IPv4 address is in the 16 bytes of an IPv6 address with this prefix. */
interface Embedding {
  readonly prefix: Range;
  readonly at: readonly (readonly number[])[];
}

const atEnd = [12, 13, 14, 15];
const embedding = (cidr: string, ...at: readonly number[][]): Embedding => ({ prefix: ipaddr.parseCIDR(cidr), at });

/** IPv4-mapped addresses are not here: the operating system connects to the IPv4 address itself. */
const embeddings: readonly Embedding[] = [
  embedding('::/96', atEnd), // IPv4-compatible (RFC 4291)
  embedding('::ffff:0:0:0/96', atEnd), // IPv4-translated, SIIT (RFC 2765)
  embedding('64:ff9b::/96', atEnd), // NAT64 (RFC 6052)
  // A local NAT64 prefix has 48, 56, 64 or 96 bits; octet 8 is reserved (RFC 8215, RFC 6052).
  embedding('64:ff9b:1::/48', [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], atEnd),
  embedding('2002::/16', [2, 3, 4, 5]), // 6to4 (RFC 3056)
];
const teredo = embedding('2001::/32', [4, 5, 6, 7], atEnd); // RFC 4380: the server, and the client with its bits inverted

/** Reads an address, with or without a zone. Throws for other text. */
export function readAddress(text: string): Address {
  const own = ipaddr.process(text.replace(/%.*$/, ''));
  const isPlain = own.kind() === 'ipv4' || own.range() === 'unspecified' || own.range() === 'loopback';
  return { own, ...(isPlain ? { embedded: [], isTranslated: false } : insideOf(own)) };
}

function insideOf(address: IpAddress): Omit<Address, 'own'> {
  const bytes = address.toByteArray();
  const read = (places: readonly number[], mask = 0): IpAddress =>
    ipaddr.fromByteArray(places.map((place) => (bytes[place] ?? 0) ^ mask));
  const embedded = embeddings
    .filter(({ prefix }) => isIn(address, prefix))
    .flatMap(({ at }) => at.map((places) => read(places)));
  if (isIn(address, teredo.prefix))
    embedded.push(...teredo.at.map((places, index) => read(places, index === 0 ? 0 : 0xff)));
  // ISATAP (RFC 5214): any prefix, then 0000:5efe or 0200:5efe.
  const [universal = 0, group, ...organization] = bytes.slice(8, 12);
  const isIsatap = (universal & 0xfd) === 0 && group === 0 && organization.join() === '94,254';
  return { embedded: isIsatap ? [...embedded, read(atEnd)] : embedded, isTranslated: embedded.length > 0 };
}

const isIn = (address: IpAddress, [network, bits]: Range): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

const isInAny = (address: IpAddress, ranges: readonly Range[]): boolean => ranges.some((range) => isIn(address, range));

/** Whether a connection to an address stays in these ranges, wherever it ends. */
export const staysIn = ({ own, embedded, isTranslated }: Address, ranges: readonly Range[]): boolean =>
  isInAny(own, ranges) || (isTranslated && embedded.every((each) => isInAny(each, ranges)));

/** Whether a connection to an address may end in these ranges, and not in one of the exceptions. */
export const mayReach = (
  { own, embedded }: Address,
  ranges: readonly Range[],
  exceptions: readonly Range[] = [],
): boolean => [own, ...embedded].some((each) => isInAny(each, ranges) && !isInAny(each, exceptions));

/** Whether an address itself is in these ranges. */
export const isWithin = ({ own }: Address, ranges: readonly Range[]): boolean => isInAny(own, ranges);

/** Whether a range is one of these, or a part of one. */
export const isPartOfAny = ([network, bits]: Range, ranges: readonly Range[]): boolean =>
  ranges.some((whole) => bits >= whole[1] && isIn(network, whole));

/** The address and those inside it, as text. */
export const textsOf = ({ own, embedded }: Address): string[] => [own, ...embedded].map((each) => each.toString());

const thisMachine = rangesOf('127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128');
export const isLoopback = (address: Address): boolean => mayReach(address, thisMachine);
