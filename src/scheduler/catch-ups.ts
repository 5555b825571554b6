// Runs what is due in a world once, however many ask for it meanwhile, and again for who asks after the last look.

interface CatchUp {
  /** Whether somebody has asked since it looked for what is due. */
  isAgain: boolean;
  done: Promise<void>;
}

export class CatchUps {
  readonly #running = new Map<string, CatchUp>();
  readonly #drain: (world: string, onLook: () => void) => Promise<void>;

  /** `drain` runs what is due, and calls back in each transaction that looks for it. */
  constructor(drain: (world: string, onLook: () => void) => Promise<void>) {
    this.#drain = drain;
  }

  /** Resolves when all that is due by now has run. */
  run(world: string): Promise<void> {
    const running = this.#running.get(world);
    if (running) {
      // A store that is far away says only later what a look has found, and more may be due by then.
      running.isAgain = true;
      return running.done;
    }
    const catchUp: CatchUp = { isAgain: false, done: Promise.resolve() };
    this.#running.set(world, catchUp);
    catchUp.done = this.#work(world, catchUp);
    return catchUp.done;
  }

  async #work(world: string, catchUp: CatchUp): Promise<void> {
    const onLook = (): void => {
      catchUp.isAgain = false;
    };
    try {
      do {
        catchUp.isAgain = false;
        await this.#drain(world, onLook);
      } while (catchUp.isAgain);
    } finally {
      this.#running.delete(world);
    }
  }
}
