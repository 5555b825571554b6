// The journal of steps: every creation and every transition of a record, with what caused it.
import { timestamp } from '../clock/clock.ts';
import type { Subject } from '../model.ts';
import { nextId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';

/** Appends a step to the journal; returns its id. */
export function appendStep(tx: Tx, subject: Subject, trigger: string, from: string | null, to: string): string {
  const id = nextId(tx, 'stp', 'steps');
  tx.append('steps', { id, at: timestamp(tx.at), subject, trigger, from, to, cause: tx.cause });
  return id;
}
