// A replacement for a world's records, tasks and entries, built in slices next to the world itself.
import type { Tx } from '../store.ts';
import type { Accounts } from './accounts.ts';
import { PreparedWorld } from './prepared-world.ts';
import { MemoryTransaction } from './transaction.ts';
import { Uniques } from './uniques.ts';
import type { MemoryWorld } from './world.ts';

function* piecesOf(pieces: Iterator<void>): Generator<void, void> {
  while (!pieces.next().done) yield;
}

export function* prepareDraft(
  world: MemoryWorld,
  accounts: Accounts,
  systemTime: number,
  journalLimit: number,
  fill: (tx: Tx) => Iterator<void>,
): Generator<void, PreparedWorld> {
  const draft = world.draft();
  const tx = new MemoryTransaction(draft, new Uniques(), accounts, systemTime, null);
  let dropped = 0;
  for (const pieces = fill(tx); !pieces.next().done; ) {
    // Nobody sees it before it is whole, so nothing is to be undone.
    tx.undo.length = 0;
    // As the commit does, for which it would be much at once.
    dropped += draft.journals.trim(journalLimit);
    yield;
    // With its start, it gets records of the fixture that are to be made.
    if (draft.fixture.isUnmade) yield* piecesOf(draft.fixture.make());
  }
  return new PreparedWorld(draft, tx.appended, dropped);
}
