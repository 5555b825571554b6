// The timeline of a record, read again whenever something of it happens.
import { useRef } from 'preact/hooks';
import type { Timeline } from '../../../src/client/shown.ts';
import type { Feed } from '../state/feed.ts';
import { Failure, Loading } from './states.tsx';
import { TimelineView } from './timeline.tsx';
import { type Read, useRead } from './use-read.ts';
import { useTouched } from './use-touched.ts';

interface Watched {
  readonly timeline: Read<Timeline>;
  /** Changes whenever something of the record happens. */
  readonly again: string;
}

export function useTimeline(feed: Feed, id: string): Watched {
  const known = useRef<ReadonlySet<string>>(new Set([id]));
  const again = `${useTouched(feed, known.current)} ${feed.calls.total.value === null}`;
  const timeline = useRead(id, again, async (signal) => {
    // The API answers text too, but only where it is asked for.
    const value = (await feed.control.call('getTimeline', { query: { subject_id: id }, signal })) as Timeline;
    known.current = new Set([id, ...value.entries.map((entry) => entry.id)]);
    return value;
  });
  return { timeline, again };
}

export const TimelinePart = ({ timeline }: { readonly timeline: Read<Timeline> }) => (
  <section class="part">
    <h3>Timeline</h3>
    {timeline.state === 'reading' && <Loading what="the timeline" />}
    {timeline.state === 'failed' && <Failure error={timeline.error} />}
    {timeline.state === 'read' && <TimelineView timeline={timeline.value} />}
  </section>
);
