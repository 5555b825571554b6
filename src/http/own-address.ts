// The address by which a client reaches this server, the start of every URL in its answers: `--public-url`, else what a
// trusted proxy reports, else the request's Host. `interface.md` section 10.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type PublicUrl, prefixOf, withoutPrefix } from '../public-url.ts';
import { isWithin, type Range, rangesOf, readAddress, readRange } from '../webhooks/addresses.ts';
import { forwardedBy, hostForm } from './forwarded.ts';

/** `--trust-proxy`: the peers whose forwarded headers are believed. */
export type TrustedPeers = readonly Range[];

export const trustedPeersForm = 'off, or loopback, linklocal, uniquelocal, addresses and CIDRs separated by commas';

/** The words of Express's `trust proxy`. */
const rangesByWord = new Map<string, TrustedPeers>([
  ['off', []],
  ['loopback', rangesOf('127.0.0.0/8', '::1/128')],
  ['linklocal', rangesOf('169.254.0.0/16', 'fe80::/10')],
  ['uniquelocal', rangesOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7')],
]);
export const trustedPeersWords = [...rangesByWord.keys()];

/** Parses the setting; undefined if a part is neither a word nor a CIDR, or `off` is not alone. */
export function readTrustedPeers(text: string): TrustedPeers | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > 1 && parts.includes('off')) return undefined;
  const ranges: Range[] = [];
  for (const part of parts) {
    const range = readRange(part);
    const found = rangesByWord.get(part) ?? (range && [range]);
    if (!found) return undefined;
    ranges.push(...found);
  }
  return ranges;
}

/** The addresses of requests that did not come to their Host. */
const addresses = new WeakMap<IncomingMessage, string>();

/** Where the client reached this server, such as `http://127.0.0.1:4747` or `https://sandbox.example.com/voice`. */
export const addressOf = (req: IncomingMessage): string => addresses.get(req) ?? hostAddress(req);

/** `http://host:port`, from the Host header; from the socket if that is not a valid host name or address. */
function hostAddress({ headers: { host }, socket }: IncomingMessage): string {
  return host !== undefined && hostForm.test(host) ? `http://${host}` : socketAddress(socket);
}

const socketAddress = ({ localPort }: Socket): string => `http://127.0.0.1:${localPort}`;

export interface OwnAddresses {
  /** Finds out the address of a request, before anything else reads the request, and takes the prefix off its path. */
  note(req: IncomingMessage): void;
  /** The address as far as a connection knows, on which no request was read. */
  ofConnection(socket: Socket): string;
}

export function createOwnAddresses(publicUrl: PublicUrl | null, trusted: TrustedPeers): OwnAddresses {
  if (publicUrl === null) return { note: (req) => noteForwarded(req, trusted), ofConnection: socketAddress };
  const prefix = prefixOf(publicUrl);
  return {
    note(req) {
      addresses.set(req, publicUrl);
      req.url = withoutPrefix(req.url ?? '/', prefix);
    },
    ofConnection: () => publicUrl,
  };
}

/** A proxy that tells its prefix has taken it off the path. */
function noteForwarded(req: IncomingMessage, trusted: TrustedPeers): void {
  const forwarded = forwardedBy(req.headers);
  if (!forwarded) return;
  const { remoteAddress } = req.socket;
  if (remoteAddress === undefined || !isWithin(readAddress(remoteAddress), trusted)) return;
  const { scheme = 'http', host = hostAddress(req).slice('http://'.length), prefix } = forwarded;
  addresses.set(req, `${scheme}://${host}${prefix}`);
}
