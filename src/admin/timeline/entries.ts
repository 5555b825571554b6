// The entries of a timeline: one form for all journals, with offsets from the start of the timeline.
import type {
  AppliedFault,
  AttemptReason,
  DeliveryAttempt,
  DeliveryEntry,
  EventEntry,
  Hold,
  RequestEntry,
  SignedWith,
  StepEntry,
  Subject,
} from '../../model.ts';
import { redactedUrl } from '../../redaction/urls.ts';
import { hintFor } from '../../webhooks/failures.ts';
import { type ChainJournal, type ChainLink, causeOf, subjectOf } from './chain.ts';
import { choiceOf, type ShownSelection } from './choice.ts';

export type TimelineKind = 'request' | 'step' | 'event' | 'delivery';

/** One journal entry; exactly one of the last four fields is there, by its kind. */
export interface TimelineEntry {
  readonly id: string;
  readonly kind: TimelineKind;
  readonly at: string;
  /** Milliseconds of the world's time from the beginning of the timeline. */
  readonly offset_ms: number;
  /** How many entries of the timeline lie between it and its beginning. */
  readonly depth: number;
  /** The entry that caused it, or the control operation; null for a request. */
  readonly cause: string | null;
  readonly subject: Subject | null;
  readonly request?: TimelineRequest;
  readonly step?: TimelineStep;
  readonly event?: TimelineEvent;
  readonly delivery?: TimelineDelivery;
}

export interface TimelineRequest
  extends Pick<
    RequestEntry,
    'method' | 'path' | 'operation' | 'status' | 'error_code' | 'duration_ms' | 'replayed' | 'fault'
  > {
  readonly faults: readonly AppliedFault[];
  /** The X-Sandbox- headers that it carried. */
  readonly control_headers: Readonly<Record<string, string>>;
  readonly choice: ShownSelection | null;
}

export interface TimelineStep extends Pick<StepEntry, 'trigger' | 'from' | 'to'> {
  readonly error: string | null;
  readonly choice: ShownSelection | null;
}

export type TimelineEvent = Pick<EventEntry, 'event_type' | 'deliveries' | 'unheard' | 'schema_violations'>;

export interface TimelineDelivery
  extends Pick<DeliveryEntry, 'event_type' | 'subscription_id' | 'url' | 'status' | 'next_attempt_at'> {
  /** Why it is not sent yet: its plan holds it, or it has failed; null unless it is held. */
  readonly held_by: Hold | null;
  readonly attempts: readonly TimelineAttempt[];
}

export interface TimelineAttempt extends Pick<DeliveryAttempt, 'number' | 'latency_ms' | 'status' | 'error_class'> {
  readonly attempted_at: string;
  readonly offset_ms: number;
  readonly error: string | null;
  readonly hint: string | null;
  /** Why it was made. */
  readonly reason: AttemptReason;
  /** What the plan did to it. */
  readonly plan: readonly string[];
  readonly signed_with: SignedWith | null;
}

const kinds: Readonly<Record<ChainJournal, TimelineKind>> = {
  requests: 'request',
  steps: 'step',
  events: 'event',
  deliveries: 'delivery',
};

/** `began`: the instant from which offsets count. */
export function serializeLink({ link, depth }: ChainLink, began: number): TimelineEntry {
  const { id, at } = link.entry;
  return {
    id,
    kind: kinds[link.journal],
    at,
    offset_ms: Date.parse(at) - began,
    depth,
    cause: causeOf(link),
    subject: subjectOf(link),
    ...detailOf(link, began),
  };
}

function detailOf({ journal, entry }: ChainLink['link'], began: number) {
  switch (journal) {
    case 'requests':
      return { request: requestOf(entry) };
    case 'steps': {
      const { trigger, from, to, error = null, scenario } = entry;
      return { step: { trigger, from, to, error, choice: scenario ? choiceOf(scenario) : null } };
    }
    case 'events': {
      const { event_type, deliveries, unheard, schema_violations } = entry;
      return { event: { event_type, deliveries, unheard, schema_violations } };
    }
    case 'deliveries':
      return { delivery: deliveryOf(entry, began) };
    default:
      return journal satisfies never;
  }
}

function requestOf(entry: RequestEntry): TimelineRequest {
  const { method, path, operation, status, error_code, duration_ms, replayed, fault, faults = [], scenario } = entry;
  const headers = Object.entries(entry.request.headers).filter(([name]) => name.startsWith('x-sandbox-'));
  const control_headers = Object.fromEntries(headers);
  const choice = scenario && choiceOf(scenario);
  return { method, path, operation, status, error_code, duration_ms, replayed, fault, faults, control_headers, choice };
}

function deliveryOf(delivery: DeliveryEntry, began: number): TimelineDelivery {
  const { event_type, subscription_id, status, next_attempt_at, held_by = null, attempts } = delivery;
  return {
    event_type,
    subscription_id,
    url: redactedUrl(delivery.url),
    status,
    next_attempt_at,
    held_by,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      attempted_at: attempt.at,
      offset_ms: Date.parse(attempt.at) - began,
      latency_ms: attempt.latency_ms,
      status: attempt.status,
      error_class: attempt.error_class,
      error: attempt.error,
      hint: attempt.error_class === null ? null : hintFor(attempt.error_class, attempt.status, attempt.error),
      reason: attempt.reason ?? 'event',
      plan: attempt.plan ?? [],
      signed_with: attempt.signed_with ?? null,
    })),
  };
}
