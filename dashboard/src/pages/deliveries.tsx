// The webhooks that the world has sent, and one of them in detail: its bytes, signature, attempts and answers.
import { useState } from 'preact/hooks';
import type { Delivery } from '../../../src/client/shown.ts';
import { momentOf, timeOf, wordsOf } from '../format.ts';
import { Block, Copy, type Fact, Facts } from '../parts/facts.tsx';
import { FilterField, useFilter } from '../parts/filter.tsx';
import { Panes } from '../parts/panes.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Mark, StatusBadge, toneOf } from '../parts/status.tsx';
import { useRead } from '../parts/use-read.ts';
import { route } from '../route.ts';
import { say, sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { AttemptView } from './delivery-attempt.tsx';

const textsOf = (delivery: Delivery): string[] => [
  delivery.id,
  delivery.event_type,
  delivery.url,
  delivery.status,
  answerOf(delivery),
];

export function DeliveriesPage({ feed }: { readonly feed: Feed }) {
  const read = feed.deliveries.items.value.length;
  const filter = useFilter(feed.deliveries.items.value, textsOf);
  const found = filter.matching.length;
  const total = feed.deliveries.total.value;
  const { id } = route.value;
  const now = feed.clock.value?.clock.now;
  return (
    <Panes
      title="Deliveries"
      count={total === null ? null : filter.isOn ? `${found} of ${read}` : total.toLocaleString('en-US')}
      tools={<FilterField filter={filter} label="Filter the deliveries" placeholder="Event, address, answer" />}
      list={
        total === null ? (
          <Loading what="the deliveries" />
        ) : found === 0 && filter.isOn ? (
          <Empty title="No delivery matches">
            {`None of the ${read} that were read has “${filter.text}” in its event, address or answer.`}
          </Empty>
        ) : found === 0 ? (
          <Empty title="Nothing delivered yet">
            Subscribe a webhook with POST /api/v1/webhook_subscriptions. What happens then is sent to it and shown here.
          </Empty>
        ) : (
          <RecordList
            label="Deliveries, newest first"
            items={filter.matching}
            onEnd={() => void feed.more('deliveries').catch(sayError)}
            row={(delivery) => <DeliveryLine delivery={delivery} now={now} />}
          />
        )
      }
      detail={id === null ? null : <DeliveryDetail key={id} feed={feed} id={id} />}
      invitation="Choose a delivery to see its bytes and what the receiver answered."
    />
  );
}

/** What a receiver said last, in a word. */
function answerOf({ attempts, status }: Delivery): string {
  const latest = attempts.at(-1);
  if (!latest) return wordsOf(status);
  return latest.response ? String(latest.response.status) : wordsOf(latest.error_class ?? status);
}

function DeliveryLine({ delivery, now }: { readonly delivery: Delivery; readonly now: string | undefined }) {
  const tone = toneOf(delivery.status);
  return (
    <>
      <Mark tone={tone} />
      <span class="row-main">
        <span class="row-title">{delivery.event_type}</span>
        <span class="row-sub">{delivery.url}</span>
      </span>
      <span class="row-end">
        <span class={`row-status tone-${tone}`}>{answerOf(delivery)}</span>
        <span class="row-sub">{momentOf(delivery.created_at, now)}</span>
      </span>
    </>
  );
}

function DeliveryDetail({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const known = feed.deliveries.items.value.find((delivery) => delivery.id === id);
  const read = useRead(
    id,
    known,
    async (signal) => known ?? feed.control.call('getDelivery', { path: { id }, signal }),
  );
  if (!known && read.state === 'reading') return <Loading what="the delivery" />;
  if (!known && read.state === 'failed') return <Failure error={read.error} />;
  const delivery = known ?? (read.state === 'read' ? read.value : undefined);
  if (!delivery) return null;
  return (
    <article class="record">
      <header class="record-head">
        <div>
          <h2>{delivery.event_type}</h2>
          <p class="record-sub break">{delivery.url}</p>
        </div>
        <div class="record-actions">
          <RedeliverButton feed={feed} id={id} />
          <StatusBadge status={delivery.status} />
        </div>
      </header>
      <Facts facts={factsOf(delivery)} />
      {delivery.schema_violations.length > 0 && (
        <p class="problem">Does not match its schema: {delivery.schema_violations.join('; ')}</p>
      )}
      <Block
        title="Body, as it was signed and sent"
        text={delivery.body}
        tools={<Copy text={delivery.body} label="Copy" />}
      />
      <section class="part">
        <h3>Attempts</h3>
        {delivery.attempts.length === 0 && <p class="faint">None yet.</p>}
        <ol class="attempts">
          {[...delivery.attempts].reverse().map((attempt) => (
            <li key={attempt.number}>
              <AttemptView feed={feed} attempt={attempt} delivery={delivery} />
            </li>
          ))}
        </ol>
      </section>
    </article>
  );
}

function RedeliverButton({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const [isSending, setSending] = useState(false);
  async function redeliver(): Promise<void> {
    setSending(true);
    try {
      const { status } = await feed.control.call('redeliver', { path: { id } });
      say(`Sent again: ${wordsOf(status).toLowerCase()}`, toneOf(status) === 'bad');
    } catch (error) {
      sayError(error);
    } finally {
      setSending(false);
    }
  }
  return (
    <button type="button" class="button button-main" disabled={isSending} onClick={() => void redeliver()}>
      {isSending ? 'Sending…' : 'Redeliver'}
    </button>
  );
}

function factsOf({ id, created_at, subscription_id, held_by, next_attempt_at }: Delivery): Fact[] {
  return [
    { name: 'Created', value: `${timeOf(created_at, true)} UTC` },
    { name: 'Subscription', value: <code class="id">{subscription_id}</code> },
    ...(held_by === null ? [] : [{ name: 'Held by', value: wordsOf(held_by) }]),
    ...(next_attempt_at === null ? [] : [{ name: 'Next attempt', value: `${timeOf(next_attempt_at, true)} UTC` }]),
    { name: 'Id', value: <code class="id">{id}</code> },
  ];
}
