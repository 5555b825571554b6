// Weighted branches of a timeline: how often each is drawn, and that the seed decides.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf, playing } from '../support/client.ts';
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
    const ends = await toss(1, 400);
    const share = (end: string): number => ends.filter((each) => each === end).length / ends.length;
    expect(share('BUSY')).toBeGreaterThan(0.67);
    expect(share('BUSY')).toBeLessThan(0.83);
    for (const end of ['FAILED', 'NO_ANSWER']) {
      expect(share(end), end).toBeGreaterThan(0.07);
      expect(share(end), end).toBeLessThan(0.19);
    }
    expect(share('BUSY') + share('FAILED') + share('NO_ANSWER')).toBe(1);
  });

  it('are drawn the same for the same seed and differently for another', async () => {
    const first = await toss(7, 40);
    expect(await toss(7, 40)).toEqual(first);
    expect(await toss(8, 40)).not.toEqual(first);
  });
});
