// How long scenarios take: the ranges that `interface.md` section 3 states, and how a seed draws from them.
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Client, clientOf, playing } from '../support/client.ts';
import { runs } from '../support/thorough.ts';
import { inWorld, type Step, untilIdle, useScenarios } from './setup.ts';

const { sandbox, client } = useScenarios();

describe('timings', () => {
  type Path = Readonly<Record<string, number>>;

  /** When a call reached each status, in milliseconds after it was dialed. */
  function pathOf(id: string, steps: readonly Step[], dialed: number): Path {
    const own = steps.filter(({ subject }) => subject.id === id);
    return Object.fromEntries(own.map(({ to, at }) => [to, Date.parse(at) - dialed]));
  }

  async function play(of: Client, use: string, times: number): Promise<Path[]> {
    const dialed = Date.parse((await of.get('/_sandbox/clock')).body.data.now);
    const ids: string[] = [];
    for (let n = 0; n < times; n++) ids.push(await of.call('+12125550147', playing(use)));
    const steps = await untilIdle(of);
    return ids.map((id) => pathOf(id, steps, dialed));
  }

  const promised: readonly [name: string, what: string, span: (path: Path) => number, least: number, most: number][] = [
    ['answered', 'rings', (path) => Number(path.IN_PROGRESS) - Number(path.RINGING), 2000, 4000],
    ['answered', 'talks', (path) => Number(path.COMPLETED) - Number(path.IN_PROGRESS), 8000, 20_000],
    ['no_answer', 'times out', (path) => Number(path.NO_ANSWER), 30_000, 30_000],
    ['busy', 'comes', (path) => Number(path.BUSY), 1000, 3000],
    ['number_unreachable', 'comes', (path) => Number(path.FAILED), 1000, 3000],
    ['voicemail', 'answers', (path) => Number(path.IN_PROGRESS), 15_000, 25_000],
  ];

  it.each(promised)('%s %s within its range in 50 calls of one world', async (name, what, span, least, most) => {
    const spans = (await play(inWorld(sandbox, `timing-${name}-${what}`.replace(/[_ ]/g, '-')), name, 50)).map(span);
    expect(spans).toHaveLength(50);
    expect(spans.filter((ms) => !(ms >= least && ms <= most))).toEqual([]);
    if (least < most) {
      expect(new Set(spans).size).toBeGreaterThan(25);
      expect(Math.max(...spans) - Math.min(...spans)).toBeGreaterThan((most - least) / 2);
    }
  });

  it('busy and unreachable calls never ring', async () => {
    for (const name of ['busy', 'number_unreachable']) {
      for (const path of await play(client, name, 5)) expect(Object.keys(path)).toHaveLength(1);
    }
  });

  it('hold for every seed', async () => {
    for (let seed = 1; seed <= runs(2, 50); seed++) {
      const seeded = await createSandbox({ clock: 'manual', seed });
      try {
        const own = clientOf(seeded.url);
        for (const name of new Set(promised.map(([each]) => each))) {
          const [path] = (await play(own, name, 1)) as [Path];
          for (const [of, what, span, least, most] of promised) {
            if (of !== name) continue;
            expect(span(path), `${name} ${what}, seed ${seed}`).toBeGreaterThanOrEqual(least);
            expect(span(path), `${name} ${what}, seed ${seed}`).toBeLessThanOrEqual(most);
          }
        }
      } finally {
        await seeded.close();
      }
    }
  });

  it('include both ends of a range and nothing beyond', async () => {
    const drawn = (await play(client, 'busy;ring=1ms..3ms', 60)).map((path) => path.BUSY);
    expect([...new Set(drawn)].sort()).toEqual([1, 2, 3]);
  });

  it('verification_slow takes days', async () => {
    const start = Date.parse(await sandbox.clock.now());
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' }, playing('verification_slow'));
    const [spoken] = await untilIdle(client);
    expect(spoken?.trigger).toBe('speak_code');
    expect(Date.parse(spoken?.at as string) - start).toBeGreaterThanOrEqual(24 * 3_600_000);
  });

  it('answered;talk=90s talks for 90 seconds', async () => {
    const [path] = await play(client, 'answered;talk=90s', 1);
    expect(Number(path?.COMPLETED) - Number(path?.IN_PROGRESS)).toBe(90_000);
  });

  it('are the same for the same seed and world, and differ for another seed or world', async () => {
    const talks = async (seed: number, world: string): Promise<unknown> => {
      const seeded = await createSandbox({ clock: 'manual', seed });
      const paths = await play(inWorld(seeded, world), 'answered', 5);
      await seeded.close();
      return paths;
    };
    const first = await talks(5, 'here');
    expect(await talks(5, 'here')).toEqual(first);
    expect(await talks(6, 'here')).not.toEqual(first);
    expect(await talks(5, 'there')).not.toEqual(first);
  });
});
