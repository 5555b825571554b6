// Weighted branches of a timeline: how often each is drawn, and that the seed decides.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, playing } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { putYaml, untilIdle } from './setup.ts';

describe('weighted branches', () => {
  const coin = [
    'kind: call',
    'summary: Busy three times out of four.',
    'timeline:',
    '  - branch:',
    '      - { weight: 3, timeline: [{ after: 1s, trigger: busy }] }',
    '      - weight: 1',
    '        timeline:',
    '          - { after: 1s, trigger: ring }',
    '          - branch:',
    '              - { weight: 1, timeline: [{ after: 1s, trigger: decline }] }',
    '              - { weight: 1, timeline: [{ after: 1s, trigger: no_answer }] }',
    '',
  ].join('\n');

  async function toss(seed: number, times: number): Promise<string[]> {
    const seeded = await createSandbox({ clock: 'manual', seed, rateLimit: 'off', concurrentCalls: 'off' });
    try {
      const own = clientOf(seeded.url);
      await putYaml(own, 'coin', coin);
      const ids: string[] = [];
      for (let n = 0; n < times; n++) ids.push(await own.call('+12125550147', playing('coin')));
      const last = new Map((await untilIdle(own)).map(({ subject, to }) => [subject.id, to]));
      return ids.map((id) => last.get(id) as string);
    } finally {
      await seeded.close();
    }
  }

  it('are drawn in proportion to their weights', async () => {
    const times = runs(100, 400);
    const ends = await toss(1, times);
    const share = (end: string): number => ends.filter((each) => each === end).length / ends.length;
    // Four standard deviations; the draws follow from the seed.
    const near = (wanted: number, end: string): void =>
      expect(Math.abs(share(end) - wanted), end).toBeLessThan(4 * Math.sqrt((wanted * (1 - wanted)) / times));
    near(0.75, 'BUSY');
    near(0.125, 'FAILED');
    near(0.125, 'NO_ANSWER');
    expect(share('BUSY') + share('FAILED') + share('NO_ANSWER')).toBe(1);
  });

  it('are drawn the same for the same seed and differently for another', async () => {
    const first = await toss(7, 20);
    expect(await toss(7, 20)).toEqual(first);
    expect(await toss(8, 20)).not.toEqual(first);
  });
});
