// What a replica runs its worlds with.
import type { Connection } from './connection.ts';
import type { RedisStore } from './store.ts';

export interface RunsOptions {
  readonly store: RedisStore;
  readonly connection: Connection;
  readonly prefix: string;
  readonly replica: string;
  readonly onError: (error: unknown, world: string | null) => void;
  /** Called when the store begins to refuse to work, with the reason, and with null when it works again. */
  readonly onProblem?: (reason: string | null) => void;
  /** Called when the store is back: it may have lost what it had. */
  readonly onReturn?: () => Promise<void>;
  /** For how long nothing is left to do in a world until its runner lets go of it, in milliseconds. */
  readonly letGoAfter?: number;
}
