// The tests that every driver of the store port must pass. A driver's own test file calls `describeStore` with a way to make one.
import { describe } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { describeJournalBodies } from './conformance/journal-bodies.ts';
import { describeJournals } from './conformance/journals.ts';
import { describePrepared } from './conformance/prepared.ts';
import { describeRecords } from './conformance/records.ts';
import { describeTransactions } from './conformance/transactions.ts';
import { kitFor } from './setup.ts';

export function describeStore(name: string, makeStore: () => Store | Promise<Store>): void {
  const kit = kitFor(makeStore);
  describe(`the ${name} store`, () => {
    describeRecords(kit);
    describeTransactions(kit);
    describeJournals(kit);
    describeJournalBodies(kit);
    describePrepared(kit);
  });
}
