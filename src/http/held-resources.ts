// What a request holds while it is served: its world, which does not expire meanwhile, and memory for a large body.
import type { Share } from '../budget/budget.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';

export class HeldResources {
  readonly #worlds: SandboxContext['worlds'];
  readonly #memory: Share;
  #bytes = 0;
  #releaseWorld: (() => void) | undefined;

  constructor({ worlds, budget }: Pick<SandboxContext, 'worlds' | 'budget'>) {
    this.#worlds = worlds;
    this.#memory = budget.shares.connections;
  }

  /** Acquires that world, then releases the one acquired before. */
  moveTo(world: string): void {
    const releasePrevious = this.#releaseWorld;
    this.#releaseWorld = this.#worlds.acquire(world);
    releasePrevious?.();
  }

  /** Takes that much memory in all; throws `rate_limited` if it is not free. */
  takeMemory(bytes: number): void {
    const more = bytes - this.#bytes;
    if (more <= 0) return;
    if (!this.#memory.take(more)) throw this.#memory.refusal();
    this.#bytes = bytes;
  }

  release(): void {
    this.#releaseWorld?.();
    this.#releaseWorld = undefined;
    this.#memory.give(this.#bytes);
    this.#bytes = 0;
  }
}
