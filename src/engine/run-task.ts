// Runs scheduled tasks, each by the handler of its type: a step of a record's lifecycle, or work that needs the
// scenarios of the world and the settings of the server.
import type { ScheduledTask, Task, TaskType } from '../lifecycles/tasks.ts';
import { overlaysOf, type ScenarioLibrary, type WorldScenarios } from '../scenarios/library.ts';
import type { Tx } from '../store/store.ts';
import type { PlatformSettings } from './settings.ts';

export interface TaskContext {
  readonly settings: PlatformSettings;
  readonly scenarios: WorldScenarios;
}

export type TaskHandler<Type extends TaskType> = (tx: Tx, task: Task<Type>, context: TaskContext) => void;

/** A handler for every type of task. */
export type TaskHandlers = { readonly [Type in TaskType]: TaskHandler<Type> };

/** Runs a task at its own instant and with its own cause. A task whose record has been deleted does nothing. */
export type RunTask = (tx: Tx, scheduled: ScheduledTask) => void;

export function createTaskRunner(
  library: ScenarioLibrary,
  settings: PlatformSettings,
  handlers: TaskHandlers,
): RunTask {
  const contextOf = (tx: Tx): TaskContext => ({
    settings,
    // Most tasks do not need them.
    get scenarios() {
      return library.forWorld(overlaysOf(tx));
    },
  });
  const run = <Type extends TaskType>(tx: Tx, type: Type, task: Task<Type>): void => {
    if (!Object.hasOwn(handlers, type)) throw new Error(`There is no handler for tasks of the type "${type}".`);
    handlers[type](tx, task, contextOf(tx));
  };
  return (tx, { task, at, cause }) => tx.asOf(at, () => tx.causedBy(cause, () => run(tx, task.type, task)));
}
