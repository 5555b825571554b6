// A limited number of places, in total and per world, which worlds take in turns.
import { FairQueue } from '../fair-queue.ts';

interface Waiting {
  readonly world: string;
  readonly enter: () => void;
}

export class Places {
  readonly #total: number;
  readonly #perWorld: number;
  readonly #taken = new Map<string, number>();
  /** Those for whom the place of their own world is not the problem. */
  readonly #waiting = new FairQueue<Waiting>();
  /** By world: those that wait for a place of their own world. */
  readonly #behind = new Map<string, Waiting[]>();
  #inUse = 0;

  constructor(total: number, perWorld: number) {
    this.#total = total;
    this.#perWorld = perWorld;
  }

  /** Resolves to true when there is a place, or to false when the signal ends the wait first. */
  async take(world: string, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false;
    if (this.#inUse < this.#total && this.#of(world) < this.#perWorld && this.#waiting.size === 0) {
      this.#enter(world);
      return true;
    }
    return new Promise((end) => {
      const withdraw = (): void => {
        this.#remove(waiting);
        end(false);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', withdraw);
        end(true);
      };
      const waiting = { world, enter };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#wait(waiting);
      this.#admit();
    });
  }

  leave(world: string): void {
    this.#inUse -= 1;
    const left = this.#of(world) - 1;
    if (left > 0) this.#taken.set(world, left);
    else this.#taken.delete(world);
    const behind = this.#behind.get(world);
    const next = behind?.shift();
    if (behind?.length === 0) this.#behind.delete(world);
    if (next) this.#wait(next);
    this.#admit();
  }

  #of(world: string): number {
    return this.#taken.get(world) ?? 0;
  }

  #enter(world: string): void {
    this.#inUse += 1;
    this.#taken.set(world, this.#of(world) + 1);
  }

  #wait(waiting: Waiting): void {
    this.#waiting.add(waiting.world, waiting);
  }

  #remove(waiting: Waiting): void {
    const { world } = waiting;
    if (this.#waiting.remove(world, waiting)) return;
    const behind = this.#behind.get(world);
    const index = behind?.indexOf(waiting) ?? -1;
    if (index >= 0) behind?.splice(index, 1);
    if (behind?.length === 0) this.#behind.delete(world);
  }

  #admit(): void {
    while (this.#inUse < this.#total) {
      const next = this.#waiting.take();
      if (!next) return;
      const { world, enter } = next;
      if (this.#of(world) < this.#perWorld) {
        this.#enter(world);
        enter();
      } else {
        const behind = this.#behind.get(world);
        if (behind) behind.push(next);
        else this.#behind.set(world, [next]);
      }
    }
  }
}
