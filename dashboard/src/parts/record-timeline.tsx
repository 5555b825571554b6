// The timeline of a record, read again whenever something of it happens.
import { useRef, useState } from 'preact/hooks';
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
  // A delivery names its event, which is unknown here until it has been read: what comes meanwhile may be of this record.
  const meanwhile = useRef<Set<string> | null>(null);
  const [late, setLate] = useState(0);
  for (const each of feed.touched.value) meanwhile.current?.add(each);
  const again = `${useTouched(feed, known.current)} ${late} ${feed.calls.total.value === null}`;
  const timeline = useRead(id, again, async (signal) => {
    const come = new Set<string>();
    meanwhile.current = come;
    // The API answers text too, but only where it is asked for.
    const value = (await feed.control.call('getTimeline', { query: { subject_id: id }, signal })) as Timeline;
    meanwhile.current = null;
    known.current = new Set([id, ...value.entries.map((entry) => entry.id)]);
    if ([...known.current].some((each) => come.has(each))) setLate((count) => count + 1);
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
