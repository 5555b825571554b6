// The unique values that the copies of a replica know, and which of them a world has claimed or released since its last
// commit: Redis keeps them where every replica finds them.
import type { TableName } from '../../model.ts';
import type { Undo } from '../memory/table.ts';
import { Uniques } from '../memory/uniques.ts';

interface Owner {
  readonly world: string;
  readonly id: string;
}

interface Noted {
  readonly table: TableName;
  readonly value: string;
}

export class NotedUniques extends Uniques {
  /** By world: every value that its transactions have touched, in Redis's words. */
  readonly #touched = new Map<string, Map<string, Noted>>();

  override claim(table: TableName, value: string, owner: Owner, undo: Undo): void {
    super.claim(table, value, owner, undo);
    this.#note(owner.world, table, value);
  }

  override release(table: TableName, value: string, undo: Undo): void {
    const owner = this.find(table, value);
    if (owner) this.#note(owner.world, table, value);
    super.release(table, value, undo);
  }

  /** The values that a world has touched since they were last taken. */
  touchedBy(world: string): Noted[] {
    return [...(this.#touched.get(world)?.values() ?? [])];
  }

  takeTouched(world: string): Noted[] {
    const touched = this.touchedBy(world);
    this.#touched.delete(world);
    return touched;
  }

  #note(world: string, table: TableName, value: string): void {
    const known = this.#touched.get(world) ?? new Map<string, Noted>();
    this.#touched.set(world, known);
    known.set(`${table} ${value}`, { table, value });
  }
}
