// What a store in Redis is made with.
import type { MemoryBudget } from '../../budget/budget.ts';
import type { SystemTime } from '../../clock/clock.ts';
import type { FixtureUnder } from '../memory/world.ts';
import type { Connection } from './connection.ts';

export interface RedisStoreOptions {
  readonly connection: Connection;
  /** What the keys begin with. */
  readonly prefix: string;
  /** A name of this replica that no other has or had. */
  readonly replica: string;
  readonly fixtureView: FixtureUnder;
  readonly systemTime?: SystemTime;
  readonly journalLimit: number;
  readonly maxCalls?: number;
  readonly budget: MemoryBudget;
  readonly onListenerError?: (error: unknown, world: string) => void;
}
