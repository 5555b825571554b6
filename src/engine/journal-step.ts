// The journal of steps: every creation and every transition of a record, with what caused it.
import { timestamp } from '../clock/clock.ts';
import { token } from '../identity/seeded.ts';
import type { Subject } from '../model.ts';
import type { Tx } from '../store/store.ts';

/** Appends a step to the journal; returns its id. */
export function appendStep(tx: Tx, subject: Subject, trigger: string, from: string | null, to: string): string {
  const id = `stp_${token(24, tx.world.seed, tx.world.name, 'steps', tx.ordinal('steps'))}`;
  tx.append('steps', { id, at: timestamp(tx.at), subject, trigger, from, to, cause: tx.cause });
  return id;
}
