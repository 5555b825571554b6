// Breaks off a connection on which nothing is answered to its end. What answers byte by byte is not silent, so that the client
// library waits, and everything with it.
import type { Connection } from './connection.ts';

/** How long an answer may take, or a connection until it can be used. */
const ANSWER_MS = 5000;

export class StuckConnection {
  readonly #connection: Connection;
  /** When it was last seen to be open, with nothing unanswered. */
  #soundAt: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#soundAt = connection.time.elapsed();
  }

  /** To be called regularly, and told whether what was asked the last time is still unanswered. */
  look(isWaiting: boolean): void {
    const now = this.#connection.time.elapsed();
    if (this.#connection.isOpen && !isWaiting) this.#soundAt = now;
    if (now - this.#soundAt <= ANSWER_MS) return;
    this.#connection.breakOff();
    this.#soundAt = now;
  }
}
