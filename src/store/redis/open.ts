// Opens the store of a server in Redis: connects, checks that the server and what it holds can be used, and joins the
// replicas.
import { hostname } from 'node:os';
import { newSecret } from '../../identity/secrets.ts';
import type { MemoryStoreOptions } from '../memory/store.ts';
import type { SharedWorlds, Work } from '../work.ts';
import { databaseIn } from './address.ts';
import { Connection } from './connection.ts';
import { EvictionWatch, evictionProblem, infoOf } from './eviction.ts';
import { Runs } from './runs.ts';
import type { RunsOptions } from './runs-options.ts';
import { RedisStore } from './store.ts';

/** What all keys begin with: other keys of the database are not touched. */
const PREFIX = 'rb';
/** The version of what is stored; one process does not read what another version has written. */
const FORMAT = '4';
const LEAST_MAJOR = 7;

export interface OpenRedis {
  readonly store: RedisStore;
  readonly work: Work;
  readonly replica: string;
  readonly shared: SharedWorlds;
  readonly problem: () => string | null;
  readonly warning: () => string | null;
  readonly secret: string;
  onReturn(listener: () => Promise<void>): void;
  differing(marks: ReadonlyMap<string, string>): Promise<readonly string[]>;
  close(): void;
}

export interface RedisPlace {
  readonly address: string;
  /** How many replicas of Redis must have a commit before it is acknowledged. */
  readonly copies: number;
  readonly seed: number;
}

/** Who is told of what goes wrong, and when the store works again. */
export interface RedisListeners extends Required<Pick<RunsOptions, 'onError' | 'onProblem'>> {
  readonly onWarning: (warning: string | null) => void;
}

/** Rejects with an error whose message is for people. */
export async function openRedis(
  { address, copies, seed }: RedisPlace,
  { tracksChanges: _, ...options }: MemoryStoreOptions,
  told: RedisListeners,
): Promise<OpenRedis> {
  const database = databaseIn(address);
  const connection = await Connection.open(address, { copies });
  try {
    // The client library goes on in another database where there is none of that number.
    if (database > 0) await connection.command('SELECT', [database]);
    for (const info of await connection.ofEachPrimary('INFO')) checkServer(String(info), connection.isCluster);
    const secret = await join(connection, seed, newSecret());
    // A script that may not do so ends when it has written all.
    await connection.command('PUBLISH', [`${PREFIX}:start`, '']);
    const replica = newReplica();
    const store = new RedisStore({ ...options, connection, prefix: PREFIX, replica });
    const listeners: (() => Promise<void>)[] = [];
    const onReturn = async (): Promise<void> => {
      if ((await join(connection, seed, secret)) !== secret) {
        throw new Error('Redis has lost what replicas share, and another one has made it anew: restart this one.');
      }
      for (const listener of listeners) await listener();
    };
    const work = new Runs({ store, connection, prefix: PREFIX, replica, ...told, onReturn });
    await work.start();
    const eviction = new EvictionWatch({ connection, onWarning: told.onWarning });
    const problem = (): string | null =>
      connection.isOpen ? work.problem : (work.problem ?? 'there is no connection to Redis');
    return {
      store,
      work,
      replica,
      shared: store,
      problem,
      warning: () => eviction.warning,
      secret,
      onReturn: (listener) => void listeners.push(listener),
      differing: (marks) => differing(connection, marks, work.hasOthers),
      close() {
        eviction.stop();
        connection.close();
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** None that lives, or lived, has the same name. */
const newReplica = (): string => `${hostname().replace(/[^\w.-]/g, '_')}-${newSecret().slice(0, 12)}`;

function checkServer(info: string, isCluster: boolean): void {
  const version = infoOf(info, 'valkey_version') ?? infoOf(info, 'redis_version') ?? '';
  if (Number.parseInt(version, 10) < LEAST_MAJOR) {
    throw new Error(`the server has version ${version}; it must be Redis ${LEAST_MAJOR} or later, or Valkey`);
  }
  if (infoOf(info, 'role') !== 'master') throw new Error('the server is a read-only replica; it must be the primary');
  if (infoOf(info, 'cluster_enabled') === '1' && !isCluster) {
    throw new Error('the server is part of a cluster; name it as redis+cluster://host:port');
  }
  const problem = evictionProblem(info);
  if (problem !== null) throw new Error(problem);
}

const foreign = (key: string): Error =>
  new Error(`its key ${key} belongs to another application; choose another database, such as …/1`);

/** Notes what all replicas have to have in common, or compares it. Resolves to the secret that they share. */
async function join(connection: Connection, seed: number, newSecret: string): Promise<string> {
  const key = `${PREFIX}:meta`;
  // All that can refuse a start comes first, so that it leaves nothing behind.
  for (const [each, kind] of [
    [key, 'hash'],
    [`${PREFIX}:alive`, 'zset'],
    [`${PREFIX}:settings`, 'hash'],
  ] as const) {
    const type = await connection.command('TYPE', [each]);
    if (type !== 'none' && type !== kind) throw foreign(each);
  }
  const fields = [key, 'format', 'seed', 'secret'] as const;
  if ((await connection.command('EXISTS', [key])) === 0) await connection.copied();
  // Some of them may be missing, where Redis lost everything while a replica wrote them.
  else if (await hasNone(connection, fields)) throw foreign(key);
  await connection.command('HSETNX', [key, 'format', FORMAT]);
  await connection.command('HSETNX', [key, 'seed', seed]);
  await connection.command('HSETNX', [key, 'secret', newSecret]);
  const reply = await connection.command('HMGET', fields);
  const [format, seeded, secret] = Array.isArray(reply) ? reply.map(String) : [];
  if (format !== FORMAT) throw new Error(`its worlds are stored in format ${format}; this version reads ${FORMAT}`);
  if (seeded !== String(seed)) {
    throw new Error(
      `its worlds were created with --seed ${seeded}, and this server has ${seed}; all must have the same`,
    );
  }
  return secret ?? '';
}

async function hasNone(connection: Connection, fields: readonly string[]): Promise<boolean> {
  const reply = await connection.command('HMGET', fields);
  return Array.isArray(reply) && reply.every((value) => value === null);
}

/** Notes the marks of this replica's settings, and compares those of the one that has started before it. */
async function differing(
  connection: Connection,
  marks: ReadonlyMap<string, string>,
  hasOthers: boolean,
): Promise<readonly string[]> {
  const key = `${PREFIX}:settings`;
  const reply = await connection.command('HMGET', [key, ...marks.keys()]);
  await connection.command('HSET', [key, ...[...marks].flat()]);
  const before = Array.isArray(reply) ? reply : [];
  const isOther = ([, mark]: readonly string[], index: number): boolean =>
    typeof before[index] === 'string' && before[index] !== mark;
  return hasOthers ? [...marks].filter(isOther).map(([flag]) => flag) : [];
}
