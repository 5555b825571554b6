// Tasks that are scheduled again and again by themselves: a world with no others is idle.
import type { Tx } from './store.ts';

/** A counter, which costs every instant of an advance less than a search of the schedule. */
const PERIODIC = 'periodic tasks';

/** To be called when a task begins to be scheduled again and again, and when it ends; sets how many there are. */
export const countPeriodic = (tx: Tx, count: number): void => tx.setCounter(PERIODIC, count);

/** How many tasks there are besides. */
export const singleTasks = (tx: Tx): number => tx.taskCount() - tx.counter(PERIODIC);

/** Whether the schedule has no task but periodic ones. */
export const onlyPeriodicLeft = (tx: Tx): boolean => singleTasks(tx) <= 0;
