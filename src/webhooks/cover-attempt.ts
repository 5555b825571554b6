// What a delivery attempt adds to the coverage of its world: the receiver's answer, what the plan did to it, and
// whether the receiver accepted a delivery that it could have recognized as forged.
import {
  accepted,
  answered,
  answerTo,
  DUPLICATE_ACCEPTED,
  deliveryTroubles,
  forged,
  forgeryAccepted,
  troubled,
} from '../coverage/facts.ts';
import type { DeliveryAttempt, DeliveryEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';

type CoveredAttempt = Pick<DeliveryAttempt, 'status' | 'error_class' | 'reason' | 'plan' | 'signed_with'>;

export function coverAttempt(tx: Tx, { event_type }: Pick<DeliveryEntry, 'event_type'>, attempt: CoveredAttempt): void {
  const answer = answerTo(attempt);
  const isAccepted = answer === '2xx';
  if (answer) tx.cover(answered(answer));
  if (isAccepted) tx.cover(accepted(event_type));
  const { reason, plan: effects = [] } = attempt;
  if (reason === undefined && effects.length === 0) return;
  // An effect can have a value: `delay=3s`.
  const named = new Set<string | undefined>([reason, ...effects.map((effect) => effect.split('=')[0])]);
  for (const trouble of deliveryTroubles) if (named.has(trouble)) tx.cover(troubled(trouble));
  if (isAccepted && named.has('duplicate')) tx.cover(DUPLICATE_ACCEPTED);
  if (attempt.signed_with === undefined || attempt.signed_with === 'none') return;
  for (const forgery of ['tamper', 'wrong_secret'] as const) {
    if (!named.has(forgery)) continue;
    tx.cover(forged(forgery));
    if (isAccepted) tx.cover(forgeryAccepted(forgery));
  }
}
