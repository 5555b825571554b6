// Deliveries, and events without a subscriber, as lines of the log. Queries, user names and what looks like a token are
// left out: webhook URLs can contain secrets.
import { cut, type DeliveryLine, type UnheardLine } from '../log-lines.ts';
import type { DeliveryAttempt, DeliveryEntry, EventEntry } from '../model.ts';
import { parseUrl } from '../parse-url.ts';
import { hintFor } from './failures.ts';

export function deliveryLine(
  world: string,
  delivery: DeliveryEntry,
  attempt: Pick<DeliveryAttempt, 'error_class' | 'error' | 'status' | 'latency_ms'>,
): DeliveryLine {
  const { error_class, error, status, latency_ms } = attempt;
  return {
    kind: 'delivery',
    world,
    delivery: delivery.id,
    event: delivery.event_id,
    event_type: delivery.event_type,
    target: targetOf(delivery.url),
    status,
    latency_ms,
    error_class,
    error,
    hint: error_class === null ? null : hintFor(error_class, status, error),
  };
}

export function unheardLine(world: string, { id, event_type, unheard }: EventEntry): UnheardLine {
  return { kind: 'unheard', world, event: id, event_type, deliveries: 0, unheard };
}

/** Where a delivery goes, in short: `:8080/hooks` on this machine, `backend:8080/hooks` elsewhere. */
export function targetOf(text: string): string {
  const url = parseUrl(text);
  if (!url) return 'no valid URL';
  const { hostname, port, pathname, search } = url;
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) && port !== '';
  const host = `${isLocal ? '' : hostname}${port === '' ? '' : `:${port}`}`;
  const path = pathname.split('/').map(withoutToken).join('/');
  return cut(`${host}${path}`, 200) + (search === '' ? '' : '?…');
}

/** Long segments with digits, and keys, are likely to be tokens. */
function withoutToken(segment: string): string {
  const isToken = segment.startsWith('svc_') || segment.length > 40 || (segment.length >= 16 && /\d/.test(segment));
  return isToken ? `${segment.slice(0, 4)}…` : segment;
}
