// Everything that one sandbox consists of, as its parts see one another. Put together in `sandbox.ts`; nothing of it
// is shared between the sandboxes of a process but the contract.

import type { Fixture } from '../fixtures/fixture.ts';
import type { ScenarioLibrary } from '../scenarios/library.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Store } from '../store/store.ts';
import type { Deliverer } from '../webhooks/deliver.ts';
import type { RunTask } from './run-task.ts';
import type { SandboxSettings } from './settings.ts';
import type { Worlds } from './worlds.ts';

export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

export interface SandboxContext {
  readonly version: string;
  readonly settings: SandboxSettings;
  readonly store: Store;
  readonly scenarios: ScenarioLibrary;
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly worlds: Worlds;
  readonly scheduler: Scheduler;
  readonly runTask: RunTask;
  readonly deliverer: Deliverer;
  readonly log: Log;
  /** Whether requests are served: fixtures loaded, contract checked, and not stopping. */
  ready: boolean;
  readonly startedAt: number;
}
