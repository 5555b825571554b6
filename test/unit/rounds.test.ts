// When work is done in the rounds of an event loop in which connections arrive. Time and the event loop are the test's.
import { describe, expect, it } from 'vitest';
import { Callers } from '../../src/http/callers.ts';
import { Rounds } from '../../src/scheduler/rounds.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { settled } from './own-loop.ts';

function ownRounds() {
  let now = 0;
  let callbacks: (() => void)[] = [];
  const rounds = new Rounds({ now: () => now, afterReading: (callback) => callbacks.push(callback) });
  return {
    rounds,
    /** A round that takes so long before work may be done. */
    async goRound(ms: number): Promise<void> {
      now += ms;
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      await settled();
    },
    spend: (ms: number): void => {
      now += ms;
    },
  };
}

/** How many rounds go by until work is done after work that has taken so long, while each brings a connection and takes 0.25 ms. */
async function roundsWithout(workMs: number): Promise<number> {
  const { rounds, goRound, spend } = ownRounds();
  rounds.next(() => spend(workMs));
  await goRound(0);
  let isDone = false;
  rounds.next(() => {
    isDone = true;
  });
  for (let count = 0; ; count++) {
    rounds.connectionArrived();
    await goRound(0.25);
    if (isDone) return count;
  }
}

describe('work', () => {
  it('is done in the next round where no connection has arrived', async () => {
    const { rounds, goRound } = ownRounds();
    const done: string[] = [];
    rounds.next(() => done.push('first'));
    rounds.next(() => done.push('second'));
    await goRound(1);
    expect(done).toEqual(['first', 'second']);
  });

  it('waits for a round that brings no connection, all of it alike', async () => {
    const { rounds, goRound } = ownRounds();
    const done: string[] = [];
    rounds.next(() => done.push('first'));
    rounds.next(() => done.push('second'));
    rounds.connectionArrived();
    await goRound(1);
    rounds.next(() => done.push('third'));
    expect(done).toEqual([]);
    await goRound(0.25);
    expect(done).toEqual(['first', 'second', 'third']);
  });

  it('waits as long as the work before has taken while connections arrive: 1 ms at least, and 4 ms at most', async () => {
    expect(await roundsWithout(0)).toBe(4);
    expect(await roundsWithout(1.75)).toBe(8);
    expect(await roundsWithout(100)).toBe(16);
  });

  it('of requests and of turns alike waits while connections arrive', async () => {
    const { rounds, goRound } = ownRounds();
    const turns = new Turns(rounds);
    const done: string[] = [];
    void new Callers(turns, rounds).turnOf({ headers: {} }, '/v1/me').then(() => done.push('request'));
    void turns.next('w').then(() => done.push('turn'));
    rounds.connectionArrived();
    await goRound(0.25);
    expect(done).toEqual([]);
    await goRound(0.25);
    expect(done.sort()).toEqual(['request', 'turn']);
  });
});
