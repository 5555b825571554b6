// A scheduler on a store in memory with one world, whose tasks do what a test says.
import { createBudget } from '../../src/budget/budget.ts';
import { type ClockSetting, newClock, parseClockSetting, type SystemTime, systemNow } from '../../src/clock/clock.ts';
import type { ScheduledTask, Task } from '../../src/lifecycles/tasks.ts';
import { Scheduler } from '../../src/scheduler/scheduler.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { ownWork } from '../../src/store/work.ts';
import { base, ORGANIZATION } from '../store/setup.ts';

export const WORLD = 'w';
export const START = 1000;

export const taskFor = (id: string): Task => ({
  type: 'fire',
  subject: { table: 'calls', id },
  trigger: 'ring',
  input: {},
});

export const subjectOf = ({ task }: ScheduledTask): string => task.subject.id;

interface Setup {
  readonly mode?: string;
  readonly systemTime?: SystemTime;
  readonly runTask?: (tx: Tx, scheduled: ScheduledTask) => void;
  readonly deliveriesIdle?: () => Promise<void>;
  readonly onError?: (error: unknown, world: string) => void;
}

function rethrow(error: unknown): void {
  throw error;
}

export async function schedulerWith({
  mode = 'manual',
  systemTime = systemNow,
  runTask = () => {},
  deliveriesIdle = async () => {},
  onError = rethrow,
}: Setup = {}) {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9), systemTime });
  const ran: [subject: string, at: number, clock: number][] = [];
  const scheduler = new Scheduler({
    store,
    work: ownWork(store),
    turns: new Turns(),
    runTask(tx, scheduled) {
      ran.push([subjectOf(scheduled), scheduled.at, tx.state('clock').at]);
      runTask(tx, scheduled);
    },
    deliveriesIdle,
    onError,
  });
  const clock = newClock(parseClockSetting(mode) as ClockSetting, START, systemTime());
  const facts = { seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  const addWorld = (name: string): Promise<boolean> =>
    store.addWorld({ ...facts, name, clock, assumptions: {}, epoch: 1 });
  await addWorld(WORLD);
  const schedule = (id: string, at: number, world = WORLD): Promise<void> =>
    store.transaction(world, (tx) => tx.schedule(taskFor(id), at));
  const clockOf = (world = WORLD) => store.transaction(world, (tx) => tx.state('clock'));
  return { store, scheduler, ran, schedule, addWorld, clockOf };
}
