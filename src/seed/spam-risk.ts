// How likely carriers are to label a number as spam: `spec.md` "Number reputation monitoring". Every number that is
// enrolled has a risk from the start; it follows from the seed.
import type { Schemas } from '../contract/document.ts';
import type { Row } from '../model.ts';
import { fraction } from '../store/identity.ts';

/** Most numbers are well thought of; a fifth would merit a look. */
const MEDIUM_FROM = 0.8;
const HIGH_FROM = 0.93;

/** The risk of a number, `unknown` until it is enrolled. */
export function spamRiskOf(seed: number, number: Row<'phone_numbers'>): Schemas['SpamRisk'] {
  if (number.reputation_enrolled_at === null) return 'unknown';
  const drawn = fraction(seed, 'spam risk', number.phone_number, number.id);
  if (drawn >= HIGH_FROM) return 'high';
  return drawn >= MEDIUM_FROM ? 'medium' : 'low';
}
