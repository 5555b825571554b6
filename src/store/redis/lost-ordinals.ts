// What keeps ids and places in streams from being given out twice when a server of Redis has lost its latest commits: whoever
// commits first in a world on another server, or on one that was started again, raises the ordinals that ids are made of, and
// the position of its journals.
import type { MemoryWorld } from '../memory/world.ts';
import type { Tx } from '../store.ts';

/** More ordinals than a server can lose that were given out. */
const LOST_ORDINALS = 100_000;
/** How many hexadecimal digits of the id of a server say how far ordinals are raised: they stay below what a rank may be. */
const SERVER_DIGITS = 5;

export function raiseOrdinals(tx: Tx, { ordinals, journals }: MemoryWorld, server: string): void {
  // Another one for each server: a failover may lose what was raised for the one before.
  const by = LOST_ORDINALS * (1 + Number.parseInt(server.slice(0, SERVER_DIGITS), 16));
  for (const [name, latest] of [...ordinals]) tx.setOrdinal(name, latest + by);
  tx.setState('ordinals_from', tx.state('ordinals_from') + by);
  // Undone with the transaction. Who has read what was lost goes on after it, and misses nothing of what comes instead.
  journals.position += by;
}
