// Ids such as `evt_1f0c…` for what has no table or no UUID: journal entries and subscriptions.
import { token } from '../identity/seeded.ts';
import type { Tx } from './store.ts';

/** The next id with this prefix, derived from the seed, the world and how many of these there were before. */
export function nextId(tx: Tx, prefix: string, ordinals: string): string {
  return `${prefix}_${token(24, tx.world.seed, tx.world.name, ordinals, tx.ordinal(ordinals))}`;
}
