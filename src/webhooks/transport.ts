// How a POST reaches a receiver; implemented with a new connection for each POST, and with kept connections.
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setHeader } from '../header-fields.ts';
import { BlockedAddress, type Egress } from './egress.ts';
import type { Limits } from './failures.ts';

/** A receiver's response, with the beginning of its body. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Whether it was longer than what is read, and the connection was closed. */
  readonly isTooLarge: boolean;
}

export interface Post {
  readonly response: Promise<ReceiverResponse>;
  /** Ends it early; the response rejects with the reason. */
  abort(reason: Error): void;
}

/** Finds the addresses of a name. */
export type FindName = (host: string) => Promise<readonly LookupAddress[]>;

export interface Transport {
  post(url: URL, headers: Record<string, string>, body: string, limits: Limits): Post;
  close(): Promise<void>;
}

/** The most of a response's headers that is accepted. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** How much of a response's body is read before the connection is closed, and how much of it is kept. */
export const MAX_BODY_BYTES = 1024 * 1024;
const KEEP_BYTES = 4 * 1024;

/** Reads a body, of which it holds no more than is kept. */
export class BodyReader {
  readonly #kept: Buffer[] = [];
  #bytes = 0;

  /** Whether there may be more: false once the body is too large. */
  add(chunk: Buffer): boolean {
    // A copy, since a chunk can be a part of a larger buffer.
    if (this.#bytes < KEEP_BYTES) this.#kept.push(Buffer.from(chunk.subarray(0, KEEP_BYTES - this.#bytes)));
    this.#bytes += chunk.length;
    return !this.isTooLarge;
  }

  get isTooLarge(): boolean {
    return this.#bytes > MAX_BODY_BYTES;
  }

  /** The part of the body that is kept. */
  get text(): string {
    return this.#kept.length === 0 ? '' : Buffer.concat(this.#kept).toString('utf8');
  }
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Headers with one value each. */
export function joinedHeaders(headers: ResponseHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    setHeader(joined, name, typeof value === 'string' ? value : (value ?? []).join(', '));
  }
  return joined;
}

export interface Target {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** Why this address may not be reached; a name is checked when it has been looked up. */
  readonly refusal: BlockedAddress | undefined;
}

/** A `dns.lookup` that finds only addresses that may be reached. */
export function lookupFor(port: number, egress: Egress, find: FindName, isInbox = false): LookupFunction {
  return (host, options, callback) => {
    const use = (addresses: readonly LookupAddress[]): void => {
      const refusals = addresses.map(({ address }) => egress.refusalOf(host, address, port, isInbox));
      const allowed = addresses.filter((_, index) => !refusals[index]);
      const [first] = allowed;
      if (!first) return callback(refusals.at(-1) ?? new BlockedAddress(`${host} has no address`), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    };
    find(host).then(use, (error) => callback(error, ''));
  };
}

/** Where to connect to. Literal addresses are checked here, since they are never looked up. */
export function targetOf(url: Pick<URL, 'protocol' | 'hostname' | 'port'>, egress: Egress, isInbox: boolean): Target {
  const host = bareHost(url);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return { host, port, refusal: isIP(host) ? egress.refusalOf(host, host, port, isInbox) : undefined };
}

/** The host of a URL, without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '');
