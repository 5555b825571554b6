// A timeline, drawn: a strip with the states over time, and below it every instant with the requests, steps, events and
// deliveries that hang off it. Time flows down, so that the labels have room on a phone too.
import type { ComponentChildren } from 'preact';
import type { Timeline } from '../../../src/client/shown.ts';
import { offsetOf, spanOf, timeOf, wordsOf } from '../format.ts';
import { hrefOf } from '../route.ts';
import { Badge, toneOf, toneOfHttp } from './status.tsx';

type Entry = Timeline['entries'][number];

interface Instant {
  readonly at: string;
  readonly offset: number;
  readonly entries: readonly Entry[];
  /** The state from here on. */
  readonly status: string | null;
  /** Until the next instant; null for the last one. */
  readonly gap: number | null;
}

/** The entries by instant; the state is that of the record that the timeline is about. */
function instantsOf({ entries, subject }: Timeline): Instant[] {
  const byInstant = new Map<string, Entry[]>();
  for (const entry of entries) byInstant.set(entry.at, [...(byInstant.get(entry.at) ?? []), entry]);
  const groups = [...byInstant].sort(([a], [b]) => Date.parse(a) - Date.parse(b));
  let status: string | null = null;
  return groups.map(([at, here], index) => {
    for (const { step, subject: about } of here) if (step?.to && about?.id === subject.id) status = step.to;
    const next = groups[index + 1];
    const gap = next ? Date.parse(next[0]) - Date.parse(at) : null;
    return { at, offset: here[0]?.offset_ms ?? 0, entries: here, status, gap };
  });
}

interface Segment {
  readonly status: string;
  readonly ms: number;
}

function segmentsOf(instants: readonly Instant[], timeline: Timeline): Segment[] {
  const changes = instants.filter(({ status }, at) => status !== null && status !== instants[at - 1]?.status);
  return changes.flatMap(({ status, at }, index) => {
    if (status === null) return [];
    const next = changes[index + 1];
    const isOver = next === undefined && toneOf(status) !== 'live';
    const until = next?.at ?? timeline.now;
    return [{ status, ms: isOver ? 0 : Math.max(0, Date.parse(until) - Date.parse(at)) }];
  });
}

/** Long waits take more room than short ones, but not in proportion: a timeline may have milliseconds and days. */
const roomFor = (gap: number | null): number =>
  gap === null ? 0 : Math.min(64, Math.round(9 * Math.log2(1 + gap / 200)));

export function TimelineView({ timeline }: { readonly timeline: Timeline }) {
  const instants = instantsOf(timeline);
  if (instants.length === 0) {
    return <p class="faint">Nothing has happened to it since the world began: it comes from the fixture.</p>;
  }
  return (
    <div class="timeline">
      <Strip segments={segmentsOf(instants, timeline)} />
      <ol class="instants">
        {instants.map((instant) => (
          <li key={instant.at} class="instant">
            <span class="instant-time" title={`${timeOf(instant.at, true)} UTC`}>
              {offsetOf(instant.offset)}
            </span>
            <span class={`instant-bar state-${instant.status ?? 'none'}`} aria-hidden="true" />
            <ul class="hanging" style={{ paddingBottom: `${14 + roomFor(instant.gap)}px` }}>
              {instant.entries.map((entry) => (
                <li key={entry.id} class={`hang hang-${entry.kind}`}>
                  <Line entry={entry} subject={timeline.subject.id} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Strip({ segments }: { readonly segments: readonly Segment[] }) {
  if (segments.length === 0) return null;
  const total = segments.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <ol class="strip" aria-label="States over time">
      {segments.map(({ status, ms }, at) => (
        <li key={at} class={`segment state-${status}`} style={{ flexGrow: String(Math.max(0.12, ms / total)) }}>
          <span class="segment-bar" aria-hidden="true" />
          <span class="segment-name">{wordsOf(status)}</span>
          <span class="segment-span">{ms > 0 ? spanOf(ms) : ''}</span>
        </li>
      ))}
    </ol>
  );
}

interface LineProps {
  readonly entry: Entry;
  readonly subject: string;
}

function Line({ entry, subject }: LineProps) {
  const { request, step, event, delivery } = entry;
  if (request) {
    return (
      <Hanging kind="Request" href={hrefOf({ page: 'requests', id: entry.id })}>
        <code>
          {request.method} {request.path}
        </code>
        <Badge tone={toneOfHttp(request.status)} text={String(request.status || 'broken')} />
      </Hanging>
    );
  }
  if (step) {
    const other = entry.subject && entry.subject.id !== subject ? `${entry.subject.table}: ` : '';
    return (
      <Hanging kind="Step">
        <span>
          {other}
          {step.to === null ? step.trigger : wordsOf(step.to)}
          <span class="faint"> by {step.trigger}</span>
        </span>
        {step.error !== null && <Badge tone="bad" text={step.error} />}
      </Hanging>
    );
  }
  if (event) {
    return (
      <Hanging kind="Event">
        <code>{event.event_type}</code>
        {event.deliveries === 0 && <span class="faint">nobody subscribes</span>}
        {event.schema_violations.length > 0 && <Badge tone="bad" text="does not match its schema" />}
      </Hanging>
    );
  }
  if (!delivery) return null;
  const latest = delivery.attempts.at(-1);
  const answer = latest
    ? `${latest.status ?? latest.error_class ?? 'no answer'} in ${Math.round(latest.latency_ms)} ms`
    : '';
  return (
    <Hanging kind="Delivery" href={hrefOf({ page: 'deliveries', id: entry.id })}>
      <code class="break">{delivery.url}</code>
      <Badge tone={toneOf(delivery.status)} text={wordsOf(delivery.status)} />
      <span class="faint">
        {answer}
        {delivery.attempts.length > 1 && `, ${delivery.attempts.length} attempts`}
      </span>
    </Hanging>
  );
}

interface HangingProps {
  readonly kind: string;
  readonly href?: string;
  readonly children: ComponentChildren;
}

const Hanging = ({ kind, href, children }: HangingProps) => (
  <>
    <span class="hang-kind">{kind}</span>
    {href === undefined ? (
      <span class="hang-text">{children}</span>
    ) : (
      <a class="hang-text" href={href}>
        {children}
      </a>
    )}
  </>
);
