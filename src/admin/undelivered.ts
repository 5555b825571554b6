// Says why an event that has happened was not delivered, and what to do.
import type { DeliveryEntry, EventEntry, UnheardReason } from '../model.ts';

/** The delivery is one that was not accepted; undefined if the event has none. */
export interface Undelivered {
  readonly event: EventEntry;
  readonly delivery: DeliveryEntry | undefined;
}

export function whyUndelivered({ event, delivery }: Undelivered): { readonly fact: string; readonly hint: string } {
  const { id, event_type, subject, unheard } = event;
  const timeline = timelineHint(subject?.id ?? id);
  const happened = `${event_type} ${id} has happened`;
  if (!delivery)
    return {
      fact: `${happened}, and has no delivery: ${unheard.map((reason) => unheardIn[reason]).join('; ')}`,
      hint: `Subscribe before it happens, with POST /api/v1/webhook_subscriptions. ${timeline}`,
    };
  return {
    fact: `${happened}, and its delivery ${delivery.id} is ${stateOf(delivery)}`,
    hint: `${whatToDo(delivery)} ${timeline}`,
  };
}

/** Where to read what happened to a record in place of what was expected. */
export const timelineHint = (id: string): string =>
  `GET /_sandbox/timeline?subject_id=${encodeURIComponent(id.slice(0, 100))}&format=text shows what did happen to it.`;

const unheardIn: Readonly<Record<UnheardReason, string>> = {
  none_of_that_type: 'no subscription has this type',
  other_organization: 'the subscriptions of this type belong to another organization',
  other_campaign: 'the subscriptions of this type are for another campaign',
};

function stateOf({ status, attempts, held_by }: DeliveryEntry): string {
  const last = attempts.at(-1);
  const answer = last?.error_class === 'http_status' ? `answered ${last.status}` : last?.error_class;
  return `${status}${answer && answer !== status ? ` (${answer})` : ''}${held_by === undefined ? '' : `, held by ${held_by}`}`;
}

function whatToDo({ id, status, held_by, next_attempt_at }: DeliveryEntry): string {
  if (held_by === 'paused') return 'Its plan is paused: set `paused` to false.';
  if (next_attempt_at !== null)
    return `It is sent at ${next_attempt_at} of the world's time, where POST /_sandbox/clock/advance leads.`;
  if (status === 'canceled') return 'Its subscription was deleted before it was sent.';
  if (status === 'pending' || status === 'in_flight') return 'Wait longer: its receiver has not answered yet.';
  return `No further attempt is planned; POST /_sandbox/deliveries/${id}/redeliver sends it again.`;
}
