// A long run takes breath: what else waits in this process has its turn in between.

/** How long something goes on before others have their turn. */
const SLICE_MS = 10;

export class TimeSlice {
  #began = performance.now();

  get isExpired(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
