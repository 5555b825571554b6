// Random sequences of requests, clock moves, faults, delivery plans, resets and snapshots: `interface.md` sections 4 to 6.
// PROPERTY_SEQUENCES is their number. A failure prints its seed and path; PROPERTY_SEED and PROPERTY_PATH run it again.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { build, freePort, programs } from '../support/program.ts';
import { runs, thorough } from '../support/thorough.ts';
import { type RefusingReceiver, startRefusingReceiver } from './refusing-receiver.ts';
import { runSteps } from './run-steps.ts';
import { type Step, sequences } from './steps.ts';

const { PROPERTY_SEQUENCES, PROPERTY_SEED, PROPERTY_PATH } = process.env;
const replay = {
  ...(PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) }),
  ...(PROPERTY_PATH === undefined ? {} : { path: PROPERTY_PATH }),
};
/** What worlds draw follows from their names: the same steps draw the same, however many sequences came before. */
const nameOf = (steps: readonly Step[]): string =>
  createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 16);
const DAY_MS = 86_400_000;
const LONGEST = 25;

let receiver: RefusingReceiver;
beforeAll(async () => {
  receiver = await startRefusingReceiver();
});
afterAll(() => receiver.close());

describe('a random sequence', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ clock: 'manual', concurrentCalls: 'off' });
  });
  afterAll(() => sandbox.close());

  it('sends every event as each plan says, in order, ends every call, and keeps to its world', {
    timeout: DAY_MS,
  }, async () => {
    const property = fc.asyncProperty(sequences(LONGEST), async (steps) => {
      await runSteps(sandbox.url, `sequence-${nameOf(steps)}`, steps, receiver);
    });
    await fc.assert(property, { numRuns: Number(PROPERTY_SEQUENCES ?? runs(10, 1000)), ...replay });
  });
});

describe.runIf(thorough)('two processes', () => {
  const { serve } = programs();

  it('have the same journals after the same steps, to the byte', { timeout: DAY_MS }, async () => {
    await build();
    const tried = fc.sample(sequences(LONGEST), { numRuns: 50, ...replay });
    // The same address, because it is in what they show.
    const args = ['--clock', 'manual', '--seed', '7', '--rate-limit', 'off', '--port', String(await freePort())];
    const journals: string[][][] = [];
    for (let process = 0; process < 2; process++) {
      const server = await serve(args);
      const shown: string[][] = [];
      for (const [nth, steps] of tried.entries())
        shown.push(await runSteps(server.url, `same-${nth}`, steps, receiver));
      journals.push(shown);
      await server.stop();
    }
    const [first = [], second = []] = journals;
    for (const [nth, entries] of first.entries()) {
      const steps = JSON.stringify(tried[nth]);
      for (const [at, entry] of entries.entries()) expect(second[nth]?.[at], steps).toBe(entry);
      expect(second[nth], steps).toHaveLength(entries.length);
    }
  });
});
