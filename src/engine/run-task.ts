// Runs scheduled tasks, each by the handler of its type: a step of a record's lifecycle, or work that needs the
// scenarios of the world and the settings of the server.
import type { ScheduledTask, Task, TaskType } from '../lifecycles/tasks.ts';
import type { StepEntry } from '../model.ts';
import { overlaysOf, type ScenarioLibrary, type WorldScenarios } from '../scenarios/library.ts';
import type { Tx } from '../store/store.ts';
import { appendFailedTask } from './journal-step.ts';
import type { PlatformSettings } from './settings.ts';

export interface TaskContext {
  readonly settings: PlatformSettings;
  readonly scenarios: WorldScenarios;
}

export type TaskHandler<Type extends TaskType> = (tx: Tx, task: Task<Type>, context: TaskContext) => void;

/** Looks the scenarios up when they are asked for: most tasks do not need them. */
class ContextIn implements TaskContext {
  readonly settings: PlatformSettings;
  readonly #tx: Tx;
  readonly #library: ScenarioLibrary;

  constructor(tx: Tx, settings: PlatformSettings, library: ScenarioLibrary) {
    this.#tx = tx;
    this.settings = settings;
    this.#library = library;
  }

  get scenarios(): WorldScenarios {
    return this.#library.forWorld(overlaysOf(this.#tx));
  }
}

/** A handler for every type of task. */
export type TaskHandlers = { readonly [Type in TaskType]: TaskHandler<Type> };

/**
 * Runs a task at its own instant and with its own cause. A task whose record has been deleted does nothing. What a task
 * that fails has done is undone, and a step with the error takes its place: the schedule goes on without it.
 */
export type RunTask = (tx: Tx, scheduled: ScheduledTask) => void;

/** Called with the step of a failed task, before it is committed. */
export type OnFailedTask = (step: StepEntry, error: unknown) => void;

export function createTaskRunner(
  library: ScenarioLibrary,
  settings: PlatformSettings,
  handlers: TaskHandlers,
  onFailed: OnFailedTask,
): RunTask {
  const run = <Type extends TaskType>(tx: Tx, type: Type, task: Task<Type>): void => {
    if (!Object.hasOwn(handlers, type)) throw new Error(`There is no handler for tasks of the type "${type}".`);
    handlers[type](tx, task, new ContextIn(tx, settings, library));
  };
  const runOrRecord = (tx: Tx, task: Task): void => {
    const failed = tx.attempt(() => run(tx, task.type, task));
    if (failed) onFailed(appendFailedTask(tx, task, failed.error), failed.error);
  };
  return (tx, { task, at, cause }) => tx.asOf(at, () => tx.causedBy(cause, () => runOrRecord(tx, task)));
}
