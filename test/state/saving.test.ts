// How changes are gathered before they are saved.
import { join } from 'node:path';
import { Low } from 'lowdb';
import { it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { createLog } from '../../src/pino-log.ts';
import type { StateFile } from '../../src/state/form.ts';
import { Saving } from '../../src/state/saving.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, contact, newWorld, WORLD } from '../store/setup.ts';
import { temporaryFolders } from '../support/folders.ts';
import { until } from '../support/until.ts';

const folderOf = temporaryFolders();

/** How many changes of worlds are saved together, each time that some are. */
class Counting extends MemoryStore {
  readonly saved: number[] = [];

  override takeChanges(systemTime: number): ReturnType<MemoryStore['takeChanges']> {
    const changes = super.takeChanges(systemTime);
    for (const change of changes.values()) {
      if (change && 'delta' in change) this.saved.push(change.delta.rows.contacts?.length ?? 0);
    }
    return changes;
  }
}

it('commits of one moment are saved together', async () => {
  const budget = createBudget(1e9);
  const store = new Counting({ fixtureView: () => base, journalLimit: 100, budget, tracksChanges: true });
  await store.addWorld(newWorld);
  const file = join(folderOf(), 'state.json');
  const database = new Low<StateFile | null>({ read: async () => null, write: async () => {} }, null);
  const log = await createLog('silent', null);
  const saving = new Saving({ file, database, log, store, firstLog: 1, gone: () => [], crashes: 0 });
  await saving.begin();
  // No timer runs between them: a transaction in memory waits for nothing.
  for (let n = 0; n < 50; n++) await store.transaction(WORLD, (tx) => tx.put('contacts', contact(`c-${n}`, n)));
  await until(() => store.saved).toEqual([50]);
  await saving.close(Number.POSITIVE_INFINITY);
});
