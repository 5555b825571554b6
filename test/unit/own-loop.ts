// Turns whose time passes with the work that a test does, and whose event loop goes round when it is told to.
import { Turns } from '../../src/scheduler/turns.ts';

export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export function ownLoop() {
  let now = 0;
  let callbacks: (() => void)[] = [];
  const turns = new Turns({ now: () => now, afterRequests: (callback) => callbacks.push(callback) });
  return {
    turns,
    /** Lets that many milliseconds pass. */
    spend: (ms: number): void => {
      now += ms;
    },
    async goRound(): Promise<void> {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      await settled();
    },
  };
}
