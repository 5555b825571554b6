// The addresses of stores in Redis: a server that stands alone, a primary that Sentinels watch, or the nodes of a cluster.
import { parseUrl } from '../../parse-url.ts';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

interface Login {
  /** Null for none, as below. */
  readonly username: string | null;
  readonly password: string | null;
  readonly isEncrypted: boolean;
}

export type RedisAddress =
  /** A `redis://` address, or the path of a socket, as the client library reads it. */
  | { readonly kind: 'server'; readonly address: string }
  | (Login & {
      readonly kind: 'sentinel';
      readonly sentinels: readonly HostAndPort[];
      /** By which the Sentinels know the primary. */
      readonly name: string;
      readonly database: number;
      readonly sentinelPassword: string | null;
    })
  | (Login & { readonly kind: 'cluster'; readonly nodes: readonly HostAndPort[] });

export const redisAddressForm =
  'redis://host:port/database, redis+sentinel://host:port,host:port/name/database or redis+cluster://host:port,host:port, ' +
  'with user:password@ before the hosts, and with rediss for TLS';

const SENTINEL_PORT = 26_379;
const PORT = 6379;

const several =
  /^redis(s?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\/(\d{1,4}))?(?:\?(.*))?$/;

/** Reads an address; undefined for one of another form. */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const found = several.exec(text);
  if (!found) return /^rediss?:\/\//.test(text) && isServer(text) ? { kind: 'server', address: text } : undefined;
  const [, encrypted, kind, login = '', hosts = '', path = '', database, query = ''] = found;
  const by = loginOf(login, encrypted === 's');
  const places = placesOf(hosts, kind === 'sentinel' ? SENTINEL_PORT : PORT);
  const name = decoded(path);
  const sentinelPassword = passwordIn(query);
  if (!by || !places || name === undefined || sentinelPassword === undefined) return undefined;
  if (kind === 'cluster') return path + query === '' && !database ? { kind, nodes: places, ...by } : undefined;
  if (name === '') return undefined;
  return { kind: 'sentinel', sentinels: places, name, database: Number(database ?? 0), sentinelPassword, ...by };
}

/** The number of the database that an address names; 0 without one, and in a cluster, which has no other. */
export function databaseIn(text: string): number {
  const address = readRedisAddress(text);
  if (address?.kind === 'sentinel') return address.database;
  return address?.kind === 'server' ? Number(parseUrl(text)?.pathname.slice(1) ?? 0) : 0;
}

function isServer(text: string): boolean {
  const url = parseUrl(text);
  if (!url || url.hostname === '' || decoded(url.username) === undefined || decoded(url.password) === undefined)
    return false;
  return /^(?:\/\d{0,4})?$/.test(url.pathname) && url.search + url.hash === '';
}

function placesOf(hosts: string, port: number): HostAndPort[] | undefined {
  const texts = hosts.split(',');
  const places = texts.flatMap((text) => placeOf(text, port) ?? []);
  return places.length === texts.length ? places : undefined;
}

function placeOf(text: string, port: number): HostAndPort | undefined {
  const url = parseUrl(`redis://${text}`);
  if (!url || url.hostname === '') return undefined;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? port : Number(url.port) };
}

function loginOf(text: string, isEncrypted: boolean): Login | undefined {
  const [user = '', ...rest] = text.split(':');
  const username = decoded(user);
  const password = decoded(rest.join(':'));
  if (username === undefined || password === undefined) return undefined;
  return { isEncrypted, username: username === '' ? null : username, password: password === '' ? null : password };
}

/** Null for a query without one; undefined for one with anything else. */
function passwordIn(query: string): string | null | undefined {
  if (query === '') return null;
  const [, password] = /^sentinel_password=([^&]+)$/.exec(query) ?? [];
  return password === undefined ? undefined : decoded(password);
}

/** Undefined for what is not well encoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
