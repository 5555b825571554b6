// The client library, as it connects to each kind of address. Together with `connection.ts` and `odd-replies.ts`, the only
// file that knows it.
import { Cluster, type ClusterOptions, type RedisOptions as LibraryOptions, Redis } from 'ioredis';
import { type RedisAddress, readRedisAddress } from './address.ts';
import { breakOffAtOddReplies } from './odd-replies.ts';

/** How long the server may be silent before its connection counts as broken. */
const SILENCE_MS = 2000;
const LONGEST_PAUSE_MS = 500;
/** How often the nodes of a cluster are asked where its slots are, besides when one says that they have moved. */
const REFRESH_MS = 5000;

type RedisOptions = Omit<LibraryOptions, 'replyMapping'>;

/** What is used of the client library. */
export interface RedisClient extends Pick<Redis, 'connect' | 'disconnect' | 'call' | 'subscribe' | 'unsubscribe'> {
  readonly status: string;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** `+node` is that of a cluster: it has connected to one of its nodes. */
  on(event: 'ready' | '+node', listener: () => void): unknown;
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  readonly stream?: Pick<Redis['stream'], 'cork' | 'uncork' | 'destroy'>;
  /** Of a cluster, the clients of its primaries. */
  nodes?(role: 'master'): readonly (Pick<Redis, 'call'> & { readonly stream?: Pick<Redis['stream'], 'destroy'> })[];
}

export interface RedisClients {
  readonly commands: RedisClient;
  /** A client for channels alone, whose connection keeps them. */
  subscriber(): RedisClient;
}

/** What is not answered is rejected when the connection breaks, so that it is sent again by `Connection`, and known to be. */
const forCommands = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} as const;
const forChannels = {
  enableOfflineQueue: true,
  autoResendUnfulfilledCommands: true,
  maxRetriesPerRequest: null,
} as const;

const usual = {
  lazyConnect: true,
  connectTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
  retryStrategy: (attempt: number) => Math.min(20 * attempt, LONGEST_PAUSE_MS),
  // A primary that has become a replica stays connected, and only says so.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
} as const;

/** Clients that have not connected yet, for an address or the path of a socket. */
export function createClients(text: string): RedisClients {
  breakOffAtOddReplies();
  const address = readRedisAddress(text) ?? { kind: 'server', address: text };
  if (address.kind === 'cluster') return ofCluster(address);
  const connect = (options: RedisOptions): Redis =>
    address.kind === 'server'
      ? new Redis(address.address, { ...usual, ...options })
      : new Redis({ ...usual, ...bySentinels(address), ...options });
  return { commands: connect(forCommands), subscriber: () => connect({ ...forChannels, lazyConnect: false }) };
}

function bySentinels(address: Extract<RedisAddress, { kind: 'sentinel' }>): RedisOptions {
  const { sentinels, name, database, sentinelPassword, isEncrypted } = address;
  return {
    sentinels: [...sentinels],
    name,
    db: database,
    ...loginOf(address),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(isEncrypted ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelRetryStrategy: usual.retryStrategy,
    // A primary that was replaced while it lives takes commits, which are lost, until a Sentinel makes it a replica.
    failoverDetector: true,
  };
}

function ofCluster(address: Extract<RedisAddress, { kind: 'cluster' }>): RedisClients {
  const { connectTimeout, socketTimeout } = usual;
  const { enableOfflineQueue, ...node } = forCommands;
  const tls = address.isEncrypted ? { tls: {} } : {};
  const connect = (options: Pick<ClusterOptions, 'lazyConnect' | 'enableOfflineQueue'>): Cluster =>
    new Cluster([...address.nodes], {
      clusterRetryStrategy: usual.retryStrategy,
      // As above: what a broken connection has not answered is not sent again by the library.
      retryDelayOnFailover: 0,
      slotsRefreshInterval: REFRESH_MS,
      redisOptions: { connectTimeout, socketTimeout, ...node, ...loginOf(address), ...tls },
      ...options,
    });
  return { commands: connect({ lazyConnect: true, enableOfflineQueue }), subscriber: () => connect({}) };
}

function loginOf({ username, password }: { username: string | null; password: string | null }): RedisOptions {
  return { ...(username === null ? {} : { username }), ...(password === null ? {} : { password }) };
}

/** What the library says of a server with which it cannot begin to speak by TLS. */
const noTls = /ETIMEDOUT|\btimeout$|Connection is closed|before secure TLS connection/;

/** The error of a start without a connection, with what the library says of it in other words where those are hard to read. */
export function startProblem(error: unknown, address: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = readable(error);
  const isTls = address.startsWith('rediss') && noTls.test(message);
  const hint = isTls ? '; is there a server that takes TLS? For one that does not, the address begins with redis' : '';
  return message === error.message && !isTls ? error : new Error(message.replace(/\.$/, '') + hint, { cause: error });
}

function readable(error: Error): string {
  // The library has no type for it.
  const { lastNodeError } = error as { lastNodeError?: unknown };
  if (lastNodeError instanceof Error) return `no node answers as one of a cluster: ${lastNodeError.message}`;
  const [, last] = /^All sentinels are unreachable.* Last error: (.+)$/.exec(error.message) ?? [];
  if (last !== undefined) return `no Sentinel answers: ${last.trim()}`;
  if (error.message.startsWith("ERR unknown command 'TIME'"))
    return 'the server keeps no data; a Sentinel is named as redis+sentinel://host:port/name';
  return error.message.startsWith('Unknown RESP type')
    ? 'what listens there does not speak as Redis does'
    : error.message;
}
