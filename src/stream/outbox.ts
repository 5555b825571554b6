// The readers with waiting messages. They are written to when the commits of a tick are done; under constant load,
// every few milliseconds.
import { setImmediate, setTimeout } from 'node:timers';
import type { Reader } from './reader.ts';

/** How long messages are gathered since the last write: each one wakes a reader, which takes as long as a message. */
const GATHER_MS = 10;

export class Outbox {
  readonly #waiting = new Set<Reader>();
  /** By `performance.now()`. */
  #flushedAt = 0;

  add(reader: Reader): void {
    if (this.#waiting.size === 0) this.#flushSoon();
    this.#waiting.add(reader);
  }

  delete(reader: Reader): void {
    this.#waiting.delete(reader);
  }

  #flushSoon(): void {
    const wait = this.#flushedAt + GATHER_MS - performance.now();
    if (wait > 0) setTimeout(() => this.flush(), wait);
    else setImmediate(() => this.flush());
  }

  flush(): void {
    this.#flushedAt = performance.now();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reader of waiting) reader.send();
  }
}
