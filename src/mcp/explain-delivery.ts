// Explains a delivery in plain words: its status, the reason, and what to do.
import type { components } from '../client/control-api.d.ts';

type Delivery = components['schemas']['Delivery'];
type Attempt = components['schemas']['DeliveryAttempt'];

/** What a class of errors means, whatever the case. */
const meanings: Readonly<Record<components['schemas']['DeliveryErrorClass'], string>> = {
  dns: 'The host of the webhook URL has no address here, so nothing was sent.',
  blocked_address: 'The sandbox may not send webhooks to that address, so nothing was sent.',
  connect_refused: 'Nothing listens at that address and port, so nothing was sent.',
  connect_timeout: 'The address did not answer at all, so nothing was sent.',
  tls: 'The encrypted connection could not be made, so nothing was sent.',
  reset: 'The receiver closed the connection before it had answered; it may have read the event all the same.',
  headers_timeout: 'The receiver took the event, and did not begin to answer in time; it may have handled it.',
  body_timeout: 'The receiver began to answer and did not finish; it may have handled the event.',
  total_timeout:
    'The receiver took too long from the connection to the end of its answer; it may have handled the event.',
  http_status: 'The receiver was reached and answered, but not with a 2xx, so the event counts as not accepted.',
  too_large: 'The answer of the receiver was longer than the sandbox reads; it may have handled the event.',
  shutdown: 'The sandbox stopped before it was sent, or before it was answered.',
  queue_full: 'Too many deliveries were waiting, so this one was not sent.',
  dropped: 'The delivery plan dropped it on purpose, so nothing was sent.',
  other: 'It failed in a way that has no class of its own.',
};

export function explainDelivery(delivery: Delivery): string {
  const { id, event_type, url, attempts, schema_violations } = delivery;
  const lines = [`Delivery ${id}: ${event_type} to ${url} is ${delivery.status}.`, ...fateOf(delivery)];
  for (const attempt of attempts) lines.push(...attemptInWords(attempt));
  if (schema_violations.length > 0)
    lines.push(`The body does not match its schema, which is a bug of the sandbox: ${schema_violations.join('; ')}.`);
  if (delivery.status === 'failed' && delivery.next_attempt_at === null) {
    lines.push(`No further attempt is planned. When the cause is mended, call redeliver with the id ${id}.`);
  }
  return lines.join('\n');
}

/** What the status alone says. */
function fateOf({ status, held_by, next_attempt_at }: Delivery): string[] {
  if (next_attempt_at !== null) {
    const why = held_by === 'retry' ? 'It is attempted again' : `Its plan holds it (${held_by}): it is sent`;
    return [`${why} at ${next_attempt_at} of the world's time; advance_clock leads there.`];
  }
  if (held_by === 'paused') return ['Its plan is paused: nothing is sent until it is resumed.'];
  switch (status) {
    case 'pending':
      return [
        'It waits for its turn: deliveries of a subscription, and those about one record, are sent one at a time.',
      ];
    case 'in_flight':
      return ['It is being sent now.'];
    case 'delivered':
      return ['Nothing is wrong with it.'];
    case 'canceled':
      return ['Its subscription was deleted before it was sent.'];
    case 'dropped':
      return [
        'The delivery plan dropped it on purpose: nothing was sent. Lower `drop` in the plan, or call redeliver.',
      ];
    case 'failed':
      return [];
    default:
      return status satisfies never;
  }
}

function attemptInWords({
  number,
  latency_ms,
  error_class,
  error,
  hint,
  response,
  plan,
  signed_with,
}: Attempt): string[] {
  const took = `${Math.round(latency_ms)} ms`;
  const did = [...plan.map((effect) => `its plan did this to it: ${effect}`), ...signatureInWords(signed_with)];
  const notes = did.length > 0 ? ` (${did.join('; ')})` : '';
  if (error_class === null) return [`Attempt ${number}: the receiver answered ${response?.status} in ${took}${notes}.`];
  return [
    `Attempt ${number} failed after ${took}: ${error ?? error_class}${notes}.`,
    `What that means: ${meanings[error_class]}`,
    ...(hint === null ? [] : [`What to do: ${hint}`]),
    ...(response?.body ? [`The receiver said: ${response.body.slice(0, 500)}`] : []),
  ];
}

function signatureInWords(signedWith: Attempt['signed_with']): string[] {
  switch (signedWith) {
    case 'wrong_secret':
      return ['signed with a wrong secret on purpose'];
    case 'none':
      return ['not signed, since the subscription has no secret'];
    default:
      return [];
  }
}
