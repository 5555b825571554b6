// Phone numbers of people who do not exist: 555-0170 to 555-0189, as in the fixtures.
import { integer } from '../../identity/seeded.ts';
import type { Tx } from '../../store/store.ts';

/** The next one of this world; it follows from the seed. */
export function fictionalNumber(tx: Tx): string {
  const { seed, name } = tx.world;
  const digits = integer(170, 189, seed, name, 'someone', tx.ordinal('someone'));
  return `+1415555${String(digits).padStart(4, '0')}`;
}
