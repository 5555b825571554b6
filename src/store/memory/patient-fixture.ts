// The fixture under a world as a transaction reads it. A transaction that can wait ends without an effect where it needs
// records that are still to be made, and runs again when they are.
import type { FixtureView, Tx } from '../store.ts';
import type { MemoryWorld } from './world.ts';

class RecordsUnmade extends Error {}

export class PatientFixture {
  readonly #world: MemoryWorld;
  canWait = false;
  /** Whether the transaction has ended without an effect. */
  isAwaited = false;

  constructor(world: MemoryWorld) {
    this.#world = world;
  }

  get view(): FixtureView {
    const { fixture } = this.#world;
    if (!this.canWait || !fixture.isUnmade) return fixture;
    this.isAwaited = true;
    throw new RecordsUnmade();
  }
}

interface Transaction {
  readonly fixture: PatientFixture;
  run<T>(body: (tx: Tx) => T): T;
}

/** Runs the body of a transaction that can wait; throws where it has to, also if the body has caught what it met. */
export function runOrWait<T>(tx: Transaction, body: (tx: Tx) => T): T {
  const { fixture } = tx;
  fixture.canWait = true;
  try {
    const value = tx.run(body);
    if (fixture.isAwaited) throw new RecordsUnmade();
    return value;
  } finally {
    fixture.canWait = false;
  }
}
