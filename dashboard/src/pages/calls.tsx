// The calls of the world as they run, and one of them in detail.
import { useMemo, useState } from 'preact/hooks';
import { countOf, isAnonymous, momentOf, otherEndOf, spanOf, wordsOf } from '../format.ts';
import { Panes } from '../parts/panes.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { Mark, toneOf } from '../parts/status.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, hrefOf, route } from '../route.ts';
import type { CallRow, Feed } from '../state/feed.ts';
import { CallDetail } from './call-detail.tsx';

const ROW_PX = 60;
/** What stands in the place of a scenario that was not played. */
const FROM_FIXTURE = 'before this world began';

const matches = ({ call, scenario }: CallRow, text: string): boolean =>
  [
    call.id,
    call.to_number,
    call.from_number,
    otherEndOf(call),
    call.status,
    wordsOf(call.status),
    scenario ?? FROM_FIXTURE,
  ].some((each) => each.toLowerCase().includes(text));

export function CallsPage({ feed }: { readonly feed: Feed }) {
  const [filter, setFilter] = useState('');
  const calls = feed.calls.items.value;
  const total = feed.calls.total.value;
  const { id } = route.value;
  const wanted = filter.trim().toLowerCase();
  const shown = useMemo(() => (wanted === '' ? calls : calls.filter((each) => matches(each, wanted))), [calls, wanted]);
  const now = feed.clock.value?.clock.now;
  return (
    <Panes
      title="Calls"
      count={total === null ? null : wanted === '' ? total.toLocaleString('en-US') : `${shown.length} of ${total}`}
      tools={
        <input
          class="filter"
          type="search"
          placeholder="Number, status, scenario"
          aria-label="Filter the calls"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      }
      list={
        total === null ? (
          <Loading what="the calls" />
        ) : shown.length === 0 ? (
          <Empty title={wanted === '' ? 'No calls yet' : 'No call matches'}>
            {wanted === '' ? (
              <>
                <a href={hrefOf({ page: 'dial', id: null })}>Dial a number</a>, or let your application place a call.
              </>
            ) : (
              `${countOf(total, 'call')} in this world; none has “${filter}” in its numbers, status or scenario.`
            )}
          </Empty>
        ) : (
          <VirtualList
            label="Calls, newest first"
            items={shown}
            rowHeight={ROW_PX}
            selected={id}
            onSelect={(chosen) => go({ id: chosen })}
            row={(item) => <CallLine item={item} now={now} />}
          />
        )
      }
      detail={id === null ? null : <CallDetail key={id} feed={feed} id={id} />}
      invitation="Choose a call to see what happened to it, and why."
    />
  );
}

function CallLine({ item: { call, scenario }, now }: { readonly item: CallRow; readonly now: string | undefined }) {
  const tone = toneOf(call.status);
  return (
    <>
      <Mark tone={tone} />
      <span class="row-main">
        <span class="row-title">
          {call.direction === 'inbound' && !isAnonymous(call.from_number) && <span class="faint">from </span>}
          {otherEndOf(call)}
        </span>
        <span class="row-sub">{scenario ?? FROM_FIXTURE}</span>
      </span>
      <span class="row-end">
        <span class={`row-status tone-${tone}`}>{wordsOf(call.status)}</span>
        <span class="row-sub">
          {call.started_at !== null && momentOf(call.started_at, now)}
          {call.duration_seconds ? ` · ${spanOf(call.duration_seconds * 1000)}` : ''}
        </span>
      </span>
    </>
  );
}
