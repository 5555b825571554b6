// One message: its text, who sent it to whom, how far it is, and its timeline.
import { dayOf, phoneOf, timeOf } from '../format.ts';
import { Copy, type Fact, Facts } from '../parts/facts.tsx';
import { TimelinePart, useTimeline } from '../parts/record-timeline.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { useRead } from '../parts/use-read.ts';
import { Why } from '../parts/why.tsx';
import type { Feed, Message } from '../state/feed.ts';

export function MessageDetail({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const { timeline, again } = useTimeline(feed, id);
  const read = useRead(id, again, async (signal) => {
    const { data } = await feed.control.page('listWatchedMessages', { query: { ids: id }, signal });
    return data[0] ?? null;
  });
  if (read.state === 'reading') return <Loading what="the message" />;
  if (read.state === 'failed') return <Failure error={read.error} />;
  const message = read.value;
  if (!message) return <Empty title="There is no such message">It may have gone with a reset.</Empty>;
  const isInbound = message.direction === 'inbound';
  return (
    <article class="record">
      <header class="record-head">
        <div>
          <h2>{phoneOf(isInbound ? message.from_number : message.phone_number)}</h2>
          <p class="record-sub">
            {isInbound ? `Texted ${phoneOf(message.phone_number)}` : `Texted from ${phoneOf(message.from_number)}`}
          </p>
        </div>
        <div class="record-actions">
          <Copy text={message.body} label="Copy" />
          <StatusBadge status={message.status} />
        </div>
      </header>
      <blockquote class={isInbound ? 'bubble' : 'bubble bubble-own'}>{message.body}</blockquote>
      <Facts facts={factsOf(message)} />
      {timeline.state === 'read' && <Why choice={timeline.value.choice} outcome={message.status} />}
      <TimelinePart timeline={timeline} />
    </article>
  );
}

function factsOf(message: Message): Fact[] {
  const { created_at, segments, encoding, error_message, id } = message;
  return [
    { name: 'Created', value: `${dayOf(created_at)}, ${timeOf(created_at, true)} UTC` },
    { name: 'Segments', value: `${segments} (${encoding})` },
    ...(error_message ? [{ name: 'Error', value: error_message }] : []),
    { name: 'Id', value: <code class="id">{id}</code> },
  ];
}
