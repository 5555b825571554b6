// Replicas on a Redis server, and what happens around the scripts that they run there.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createBudget, type MemoryBudget } from '../../src/budget/budget.ts';
import { Connection, type ConnectionOptions, type Reply } from '../../src/store/redis/connection.ts';
import type { ScriptName } from '../../src/store/redis/script-files.ts';
import { RedisStore } from '../../src/store/redis/store.ts';
import type { Store } from '../../src/store/store.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { base, kitFor } from './setup.ts';

/** How many entries a journal keeps. */
export const LIMIT = 600;

/** Something to be done at a script. */
type Act = (name: ScriptName) => unknown;

class WatchedScripts {
  /** Those that were run. */
  readonly run: ScriptName[] = [];
  around: { readonly before?: Act; readonly after?: Act } = {};
  /** How long the longest command or answer was, in characters. */
  longest = 0;

  /** Does something around the next script of that name, and nothing around those that this runs. */
  once(place: 'before' | 'after', script: ScriptName, act: () => unknown): void {
    this.around = {
      [place]: (name: ScriptName) => {
        if (name !== script) return undefined;
        this.around = {};
        return act();
      },
    };
  }

  reset(): void {
    this.run.length = 0;
    this.longest = 0;
    this.around = {};
  }

  #measure(...texts: readonly unknown[]): void {
    this.longest = Math.max(this.longest, ...texts.map(lengthOf));
  }

  async open({ socket }: RedisServer, options: ConnectionOptions = {}): Promise<Connection> {
    const connection = await Connection.open(socket, options);
    const run = connection.run.bind(connection);
    connection.run = async (name, ...rest) => {
      this.run.push(name);
      await this.around.before?.(name);
      const reply = await run(name, ...rest);
      this.#measure(rest, reply.values);
      await this.around.after?.(name);
      return reply;
    };
    const command = connection.command.bind(connection);
    connection.command = async (name, args) => {
      const reply = await command(name, args);
      this.#measure(args, reply);
      return reply;
    };
    return connection;
  }
}

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.reduce((sum: number, each) => sum + lengthOf(each), 0) : String(value ?? '').length;

let stores = 0;

/** A replica; its worlds are under that prefix. */
function replicaOn(connection: Connection, prefix: string, budget: MemoryBudget): RedisStore {
  stores += 1;
  return new RedisStore({
    connection,
    prefix,
    replica: `r${stores}`,
    fixtureView: () => base,
    journalLimit: LIMIT,
    budget,
  });
}

/** Two replicas of one world on a server, made anew for each test of a file. */
export function useReplicas() {
  const scripts = new WatchedScripts();
  let server: RedisServer;
  let connection: Connection;
  let prefixes = 0;
  let pair: readonly [Store, Store];
  const storeOn = (over = connection, budget = createBudget(1e9)): RedisStore =>
    replicaOn(over, `test-${prefixes}`, budget);
  const { storeWithWorld, inWorld } = kitFor(() => storeOn());
  beforeAll(async () => {
    server = await startRedis();
    connection = await scripts.open(server);
  });
  beforeEach(async () => {
    prefixes += 1;
    pair = [await storeWithWorld(), storeOn()];
    await inWorld(pair[1], () => {});
    scripts.reset();
  });
  afterAll(async () => {
    connection?.close();
    await server?.stop();
  });
  /** Another connection to the server. */
  const connect = (options: ConnectionOptions): Promise<Connection> => scripts.open(server, options);
  /** The kinds of keys that there are, such as `W` of a world, or `P` of what is kept apart. */
  const kinds = async (): Promise<string[]> => {
    const keys = await connection.command('KEYS', [`test-${prefixes}:*`]);
    return Array.isArray(keys) ? keys.map((key) => String(key).split(':')[2] ?? '').sort() : [];
  };
  /** For how many seconds each key of a kind stays; -1 for ever. */
  const stays = async (kind: string): Promise<Reply[]> => {
    const keys = await connection.command('KEYS', [`test-${prefixes}:*:${kind}:*`]);
    return Promise.all((Array.isArray(keys) ? keys : []).map((key) => connection.command('TTL', [String(key)])));
  };
  /** Deletes the keys of a kind. */
  const lose = async (kind: string): Promise<void> => {
    const keys = await connection.command('KEYS', [`test-${prefixes}:*:${kind}:*`]);
    if (Array.isArray(keys)) for (const key of keys) await connection.command('UNLINK', [String(key)]);
  };
  return { scripts, storeOn, connect, inWorld, replicas: () => pair, kinds, stays, lose };
}
