// What a request holds while it is served: its world, which does not expire meanwhile, and memory for a large body and for
// a long response.
import type { ServerResponse } from 'node:http';
import type { Share } from '../budget/budget.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { CONNECTION_BYTES } from './connections.ts';

export class HeldResources {
  readonly #worlds: SandboxContext['worlds'];
  readonly #memory: Share;
  #bytes = 0;
  #response: { readonly world: string; readonly bytes: number } | undefined;
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
    if (!this.#memory.takeBeside(more)) throw this.#memory.refusal();
    this.#bytes = bytes;
  }

  /**
   * Takes what a response of that many bytes in all holds until its client has read it; throws `rate_limited` if a GET finds
   * no room.
   */
  takeForResponse(world: string, bytes: number, method: string): void {
    const more = bytes - (this.#response?.bytes ?? 0);
    if (bytes <= CONNECTION_BYTES || more <= 0) return;
    if (!this.#memory.takeFor(world, more, method !== 'GET')) throw this.#memory.refusal(this.#memory.takenBy(world));
    this.#response = { world, bytes };
  }

  /** To be called when the response was written; what a long one holds is given back when it was read. */
  release(res: ServerResponse): void {
    this.#releaseWorld?.();
    this.#releaseWorld = undefined;
    this.#memory.give(this.#bytes);
    this.#bytes = 0;
    const { world, bytes } = this.#response ?? {};
    if (world === undefined || bytes === undefined) return;
    const give = (): void => this.#memory.giveFor(world, bytes);
    if (res.closed) give();
    else res.once('close', give);
  }
}
