// The parts of one sandbox, assembled in `sandbox.ts`. A function takes the parts that it uses (`Pick<SandboxContext,
// 'store' | 'worlds'>`), not all of it. Sandboxes of one process share nothing but the contract.
import type { MemoryBudget } from '../budget/budget.ts';
import type { Fixture } from '../fixtures/fixture.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { ScenarioLibrary } from '../scenarios/library.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Turns } from '../scheduler/turns.ts';
import type { Store } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import type { Deliverer } from '../webhooks/deliver.ts';
import type { OpenWork } from '../webhooks/open-work.ts';
import type { RunTask } from './run-task.ts';
import type { SandboxSettings } from './settings.ts';
import type { Worlds } from './worlds.ts';

export interface SandboxContext {
  readonly version: string;
  readonly settings: SandboxSettings;
  readonly budget: MemoryBudget;
  readonly secrets: Secrets;
  readonly store: Store;
  /** Who does the work of its worlds. */
  readonly work: Work;
  /** The name of this process among those that share the store; null where none does. */
  readonly replica: string | null;
  /** Why the store cannot be used now; null if it can. */
  readonly storeProblem: () => string | null;
  /** What endangers what it has; null if nothing does. */
  readonly storeWarning: () => string | null;
  readonly scenarios: ScenarioLibrary;
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly worlds: Worlds;
  readonly scheduler: Scheduler;
  readonly runTask: RunTask;
  readonly turns: Turns;
  /** By world: changes of delivery plans in this process wait for one another, so that none repeats the work of another. */
  readonly planChanges: OneAtATime;
  /** By world: what reads whole journals waits for one another, since each takes as much memory as the journals. */
  readonly reads: OneAtATime;
  readonly deliverer: Deliverer;
  readonly openWork: OpenWork;
  readonly metrics: Metrics;
  readonly log: Log;
  /** What ends each wait for an event that is in progress: called when the server stops. */
  readonly waits: Set<() => void>;
  /** How many connections to the server are open. */
  openConnections: () => number;
  /** Whether requests are served: fixtures loaded, contract checked, and not stopping. */
  ready: boolean;
  /** By `performance.now()`. */
  readonly startedAt: number;
}
