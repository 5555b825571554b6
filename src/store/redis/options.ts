// What a store in Redis is made with.
import type { MemoryStoreOptions } from '../memory/store.ts';
import type { Connection } from './connection.ts';

export interface RedisStoreOptions extends Omit<MemoryStoreOptions, 'tracksChanges'> {
  readonly connection: Connection;
  /** What the keys begin with. */
  readonly prefix: string;
  /** By how many hash tags worlds are spread, the same for all replicas: 1 to 256, which is the default. */
  readonly shards?: number;
  /** A name of this replica that no other has or had. */
  readonly replica: string;
}

/** Who is told who does the work of a world, and decides whether this replica should. */
export interface RunnerHooks {
  /** Whether this replica is to do the work of a world that has that runner, empty for none. */
  claims(runner: string): boolean;
  /** Called when the runner of a world is known, and when it may have changed. */
  onRunner(world: string, runner: string): void;
  /** Called when what this replica has committed last in a world may not have happened. */
  onDoubt(world: string): void;
  /** Lets go of the worlds in which nothing is left to do, as memory is short. Rejects with StoreAway. */
  letGo(): Promise<void>;
}
