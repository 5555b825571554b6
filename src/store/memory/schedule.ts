// The schedule of one world in memory: a heap by instant and order. Canceled tasks stay in the heap until they reach
// its top, or until they are most of it.
import TinyQueue from 'tinyqueue';
import type { ScheduledTask, Task } from '../../lifecycles/tasks.ts';
import type { Subject, TableName } from '../../model.ts';
import type { WorldDelta } from '../store.ts';
import { forgetAll, takeAll } from './changed.ts';
import type { Undo } from './table.ts';

interface Slot {
  readonly scheduled: ScheduledTask;
  live: boolean;
  inHeap: boolean;
  /** Another live task about the same record: an array of the three of a call takes as much memory as they do. */
  next: Slot | null;
}

const earlier = (a: Slot, b: Slot): number => a.scheduled.at - b.scheduled.at || a.scheduled.order - b.scheduled.order;

export class MemorySchedule {
  #heap = new TinyQueue<Slot>([], earlier);
  /** One of the live tasks about each record. */
  readonly #bySubject = new Map<TableName, Map<string, Slot>>();
  #live = 0;
  #order = 0;
  /** What has changed since it was last taken; null if nobody takes it. */
  readonly #changed: Set<Slot> | null;
  /** The live tasks by their order; null until one is taken over from another copy. */
  #byOrder: Map<number, Slot> | null = null;

  constructor(tracked: boolean) {
    this.#changed = tracked ? new Set() : null;
  }

  get size(): number {
    return this.#live;
  }

  /** All live tasks, in no order: sorting a hundred thousand takes longer than requests may wait. */
  tasks(): ScheduledTask[] {
    return this.#heap.data.filter((slot) => slot.live).map((slot) => slot.scheduled);
  }

  /** The tasks that were scheduled since the last call, and the `order` of those that have run or were canceled. */
  takeChanges(): Pick<WorldDelta, 'scheduled' | 'unscheduled'> {
    const slots = takeAll(this.#changed);
    const scheduled = slots.filter(({ live }) => live).map((slot) => slot.scheduled);
    return { scheduled, unscheduled: slots.filter(({ live }) => !live).map((slot) => slot.scheduled.order) };
  }

  forgetChanges(): void {
    forgetAll(this.#changed);
  }

  /** How many tasks were ever scheduled; the next one has the `order` after it. */
  get latestOrder(): number {
    return this.#order;
  }

  set latestOrder(order: number) {
    this.#order = order;
  }

  /** Takes a task over as another copy of the schedule has it. */
  receive(scheduled: ScheduledTask): void {
    this.lose(scheduled.order);
    const slot: Slot = { scheduled, live: true, inHeap: true, next: null };
    this.#heap.push(slot);
    this.#file(slot);
    this.#live += 1;
  }

  /** Removes a task that another copy of the schedule no longer has. */
  lose(order: number): void {
    this.#byOrder ??= new Map(
      this.#heap.data.flatMap((slot) => (slot.live ? [[slot.scheduled.order, slot] as const] : [])),
    );
    const slot = this.#byOrder.get(order);
    if (slot) this.#cancel(slot);
  }

  add(task: Task, at: number, cause: string | null, undo: Undo): void {
    this.#order += 1;
    const slot: Slot = { scheduled: { at, order: this.#order, task, cause }, live: true, inHeap: true, next: null };
    this.#heap.push(slot);
    this.#file(slot);
    this.#live += 1;
    undo.push(() => {
      this.#cancel(slot);
      // The next task has its order again.
      this.#changed?.delete(slot);
      this.#order = slot.scheduled.order - 1;
    });
  }

  cancelAbout(subject: Subject, undo: Undo): void {
    const byId = this.#bySubject.get(subject.table);
    for (let slot = byId?.get(subject.id); slot; slot = byId?.get(subject.id)) {
      const canceled = slot;
      this.#cancel(canceled);
      undo.push(() => this.#revive(canceled));
    }
  }

  /** The earliest live task. */
  peek(): ScheduledTask | undefined {
    return this.#top()?.scheduled;
  }

  take(dueBy: number, undo: Undo): ScheduledTask | undefined {
    const slot = this.#top();
    if (!slot || slot.scheduled.at > dueBy) return undefined;
    this.#pop();
    this.#cancel(slot);
    undo.push(() => {
      this.#push(slot);
      slot.live = true;
      this.#file(slot);
      this.#live += 1;
    });
    return slot.scheduled;
  }

  /** Rebuilds the heap if most of it is canceled; called when nothing is to be undone any more. */
  compact(): void {
    if (this.#heap.length < 64 || this.#live * 2 > this.#heap.length) return;
    this.#heap = new TinyQueue(
      this.#heap.data.filter((slot) => slot.live),
      earlier,
    );
  }

  #top(): Slot | undefined {
    let slot = this.#heap.peek();
    while (slot && !slot.live) {
      this.#pop();
      slot = this.#heap.peek();
    }
    return slot;
  }

  #push(slot: Slot): void {
    slot.inHeap = true;
    this.#heap.push(slot);
  }

  #pop(): void {
    const slot = this.#heap.pop();
    if (slot) slot.inHeap = false;
  }

  #cancel(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    this.#changed?.add(slot);
    this.#byOrder?.delete(slot.scheduled.order);
    this.#live -= 1;
    const { table, id } = slot.scheduled.task.subject;
    const byId = this.#bySubject.get(table);
    const first = byId?.get(id);
    if (!byId || !first) return;
    if (first !== slot) {
      let before = first;
      while (before.next && before.next !== slot) before = before.next;
      before.next = slot.next;
    } else if (slot.next) byId.set(id, slot.next);
    else byId.delete(id);
    slot.next = null;
  }

  /** Undoes a cancellation; the slot may have left the heap meanwhile. */
  #revive(slot: Slot): void {
    slot.live = true;
    this.#live += 1;
    this.#file(slot);
    if (!slot.inHeap) this.#push(slot);
  }

  #file(slot: Slot): void {
    this.#changed?.add(slot);
    this.#byOrder?.set(slot.scheduled.order, slot);
    const { table, id } = slot.scheduled.task.subject;
    let byId = this.#bySubject.get(table);
    if (!byId) {
      byId = new Map();
      this.#bySubject.set(table, byId);
    }
    const first = byId.get(id);
    if (first) {
      slot.next = first.next;
      first.next = slot;
    } else byId.set(id, slot);
  }
}
