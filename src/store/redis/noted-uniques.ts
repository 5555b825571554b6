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

  /** The values that a world has claimed since `settle`. */
  claimedBy(world: string): (Noted & { readonly owner: Owner })[] {
    return this.#touchedBy(world).flatMap((noted) => {
      const owner = this.find(noted.table, noted.value);
      return owner ? [{ ...noted, owner }] : [];
    });
  }

  /** Redis knows what the world has claimed. Returns what it has released meanwhile. */
  settle(world: string): Noted[] {
    const released = this.#touchedBy(world).filter(({ table, value }) => !this.find(table, value));
    this.#touched.delete(world);
    return released;
  }

  override dropWorld(world: string): void {
    super.dropWorld(world);
    this.#touched.delete(world);
  }

  #touchedBy(world: string): Noted[] {
    return [...(this.#touched.get(world)?.values() ?? [])];
  }

  #note(world: string, table: TableName, value: string): void {
    const known = this.#touched.get(world) ?? new Map<string, Noted>();
    this.#touched.set(world, known);
    known.set(`${table} ${value}`, { table, value });
  }
}
