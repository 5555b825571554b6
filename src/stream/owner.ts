// Whose entries a reader with the key of a sub-entity sees: its own organization's.
import { organizationOf } from '../admin/timeline/subject.ts';
import type { Appended } from '../store/history.ts';
import type { Tx } from '../store/store.ts';

/** The organization whose readers see an entry; null for those of the world alone. */
export function ownerOf(tx: Tx, appended: Appended): string | null {
  if (appended.journal === 'inbox' || appended.journal === 'ticks') return null;
  return organizationOf(tx, appended);
}
