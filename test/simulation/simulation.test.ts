// Thousands of interleavings of three replicas, and what must hold at the end of each. A failure names its seed;
// `SIMULATION_SEED=…` runs that one alone, and `SIMULATION_RUNS=…` as many as one likes, from there.
import { describe, expect, it } from 'vitest';
import { runs, sample, thorough } from '../support/thorough.ts';
import { brokenScript } from './broken-script.ts';
import { explore, type InterleavingOptions } from './interleaving.ts';

const chosen = Number(process.env.SIMULATION_SEED ?? 0);
const count = Number(process.env.SIMULATION_RUNS ?? (chosen > 0 ? 1 : runs(6, 1000)));
const first = chosen > 0 ? chosen : 1;
const DEADLINE_MS = 86_400_000;

/** The commit script without its check of the commit that a copy has seen last. */
const latestCommit = ["if here[3] ~= ARGV[4] then return { 'reload', now } end", ''] as const;

/** What is wrong with the first interleaving that goes wrong, and its seed. */
async function firstProblem(most: number, from: number, options?: InterleavingOptions): Promise<string | null> {
  for (let seed = from; seed < from + most; seed += 1) {
    const problems = await explore(seed, options);
    if (problems.length > 0) return `SIMULATION_SEED=${seed}: ${problems.join('\n')}`;
  }
  return null;
}

describe('three replicas in a simulation', () => {
  it(
    'keep every promise, whatever is killed, stands still, is lost, late or fails over',
    async () => {
      expect(await firstProblem(count, first)).toBeNull();
    },
    DEADLINE_MS,
  );

  it.runIf(thorough)('go the same way twice from one seed', async () => {
    const options = { broken: brokenScript(latestCommit) };
    const problems = await firstProblem(1000, 1, options);
    const seed = Number(problems?.match(/SEED=(\d+)/)?.[1]);
    expect(await firstProblem(1, seed, options)).toBe(problems);
  });

  it.each(
    sample(
      [
        ['the latest commit of a copy', [latestCommit]],
        [
          'when the others were last alive',
          [['reply[index + 2] = value', 'reply[index + 2] = index % 2 == 0 and now or value']],
        ],
        ['who does the work of worlds', [["else redis.call('HSET', KEYS[7], held, ARGV[index + 1]) end", 'end']]],
        ['the id of a commit whose reply was lost', [['if commits[at][1] == ARGV[5] then', 'if false then']]],
        // The check of the latest commit would cover for these two.
        [
          'the version and the latest commit of a copy',
          [['if version > expected then', 'if false then'], latestCommit],
        ],
        [
          'whether a world was created again',
          [["if here[1] ~= ARGV[2] then return { 'reload', now } end", ''], latestCommit],
        ],
      ] as const,
      () => 'one',
    ),
  )('break a promise within 1,000 runs when the script does not check %s', async (_, changes) => {
    expect(await firstProblem(1000, 1, { broken: brokenScript(...changes) })).toMatch(/^SIMULATION_SEED=\d+: /);
  });
});
