// Ids such as `evt_1f0c…` for what has no table or no UUID: journal entries and subscriptions.
import { inOnePiece, token } from '../identity/seeded.ts';
import type { JournalName } from '../model.ts';
import { keysOf } from '../typed-keys.ts';
import type { Tx } from './store.ts';

/** The ids of journal entries begin with these. */
export const journalPrefixes = {
  requests: 'req',
  steps: 'stp',
  events: 'evt',
  deliveries: 'dlv',
  inbox: 'inb',
  ticks: 'tick',
} as const satisfies Readonly<Record<JournalName, string>>;

/** The next id of an entry of that journal. */
export const nextEntryId = (tx: Tx, journal: JournalName): string => nextId(tx, journalPrefixes[journal], journal);

export const isRequestId = (id: string): boolean => id.startsWith(`${journalPrefixes.requests}_`);

/** The journal whose entries have ids like this one; undefined for any other id. */
export function journalOfId(id: string): JournalName | undefined {
  return keysOf(journalPrefixes).find((journal) => id.startsWith(`${journalPrefixes[journal]}_`));
}

/** The next id with this prefix, derived from the seed, the world and how many of these there were before. */
export function nextId(tx: Tx, prefix: string, ordinals: string): string {
  return inOnePiece(`${prefix}_${token(24, tx.world.seed, tx.world.name, ordinals, tx.ordinal(ordinals))}`);
}
