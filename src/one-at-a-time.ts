// Work of several steps, of which one at a time is done under each key.

export class OneAtATime {
  /** The end of the latest work under a key, however it ends. */
  readonly #latest = new Map<string, Promise<void>>();

  /** Does this work when all earlier work under that key has ended. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = Promise.resolve(this.#latest.get(key)).then(work);
    const end = result.then(
      () => {},
      () => {},
    );
    this.#latest.set(key, end);
    try {
      return await result;
    } finally {
      if (this.#latest.get(key) === end) this.#latest.delete(key);
    }
  }
}
