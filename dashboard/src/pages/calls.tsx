// The calls of the world as they run, and one of them in detail.
import { countOf, isAnonymous, momentOf, otherEndOf, spanOf, wordsOf } from '../format.ts';
import { FilterField, useFilter } from '../parts/filter.tsx';
import { Panes } from '../parts/panes.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { Mark, toneOf } from '../parts/status.tsx';
import { hrefOf, route } from '../route.ts';
import type { CallRow, Feed } from '../state/feed.ts';
import { CallDetail } from './call-detail.tsx';

/** What stands in the place of a scenario that was not played. */
const FROM_FIXTURE = 'before this world began';

const textsOf = ({ call, scenario }: CallRow): string[] => [
  call.id,
  call.to_number,
  call.from_number,
  otherEndOf(call),
  call.status,
  wordsOf(call.status),
  scenario ?? FROM_FIXTURE,
];

export function CallsPage({ feed }: { readonly feed: Feed }) {
  const filter = useFilter(feed.calls.items.value, textsOf);
  const found = filter.matching.length;
  const total = feed.calls.total.value;
  const { id } = route.value;
  const now = feed.clock.value?.clock.now;
  return (
    <Panes
      title="Calls"
      count={total === null ? null : filter.isOn ? `${found} of ${total}` : total.toLocaleString('en-US')}
      tools={<FilterField filter={filter} label="Filter the calls" placeholder="Number, status, scenario" />}
      list={
        total === null ? (
          <Loading what="the calls" />
        ) : found === 0 ? (
          <Empty title={filter.isOn ? 'No call matches' : 'No calls yet'}>
            {filter.isOn ? (
              `${countOf(total, 'call')} in this world; none has “${filter.text}” in its numbers, status or scenario.`
            ) : (
              <>
                <a href={hrefOf({ page: 'dial', id: null })}>Dial a number</a>, or let your application place a call.
              </>
            )}
          </Empty>
        ) : (
          <RecordList
            label="Calls, newest first"
            items={filter.matching}
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
