// Whose entries a reader with the key of a sub-entity sees.
import { organizationOf } from '../admin/timeline/subject.ts';
import type { Appended } from '../store/history.ts';
import type { Tx } from '../store/store.ts';

/** Whether an entry belongs to that organization; what no organization owns belongs to the world's own. */
export function isSeen(tx: Tx, appended: Appended, organization: string): boolean {
  if (appended.journal === 'inbox' || appended.journal === 'ticks') return false;
  return organizationOf(tx, appended) === organization;
}
