// Which record carries a unique value, over all worlds of the store.
import type { TableName } from '../../model.ts';
import { definitionOf } from '../tables.ts';
import type { MemoryTable, Undo } from './table.ts';

interface Owner {
  readonly world: string;
  readonly id: string;
}

export class Uniques {
  readonly #owners = new Map<string, Owner>();

  find(table: TableName, value: string): Owner | undefined {
    return this.#owners.get(keyOf(table, value));
  }

  claim(table: TableName, value: string, owner: Owner, undo: Undo): void {
    const key = keyOf(table, value);
    const before = this.#owners.get(key);
    this.#owners.set(key, owner);
    undo.push(() => (before ? this.#owners.set(key, before) : this.#owners.delete(key)));
  }

  release(table: TableName, value: string, undo: Undo): void {
    const key = keyOf(table, value);
    const before = this.#owners.get(key);
    this.#owners.delete(key);
    undo.push(() => before && this.#owners.set(key, before));
  }

  claimAll<Table extends TableName>({ name, rows }: MemoryTable<Table>, world: string, undo: Undo): void {
    const { unique, id } = definitionOf(name);
    if (unique) for (const row of rows.values()) this.claim(name, unique(row), { world, id: id(row) }, undo);
  }

  releaseAll<Table extends TableName>({ name, rows }: MemoryTable<Table>, undo: Undo): void {
    const { unique } = definitionOf(name);
    if (unique) for (const row of rows.values()) this.release(name, unique(row), undo);
  }

  /** Forgets a world that was deleted. */
  dropWorld(name: string): void {
    for (const [key, { world }] of this.#owners) if (world === name) this.#owners.delete(key);
  }
}

function keyOf(table: TableName, value: string): string {
  return `${table} ${value}`;
}
