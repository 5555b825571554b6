// How much of a state file is written at once: requests run in between. Time and the event loop are the test's.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { type ClockSetting, newClock, parseClockSetting, systemNow } from '../../src/clock/clock.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { FILE_FORMAT } from '../../src/state/form.ts';
import { writeStateFile } from '../../src/state/write-file.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, ORGANIZATION } from '../store/setup.ts';
import { temporaryFolders } from '../support/folders.ts';
import { workPerRound } from '../support/work-per-round.ts';

const folderOf = temporaryFolders();

const ENTRIES = 3000;
const TEXT = 'x'.repeat(1000);

async function worldsWithMuch() {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: ENTRIES, budget: createBudget(1e9) });
  const clock = newClock(parseClockSetting('manual') as ClockSetting, 0, systemNow());
  const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
  await store.transaction('w', (tx) => {
    for (let n = 0; n < ENTRIES; n++) {
      tx.schedule({ type: 'fire', subject: { table: 'calls', id: `${n} ${TEXT}` }, trigger: 'ring', input: {} }, n);
    }
  });
  return Object.fromEntries(store.dumpAll(0).map((dump) => [dump.facts.name, dump]));
}

it('a state file is written in pieces of 64 KiB, of which few are made before requests run', async () => {
  const pieces: number[] = [];
  let now = 0;
  const perRound = workPerRound();
  class Counting extends Turns {
    override work<Result>(piece: () => Result, world?: string): Result {
      return super.work(() => {
        const made = piece();
        now += 0.3;
        pieces.push(String(made).length);
        perRound.count();
        return made;
      }, world);
    }
  }
  const file = join(folderOf(), 'state.json');
  const facts = { format: FILE_FORMAT, run: 'r', clean: false, crashes: 0, log: 1, gone: {} };
  const content = { ...facts, worlds: await worldsWithMuch() };
  await writeStateFile(
    file,
    content,
    new Counting({ now: () => now, afterRequests: perRound.afterRequests }),
    () => true,
  );
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).worlds.w.schedule)).toHaveLength(ENTRIES);
  expect(pieces.length).toBeGreaterThan(ENTRIES / 66);
  expect(Math.max(...pieces)).toBeLessThan(64 * 1024 + 2 * TEXT.length);
  // A slice is 1 ms: four pieces use it up.
  expect(perRound.most).toBeLessThanOrEqual(4);
});
