// One call: what became of it, why, its timeline, what was said, and the recording.
import type { components } from '../../../src/client/control-api.d.ts';
import { platformClient } from '../api/access.ts';
import { dayOf, isAnonymous, otherEndOf, phoneOf, spanOf, timeOf } from '../format.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Decide } from '../parts/phone.tsx';
import { TimelinePart, useTimeline } from '../parts/record-timeline.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { StatusBadge, toneOf } from '../parts/status.tsx';
import { TurnList } from '../parts/turns.tsx';
import { useRead } from '../parts/use-read.ts';
import { Why } from '../parts/why.tsx';
import { say, sayError } from '../state/current.ts';
import type { Call, Feed } from '../state/feed.ts';

type Transcript = NonNullable<components['schemas']['WatchedCallDetail']['transcript']>;

export function CallDetail({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const { timeline, again } = useTimeline(feed, id);
  const detail = useRead(id, again, (signal) => feed.control.call('getWatchedCall', { path: { id }, signal }));
  if (detail.state === 'reading') return <Loading what="the call" />;
  if (detail.state === 'failed') return <Failure error={detail.error} />;
  const { call, scenario, choices, transcript } = detail.value;
  return (
    <article class="record">
      <header class="record-head">
        <div>
          <h2>{otherEndOf(call)}</h2>
          <p class="record-sub">
            {call.direction === 'outbound'
              ? `Called from ${phoneOf(call.from_number)}`
              : isAnonymous(call.to_number)
                ? 'Joined an agent'
                : `Called ${phoneOf(call.to_number)}`}
          </p>
        </div>
        <div class="record-actions">
          {choices.map((choice) => (
            <Decide key={choice} feed={feed} id={id} choice={choice} />
          ))}
          {toneOf(call.status) === 'live' && <HangUp feed={feed} id={id} />}
          <StatusBadge status={call.status} />
        </div>
      </header>
      <Facts facts={factsOf(call, scenario)} />
      {timeline.state === 'read' && <Why choice={timeline.value.choice} outcome={call.status} />}
      <TimelinePart timeline={timeline} />
      {call.recording_url !== null && (
        <section class="part">
          <h3>Recording</h3>
          {/* biome-ignore lint/a11y/useMediaCaption: the transcript below is its text. */}
          <audio
            class="player"
            controls
            preload="none"
            src={new URL(call.recording_url).pathname}
            aria-label="Recording of the call"
          />
        </section>
      )}
      {transcript && <TranscriptView transcript={transcript} />}
    </article>
  );
}

function factsOf(call: Call, scenario: string | null): Fact[] {
  const instant = (at: string | null): string => (at === null ? '–' : `${dayOf(at)}, ${timeOf(at, true)} UTC`);
  return [
    { name: 'Scenario', value: scenario ?? 'None: it comes from the fixture' },
    { name: 'Started', value: instant(call.started_at) },
    ...(call.ended_at === null ? [] : [{ name: 'Ended', value: instant(call.ended_at) }]),
    ...(call.duration_seconds ? [{ name: 'Talked', value: spanOf(call.duration_seconds * 1000) }] : []),
    ...(call.failure_code === null ? [] : [{ name: 'Failure', value: <code>{call.failure_code}</code> }]),
    ...(call.disconnection_reason === null
      ? []
      : [{ name: 'Ended by', value: <code>{call.disconnection_reason}</code> }]),
    { name: 'Id', value: <code class="id">{call.id}</code> },
  ];
}

function HangUp({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const hangUp = (): Promise<void> =>
    platformClient(feed.world)
      .call('hangupCall', { path: { id } })
      .then(() => say('Hung up'), sayError);
  return (
    <button type="button" class="button button-small" onClick={() => void hangUp()}>
      Hang up
    </button>
  );
}

const TranscriptView = ({ transcript }: { readonly transcript: Transcript }) => (
  <section class="part">
    <h3>Transcript</h3>
    <TurnList turns={transcript.structured_transcript} />
  </section>
);
