// The numbers of a world by name (counters and ordinals), and which of them have changed.
import { forgetAll, takeAll } from './changed.ts';
import type { Undo } from './table.ts';

export class NumberMap extends Map<string, number> {
  /** Names whose number has changed since it was last taken; null if nobody takes it. */
  readonly #changed: Set<string> | null;

  constructor(tracked: boolean) {
    super();
    this.#changed = tracked ? new Set() : null;
  }

  override set(name: string, value: number): this {
    this.#changed?.add(name);
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#changed?.add(name);
    return super.delete(name);
  }

  /** Sets a number, or takes it away if it is 0. */
  write(name: string, value: number, undo: Undo): void {
    const before = this.get(name);
    if (value === 0) this.delete(name);
    else this.set(name, value);
    undo.push(() => (before === undefined ? this.delete(name) : this.set(name, before)));
  }

  /** The numbers that have changed since the last call; 0 for one that is gone. */
  takeChanges(): Record<string, number> {
    const names = takeAll(this.#changed);
    return Object.fromEntries(names.map((name) => [name, this.get(name) ?? 0]));
  }

  forgetChanges(): void {
    forgetAll(this.#changed);
  }
}
