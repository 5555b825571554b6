// Listeners to commits: of all worlds, and of single ones.
import type { Commit, WorldListener } from './store.ts';

export class Listeners {
  readonly #ofAll = new Set<(commit: Commit) => void>();
  readonly #ofWorlds = new Map<string, Set<WorldListener>>();
  readonly #onError: ((error: unknown, world: string) => void) | undefined;

  /** `onError` is called with what a listener threw. */
  constructor(onError: ((error: unknown, world: string) => void) | undefined) {
    this.#onError = onError;
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  watch(world: string, listener: WorldListener): () => void {
    const listeners = this.#ofWorlds.get(world) ?? new Set();
    this.#ofWorlds.set(world, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#ofWorlds.get(world) === listeners) this.#ofWorlds.delete(world);
    };
  }

  isWatched(world: string): boolean {
    return this.#ofWorlds.has(world);
  }

  tell(commit: Commit): void {
    this.tellAll(commit);
    this.tellWatchers(commit.world, commit);
  }

  /** Those of all worlds alone. */
  tellAll(commit: Commit): void {
    for (const listener of this.#ofAll) this.#call(listener, commit.world, commit);
  }

  /** Those of that world alone; null if it was deleted. */
  tellWatchers(world: string, commit: Commit | null): void {
    for (const listener of this.#ofWorlds.get(world) ?? []) this.#call(listener, world, commit);
  }

  /** What has been committed is not undone because someone who is told of it fails. */
  #call<Told>(listener: (told: Told) => void, world: string, told: Told): void {
    try {
      listener(told);
    } catch (error) {
      this.#onError?.(error, world);
    }
  }
}
