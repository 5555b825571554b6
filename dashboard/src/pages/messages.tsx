// The messages of the world, in and out, and one of them in detail.
import { momentOf, phoneOf, wordsOf } from '../format.ts';
import { Panes } from '../parts/panes.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { Mark, toneOf } from '../parts/status.tsx';
import { hrefOf, route } from '../route.ts';
import { sayError } from '../state/current.ts';
import type { Feed, Message } from '../state/feed.ts';
import { MessageDetail } from './message-detail.tsx';

export function MessagesPage({ feed }: { readonly feed: Feed }) {
  const messages = feed.messages.items.value;
  const total = feed.messages.total.value;
  const { id } = route.value;
  const now = feed.clock.value?.clock.now;
  return (
    <Panes
      title="Messages"
      count={total === null ? null : total.toLocaleString('en-US')}
      list={
        total === null ? (
          <Loading what="the messages" />
        ) : messages.length === 0 ? (
          <Empty title="No messages yet">
            <a href={hrefOf({ page: 'dial', id: null })}>Text a number</a>, or let your application send one.
          </Empty>
        ) : (
          <RecordList
            label="Messages, newest first"
            items={messages}
            onEnd={() => void feed.more('messages').catch(sayError)}
            row={(message) => <MessageLine message={message} now={now} />}
          />
        )
      }
      detail={id === null ? null : <MessageDetail key={id} feed={feed} id={id} />}
      invitation="Choose a message to see what became of it."
    />
  );
}

function MessageLine({ message, now }: { readonly message: Message; readonly now: string | undefined }) {
  const tone = toneOf(message.status);
  return (
    <>
      <Mark tone={tone} />
      <span class="row-main">
        <span class="row-title">
          {message.direction === 'inbound' && <span class="faint">from </span>}
          {phoneOf(message.direction === 'inbound' ? message.from_number : message.phone_number)}
        </span>
        <span class="row-sub">{message.body}</span>
      </span>
      <span class="row-end">
        <span class={`row-status tone-${tone}`}>{wordsOf(message.status)}</span>
        <span class="row-sub">{momentOf(message.created_at, now)}</span>
      </span>
    </>
  );
}
