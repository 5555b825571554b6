// The wording of a timeline: one line per entry and per delivery attempt, used by both the text and the diagram.
import type { TimelineAttempt, TimelineDelivery, TimelineEntry, TimelineKind, TimelineRequest } from './entries.ts';
import type { Timeline } from './timeline.ts';

export interface TimelineLine {
  readonly kind: TimelineKind | 'attempt';
  readonly offset_ms: number;
  readonly depth: number;
  readonly words: string;
  readonly id: string;
  readonly entry: TimelineEntry;
}

/** The lines in the order in which they happened. */
export function linesOf({ entries }: Timeline): TimelineLine[] {
  const lines = entries.flatMap((entry): TimelineLine[] => {
    const { id, kind, offset_ms, depth, delivery } = entry;
    const attempts = delivery?.attempts ?? [];
    return [
      { kind, offset_ms, depth, words: wordsFor(entry), id, entry },
      ...attempts.map((attempt) => ({
        kind: 'attempt' as const,
        offset_ms: attempt.offset_ms,
        depth: depth + 1,
        words: wordsForAttempt(attempt),
        id: '',
        entry,
      })),
    ];
  });
  return lines.sort((a, b) => a.offset_ms - b.offset_ms);
}

/** The first lines: what it is about, and why it went that way. */
export function headingOf({ subject, status, choice }: Timeline): string[] {
  const about = `${nounOf(subject.table)} ${subject.id}${status === null ? '' : `: ${status}`}`;
  if (!choice) return [about];
  const { winner, losers } = choice;
  return [
    about,
    `played ${referenceOf(winner)}, because ${winner.reason}`,
    ...losers.map(({ source, name, reason }) => `not ${name} (${source}), because ${reason}`),
  ];
}

function referenceOf({ name, parameters }: { name: string; parameters: Readonly<Record<string, string>> }): string {
  return [name, ...Object.entries(parameters).map(([parameter, value]) => `${parameter}=${value}`)].join(';');
}

/** `calls` is `call`, `display_identities` is `display identity`. */
export function nounOf(table: string): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ');
}

/** `+2.000s`, `+1h 02m 03.000s`, with days before hours. */
export function formatOffset(ms: number): string {
  const total = Math.abs(ms);
  const [days, hours, minutes] = [
    Math.floor(total / 86_400_000),
    Math.floor(total / 3_600_000) % 24,
    Math.floor(total / 60_000) % 60,
  ];
  const seconds = ((total % 60_000) / 1000).toFixed(3);
  const parts = [
    days > 0 ? `${days}d` : '',
    days + hours > 0 ? `${hours}h` : '',
    days + hours + minutes > 0 ? `${minutes}m` : '',
  ];
  return `${ms < 0 ? '-' : '+'}${[...parts.filter((part) => part !== ''), `${seconds}s`].join(' ')}`;
}

function wordsFor({ request, step, event, delivery, subject, cause }: TimelineEntry): string {
  if (request) return wordsForRequest(request);
  if (step) {
    const { trigger, from, to, error } = step;
    const noun = subject ? nounOf(subject.table) : '';
    if (error !== null) return `${noun}: ${trigger} failed, ${error}`;
    return from === null ? `${noun} created ${to}${byHand(cause)}` : `${noun} ${from} -> ${to} (${trigger})`;
  }
  if (event) {
    const { event_type, deliveries, unheard } = event;
    const heard =
      deliveries === 0
        ? `no delivery: ${unheard.join(', ')}`
        : `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
    return `${event_type}${byHand(cause)}, ${heard}`;
  }
  return delivery ? wordsForDelivery(delivery) : '';
}

/** Control operations are not journal entries: their names have no underscore after a prefix of three letters. */
const byHand = (cause: string | null): string => (cause === null || /^[a-z]{3}_/.test(cause) ? '' : ` by ${cause}`);

function wordsForRequest(request: TimelineRequest): string {
  const { method, path, status, error_code, duration_ms, replayed, fault, faults, control_headers } = request;
  const answer = status === 0 ? 'no answer' : `${status}${error_code === null ? '' : ` ${error_code}`}`;
  const notes = [
    ...Object.entries(control_headers).map(([name, value]) => `${name}: ${value}`),
    ...(replayed ? ['replayed'] : []),
    ...(fault === null ? [] : [`connection broken by ${fault}`]),
    ...faults.map(({ id, effect }) => `fault ${id} ${effect}`),
  ];
  return `${method} ${path} -> ${[`${answer} in ${duration_ms} ms`, ...notes].join(', ')}`;
}

function wordsForDelivery({ event_type, url, status, next_attempt_at, held_by }: TimelineDelivery): string {
  const held = held_by === null ? '' : `, held: ${held_by}`;
  const next = next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`;
  return `${event_type} to ${url}: ${status}${held}${next}`;
}

function wordsForAttempt(attempt: TimelineAttempt): string {
  const { number, latency_ms, status, error_class, error, hint, reason, plan } = attempt;
  const answer = status === null ? (error_class ?? 'no answer') : String(status);
  const notes = [...(reason === 'event' ? [] : [reason]), ...plan.map((effect) => `plan ${effect}`)];
  const why = error_class === null ? '' : `: ${error ?? error_class}${hint === null ? '' : ` ${hint}`}`;
  return `attempt ${number}: ${[`${answer} in ${Math.round(latency_ms)} ms`, ...notes].join(', ')}${why}`;
}
