// A scenario that is uploaded or checked is read in slices, between which requests are answered, and read once. The event
// loop is the test's.
import { afterEach, expect, it, vi } from 'vitest';
import { checkOverlay, putOverlay } from '../../src/admin/scenarios.ts';
import { createBudget } from '../../src/budget/budget.ts';
import { yaml } from '../../src/lazy-modules.ts';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, kitFor, WORLD } from '../store/setup.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

const HEAD = 'kind: call\nsummary: Long.\nextends: answered\n';
const transcript = (lines: number): string => `transcript:\n${'- {role: agent, text: hello}\n'.repeat(lines)}`;

/** A world beside which others are served; each piece of work takes a slice. */
async function world() {
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9) }));
  const { loop, afterRequests } = watchedLoop();
  const parts = {
    store: await kit.storeWithWorld(),
    turns: turnsOn(afterRequests, 1),
    scenarios: new ScenarioLibrary(),
  };
  const lexing = vi.spyOn(yaml().Lexer.prototype, 'lex');
  return { parts, loop, lexing };
}

afterEach(() => void vi.restoreAllMocks());

it('reads one that is uploaded in slices, and once', async () => {
  const { parts, loop, lexing } = await world();
  const { created, scenario } = await putOverlay(parts, WORLD, 'mine', HEAD + transcript(200));
  expect([created, scenario.transcript.length]).toEqual([true, 200]);
  expect(loop.rounds).toBeGreaterThan(40);
  expect(lexing).toHaveBeenCalledTimes(1);
});

it.each([
  ['what is not YAML', `${HEAD}${transcript(200)}timeline: [`, 'Flow sequence'],
  ['what is too large', HEAD + transcript(1000), 'is made of more than 5000'],
  ['fields that do not fit', `${HEAD}${transcript(200)}colour: red\n`, 'is not a known field'],
  ['what cannot be', `${HEAD}${transcript(200)}timeline: [{ after: 1s, trigger: fly }]\n`, 'fly'],
])('checks %s in slices, and reads it once', async (_, source, reason) => {
  const { parts, loop, lexing } = await world();
  const { faults, scenario } = await checkOverlay(parts, WORLD, 'mine', source);
  expect(scenario).toBe(null);
  expect(faults.map((fault) => fault.reason).join()).toContain(reason);
  expect(loop.rounds).toBeGreaterThan(40);
  expect(lexing).toHaveBeenCalledTimes(1);
});
