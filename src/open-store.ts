// Opens the store of a sandbox: in this process, or in Redis. `interface.md` sections 1 and 10.
import type { MemoryBudget } from './budget/budget.ts';
import type { Settings } from './config.ts';
import type { Fixture } from './fixtures/fixture.ts';
import type { Log } from './log.ts';
import type { Turns } from './scheduler/turns.ts';
import { MemoryStore, type MemoryStoreOptions } from './store/memory/store.ts';
import type { RedisListeners } from './store/redis/open.ts';
import type { Store } from './store/store.ts';
import { StoreAway } from './store/store-away.ts';
import { ownWork, type SharedWorlds, type Work } from './store/work.ts';
import { messageOf } from './system-errors.ts';
import { redactedValue, WrongUse } from './wrong-use.ts';

export interface OpenStore {
  readonly store: Store;
  readonly work: Work;
  /** The same store, if it is in this process. */
  readonly memory: MemoryStore | null;
  /** The name of this process among those that share the store; null where none does. */
  readonly replica: string | null;
  /** What they have done with its worlds; null where none does. */
  readonly shared: SharedWorlds | null;
  /** Why it cannot be used now; null if it can. */
  readonly problem: () => string | null;
  /** What endangers what it has; null if nothing does. */
  readonly warning: () => string | null;
  /** A random secret that all who share it have; null where none does. */
  readonly secret: string | null;
  /** To be called again where what it has may have been lost: `listener` creates what has to be there. */
  onReturn(listener: () => Promise<void>): void;
  /** Of the settings with these marks, by flag, those that another process which shares it does not have alike. */
  differing(marks: ReadonlyMap<string, string>): Promise<readonly string[]>;
  close(): void;
}

/** Throws WrongUse about a store that cannot be used. */
export async function openStore(
  settings: Settings,
  fixtures: ReadonlyMap<string, Fixture>,
  budget: MemoryBudget,
  turns: Turns,
  log: Log,
): Promise<OpenStore> {
  const options = optionsOf(settings, fixtures, budget, turns, log);
  if (settings.store === 'memory') return inMemory(options);
  // The client library takes a while to load.
  const { openRedis } = await import('./store/redis/open.ts');
  const told: RedisListeners = {
    onError: (err, world) => log.error({ err, world }, 'work of the store failed'),
    onProblem: (reason) =>
      reason === null
        ? log.info({}, 'the store is available again')
        : log.error({ reason }, 'the store is not available: requests get 503 until it is'),
    onWarning: (reason) =>
      reason === null
        ? log.info({}, 'the store is no longer in danger of losing parts of worlds')
        : log.error({ reason }, 'the store may lose parts of worlds'),
  };
  try {
    const place = { address: settings.store, copies: settings.redisWait, seed: settings.seed };
    return { memory: null, ...(await openRedis(place, options, told)) };
  } catch (error) {
    throw unusableStore(settings, error instanceof StoreAway ? error.reason : messageOf(error));
  }
}

/** The error of a start that its store does not allow. */
export function unusableStore({ store }: Pick<Settings, 'store'>, reason: string): WrongUse {
  return new WrongUse(`--store (RINGBACK_STORE): ${redactedValue(store)} cannot be used: ${reason}`);
}

function inMemory(options: MemoryStoreOptions): OpenStore {
  const memory = new MemoryStore(options);
  const work = ownWork(memory);
  return {
    store: memory,
    work,
    memory,
    replica: null,
    shared: null,
    problem: () => null,
    warning: () => null,
    secret: null,
    onReturn: () => {},
    differing: async () => [],
    close: () => {},
  };
}

function optionsOf(
  settings: Settings,
  fixtures: ReadonlyMap<string, Fixture>,
  budget: MemoryBudget,
  turns: Turns,
  log: Log,
): MemoryStoreOptions {
  return {
    journalLimit: settings.journalLimit,
    maxCalls: settings.maxCalls,
    budget,
    tracksChanges: settings.state !== null,
    onListenerError: (error, world) => log.error({ err: error, world }, 'a commit was not heard'),
    makeRecords: (world, pieces) => turns.workThrough(world, pieces),
    fixtureView(world, startsAt) {
      const fixture = fixtures.get(world.fixture);
      if (!fixture) throw new Error(`the world ${world.name} needs the fixture ${world.fixture}, which does not exist`);
      // The ids of fixture records are derived from the seed: with another one, the records would exist twice.
      if (world.seed !== settings.seed)
        throw new Error(`the world ${world.name} was created with the seed ${world.seed}; --seed is ${settings.seed}`);
      return fixture.under(world.organization_id, startsAt);
    },
  };
}
