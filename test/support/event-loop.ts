// The event loop as a test sees it: how often it goes round, and what happens between two slices of work.
import { Turns } from '../../src/scheduler/turns.ts';

export interface WatchedLoop {
  rounds: number;
  between: () => Promise<void>;
}

/** Begins a slice a round later, once `between` of the loop is over. */
export function watchedLoop(): { readonly loop: WatchedLoop; readonly afterRequests: (callback: () => void) => void } {
  const loop: WatchedLoop = { rounds: 0, between: async () => {} };
  const afterRequests = (callback: () => void): void => {
    setImmediate(async () => {
      loop.rounds += 1;
      await loop.between();
      callback();
    });
  };
  return { loop, afterRequests };
}

/** Turns on such a loop, in which time passes with work alone: so many milliseconds for each piece. */
export function turnsOn(afterRequests: (callback: () => void) => void, msOfPiece: number): Turns {
  let now = 0;
  class Working extends Turns {
    override work<Result>(piece: () => Result, world?: string): Result {
      return super.work(() => {
        now += msOfPiece;
        return piece();
      }, world);
    }
  }
  return new Working({ now: () => now, afterRequests });
}
