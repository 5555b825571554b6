// The numbers of a world by name (counters and ordinals), and which of them have changed.

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

  /** The numbers that have changed since the last call; 0 for one that is gone. */
  takeChanges(): Record<string, number> {
    const names = [...(this.#changed ?? [])];
    this.#changed?.clear();
    return Object.fromEntries(names.map((name) => [name, this.get(name) ?? 0]));
  }
}
