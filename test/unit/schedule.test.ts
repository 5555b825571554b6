// The schedule of one world in memory, against a list that is searched from end to end.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScheduledTask, Task } from '../../src/lifecycles/tasks.ts';
import { MemorySchedule } from '../../src/store/memory/schedule.ts';
import type { Undo } from '../../src/store/memory/table.ts';

const about = (id: number): Task => ({ type: 'tick', subject: { table: 'ticks', id: `tick-${id}` } });
const inOrder = (tasks: readonly ScheduledTask[]) => [...tasks].sort((a, b) => a.at - b.at || a.order - b.order);
const textOf = (tasks: readonly ScheduledTask[]) => inOrder(tasks).map(({ at, order }) => `${at} ${order}`);

type Step =
  | { readonly kind: 'add'; readonly at: number; readonly about: number }
  | { readonly kind: 'take'; readonly dueBy: number }
  | { readonly kind: 'cancel'; readonly about: number };

type Happening =
  | { readonly kind: 'committed' | 'undone'; readonly steps: readonly Step[] }
  /** By another copy of the schedule. */
  | { readonly kind: 'received'; readonly at: number; readonly about: number; readonly order: number }
  | { readonly kind: 'lost'; readonly order: number };

// Small numbers, so that instants, records and orders meet.
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(5), about: fc.nat(3) }),
  fc.record({ kind: fc.constant('take' as const), dueBy: fc.nat(5) }),
  fc.record({ kind: fc.constant('cancel' as const), about: fc.nat(3) }),
);
const steps = fc.array(step, { maxLength: 8 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constantFrom('committed' as const, 'undone' as const), steps }),
  fc.record({ kind: fc.constant('received' as const), at: fc.nat(5), about: fc.nat(3), order: fc.nat(90) }),
  fc.record({ kind: fc.constant('lost' as const), order: fc.nat(90) }),
);

/** A schedule, and the tasks that it should have. */
class Both {
  readonly schedule = new MemorySchedule(true);
  tasks: readonly ScheduledTask[] = [];
  order = 0;

  happen(happening: Happening): void {
    const { schedule, tasks, order } = this;
    switch (happening.kind) {
      case 'committed':
        this.#run(happening.steps);
        schedule.compact();
        break;
      case 'undone':
        for (const undo of this.#run(happening.steps).reverse()) undo();
        Object.assign(this, { tasks, order });
        break;
      case 'received': {
        const task = { at: happening.at, order: happening.order, task: about(happening.about), cause: null };
        schedule.receive(task);
        this.order = Math.max(order, task.order);
        schedule.latestOrder = this.order;
        this.tasks = [...tasks.filter((each) => each.order !== task.order), task];
        break;
      }
      case 'lost':
        schedule.lose(happening.order);
        this.tasks = tasks.filter((each) => each.order !== happening.order);
    }
  }

  #run(steps: readonly Step[]): Undo {
    const undo: Undo = [];
    for (const each of steps) this.#step(each, undo);
    return undo;
  }

  #step(step: Step, undo: Undo): void {
    switch (step.kind) {
      case 'add':
        this.schedule.add(about(step.about), step.at, null, undo);
        this.order += 1;
        this.tasks = [...this.tasks, { at: step.at, order: this.order, task: about(step.about), cause: null }];
        break;
      case 'take': {
        const first = inOrder(this.tasks).find(({ at }) => at <= step.dueBy);
        expect(this.schedule.take(step.dueBy, undo)?.order).toBe(first?.order);
        this.tasks = this.tasks.filter((each) => each !== first);
        break;
      }
      case 'cancel':
        this.schedule.cancelAbout(about(step.about).subject, undo);
        this.tasks = this.tasks.filter(({ task }) => task.subject.id !== about(step.about).subject.id);
    }
  }
}

describe('a schedule in memory', () => {
  it('has the tasks that were committed or taken over, without those that were canceled, run, lost or undone', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (history) => {
        const both = new Both();
        // As many about one record that it is compacted when they are canceled.
        both.happen({ kind: 'committed', steps: Array(70).fill({ kind: 'add', at: 3, about: 3 }) });
        for (const each of history) {
          both.happen(each);
          const { schedule, tasks, order } = both;
          expect(textOf(schedule.tasks())).toEqual(textOf(tasks));
          expect([schedule.size, schedule.latestOrder]).toEqual([tasks.length, order]);
        }
        expect(both.schedule.peek()?.order).toBe(inOrder(both.tasks)[0]?.order);
      }),
      { numRuns: 300 },
    );
  });
});
