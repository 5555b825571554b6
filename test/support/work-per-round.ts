// Counts the pieces of work between two rounds of the event loop, in which requests run.
import { setImmediate } from 'node:timers';

export interface WorkPerRound {
  /** A piece of work has been done. */
  count(): void;
  /** The most pieces of a round. */
  readonly most: number;
  /** For the turns that share the event loop. */
  afterRequests(callback: () => void): void;
}

export function workPerRound(): WorkPerRound {
  let inRound = 0;
  let most = 0;
  return {
    count() {
      inRound += 1;
      most = Math.max(most, inRound);
    },
    get most() {
      return most;
    },
    afterRequests(callback) {
      setImmediate(() => {
        inRound = 0;
        callback();
      });
    },
  };
}
