// Divides long work into slices of time, so that other work of this process runs in between.

/** How long work may continue without a pause. */
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
