// The readers with waiting messages. They are written to when the commits of a tick are done; under constant load,
// every few milliseconds. There can be thousands, so that they are written to a slice at a time.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** One that sends as much as it can when it is told to. */
interface Sender {
  send(): void;
}

/** How long messages are gathered since the last write: each one wakes a reader, which takes as long as a message. */
const GATHER_MS = 10;
/** How long readers are written to before others get their turn. */
const SLICE_MS = 1;

export class Outbox {
  readonly #waiting = new Set<Sender>();
  /** By `performance.now()`. */
  #flushedAt = 0;
  #isNext = false;
  #timer: NodeJS.Timeout | undefined;

  /** Messages for a reader have come. */
  add(reader: Sender): void {
    this.#waiting.add(reader);
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait <= 0) this.#flushNext();
    else if (!this.#isNext) this.#timer ??= setTimeout(() => this.#flush(), wait);
  }

  /** A reader has taken what was sent, and more of its messages wait. */
  goOn(reader: Sender): void {
    this.#waiting.add(reader);
    this.#flushNext();
  }

  delete(reader: Sender): void {
    this.#waiting.delete(reader);
  }

  #flushNext(): void {
    if (this.#isNext) return;
    this.#isNext = true;
    setImmediate(() => {
      this.#isNext = false;
      this.#flush();
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    this.#flushedAt = began;
    // In the order in which they came; who has more to send comes last again.
    for (const reader of [...this.#waiting]) {
      if (performance.now() - began >= SLICE_MS) return this.#flushNext();
      this.#waiting.delete(reader);
      reader.send();
    }
  }

  /** Writes to all of them at once. */
  flushAll(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reader of waiting) reader.send();
  }
}
