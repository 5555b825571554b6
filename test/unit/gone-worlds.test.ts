// What is remembered of worlds that are gone, and how much of it.
import { describe, expect, it } from 'vitest';
import { GoneWorlds } from '../../src/engine/gone-worlds.ts';

const MANY = 100_001;

describe('the list of worlds that are gone', () => {
  it.each(['add', 'learn'] as const)('forgets the oldest past 100,000 names (%s)', (note) => {
    const gone = new GoneWorlds({});
    for (let n = 0; n < MANY; n++) gone[note](`w${n}`, 4);
    expect(gone.afterRestart()).toHaveLength(100_000);
    expect([gone.nextEpoch('w0'), gone.nextEpoch('w1')]).toEqual([1, 5]);
  });

  it('keeps the latest epoch that it has learned', () => {
    const gone = new GoneWorlds({});
    gone.learn('w', 3);
    gone.learn('w', 2);
    expect(gone.nextEpoch('w')).toBe(4);
  });
});
