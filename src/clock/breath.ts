// A long run takes breath: what else waits in this process has its turn in between.

/** How long something goes on before others have their turn. */
const BREATH_MS = 10;

export class Breath {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > BREATH_MS;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
