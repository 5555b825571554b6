// The agenda of one world in memory: a heap by instant and order. Rows that are struck off stay in the heap until they
// come up, or until they are the greater part of it.
import TinyQueue from 'tinyqueue';
import type { ScheduledTask, Subject, TableName } from '../../model.ts';
import type { Undo } from './table.ts';

interface Slot {
  readonly row: ScheduledTask;
  live: boolean;
}

const earlier = (a: Slot, b: Slot): number => a.row.at - b.row.at || a.row.order - b.row.order;

export class MemorySchedule {
  #heap = new TinyQueue<Slot>([], earlier);
  readonly #bySubject = new Map<TableName, Map<string, Slot[]>>();
  #live = 0;
  #order = 0;

  get size(): number {
    return this.#live;
  }

  /** All live rows in their order. */
  rows(): ScheduledTask[] {
    return this.#heap.data
      .filter((slot) => slot.live)
      .sort(earlier)
      .map((slot) => slot.row);
  }

  add(row: Omit<ScheduledTask, 'order'>, undo: Undo): void {
    this.#order += 1;
    const { at, subject, trigger, with: given, cause } = row;
    const slot: Slot = { row: { at, subject, trigger, with: given, cause, order: this.#order }, live: true };
    this.#heap.push(slot);
    this.#file(slot);
    this.#live += 1;
    undo.push(() => this.#strike(slot));
  }

  strikeSubject(subject: Subject, undo: Undo): void {
    const slots = this.#bySubject.get(subject.table)?.get(subject.id);
    if (!slots) return;
    for (const slot of slots.slice()) {
      this.#strike(slot);
      undo.push(() => this.#revive(slot));
    }
  }

  /** The earliest live row. */
  peek(): ScheduledTask | undefined {
    return this.#top()?.row;
  }

  take(dueBy: number, undo: Undo): ScheduledTask | undefined {
    const slot = this.#top();
    if (!slot || slot.row.at > dueBy) return undefined;
    this.#heap.pop();
    this.#strike(slot);
    undo.push(() => {
      this.#heap.push(slot);
      slot.live = true;
      this.#file(slot);
      this.#live += 1;
    });
    return slot.row;
  }

  /** Rebuilds the heap where most of it is struck off; for between transactions. */
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
      this.#heap.pop();
      slot = this.#heap.peek();
    }
    return slot;
  }

  #strike(slot: Slot): void {
    if (!slot.live) return;
    slot.live = false;
    this.#live -= 1;
    const { table, id } = slot.row.subject;
    const byId = this.#bySubject.get(table);
    const slots = byId?.get(id);
    if (!slots) return;
    slots.splice(slots.indexOf(slot), 1);
    if (slots.length === 0) byId?.delete(id);
  }

  /** Undoes a strike; the slot may have left the heap meanwhile. */
  #revive(slot: Slot): void {
    slot.live = true;
    this.#live += 1;
    this.#file(slot);
    if (!this.#heap.data.includes(slot)) this.#heap.push(slot);
  }

  #file(slot: Slot): void {
    const { table, id } = slot.row.subject;
    let byId = this.#bySubject.get(table);
    if (!byId) {
      byId = new Map();
      this.#bySubject.set(table, byId);
    }
    const slots = byId.get(id);
    if (slots) slots.push(slot);
    else byId.set(id, [slot]);
  }
}
