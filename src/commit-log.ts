// The log at `debug`: what happened in a world and why, taken from its journals: which scenario a request played and
// what that outranked, each step, event and delivery with its headers, and when the clock runs the next task.
import { timestamp } from './clock/clock.ts';
import type { Log } from './log.ts';
import type { DeliveryEntry, RequestEntry } from './model.ts';
import { redactedHeaders } from './redaction/text.ts';
import type { Appended } from './store/history.ts';
import type { Commit, Store } from './store/store.ts';
import { targetOf } from './webhooks/log-lines.ts';

/** Logs every commit of a store; costs nothing unless the log shows it. */
export function logCommits(store: Store, log: Log): void {
  if (log.shows('debug')) store.onCommit((commit) => logCommit(log, commit));
}

function logCommit(log: Log, { world, appended, schedule }: Commit): void {
  for (const each of appended) logEntry(log, world, each);
  if (schedule?.nextAt != null) log.debug({ world, next_task_at: timestamp(schedule.nextAt) }, 'schedule');
}

function logEntry(log: Log, world: string, { journal, entry }: Appended): void {
  switch (journal) {
    case 'requests':
      return log.debug({ world, ...choiceOf(entry) }, 'request');
    case 'steps': {
      const { id, at, subject, trigger, from, to, cause } = entry;
      return log.debug(
        { world, step: id, at, subject: `${subject.table} ${subject.id}`, trigger, from, to, cause },
        'step',
      );
    }
    case 'events': {
      const { id, at, event_type, subject, deliveries, cause } = entry;
      const about = subject && `${subject.table} ${subject.id}`;
      return log.debug({ world, event: id, at, event_type, subject: about, deliveries, cause }, 'event');
    }
    case 'deliveries':
      return log.debug({ world, ...sentOf(entry) }, 'delivery');
    case 'ticks': {
      const { id, at, url, status } = entry;
      return log.debug({ world, tick: id, at, target: targetOf(url), status }, 'tick');
    }
    case 'inbox': {
      const { id, at, inbox, method, signature, status } = entry;
      return log.debug({ world, message: id, at, inbox, method, signature, status }, 'inbox');
    }
    default:
      return journal satisfies never;
  }
}

/** What the line of a request does not show. */
function choiceOf({ id, operation, key_id, replayed, fault, scenario }: RequestEntry): object {
  return { request: id, operation, key: key_id, replayed, fault, scenario };
}

function sentOf({ id, event_id, event_type, url, status, attempts, next_attempt_at }: DeliveryEntry): object {
  const last = attempts.at(-1);
  const sent = last && {
    attempt: last.number,
    request_headers: redactedHeaders(last.request_headers),
    error: last.error,
  };
  return { delivery: id, event: event_id, event_type, target: targetOf(url), status, ...sent, next_attempt_at };
}
