// Tells a world between two resets from all others that have had its name, for what gives access to it.
import type { Secrets } from '../identity/secrets.ts';
import type { Tx } from '../store/store.ts';

/**
 * What client tokens and those who join rooms are named after beside their world, so that a token of an earlier world of
 * that name, or of the time before a reset, opens nothing in this one. Epochs alone begin again where a restart keeps no
 * worlds; a server without a secret leaves it at that to be reproducible, since whoever knows its seed knows its keys
 * anyway.
 */
export function worldLife(tx: Tx, secrets: Secrets): readonly number[] {
  const epoch = tx.state('epoch');
  return secrets.arePublic ? [epoch] : [tx.world.created ?? 0, epoch];
}
