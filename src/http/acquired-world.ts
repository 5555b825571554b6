// Keeps the world of a request from expiring while the request is being served.
import type { SandboxContext } from '../engine/sandbox-context.ts';

export class AcquiredWorld {
  readonly #worlds: SandboxContext['worlds'];
  #release: (() => void) | undefined;

  constructor(worlds: SandboxContext['worlds']) {
    this.#worlds = worlds;
  }

  /** Acquires that world, then releases the one acquired before. */
  move(world: string): void {
    const releasePrevious = this.#release;
    this.#release = this.#worlds.acquire(world);
    releasePrevious?.();
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
