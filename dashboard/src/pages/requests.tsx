// The platform requests that the world has had: what was asked and answered, and what faults did.
import type { components } from '../../../src/client/control-api.d.ts';
import type { JournaledRequest } from '../../../src/client/shown.ts';
import { serverUrl } from '../api/transport.ts';
import { momentOf, timeOf } from '../format.ts';
import { curlOf } from '../parts/curl.ts';
import { Block, Copy, type Fact, Facts, Headers } from '../parts/facts.tsx';
import { Panes } from '../parts/panes.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Badge, Mark, toneOfHttp } from '../parts/status.tsx';
import { useRead } from '../parts/use-read.ts';
import { route } from '../route.ts';
import { sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';

type Message = components['schemas']['RecordedMessage'];

const KEPT_BYTES = 65_536;

export function RequestsPage({ feed }: { readonly feed: Feed }) {
  const requests = feed.requests.items.value;
  const total = feed.requests.total.value;
  const { id } = route.value;
  const now = feed.clock.value?.clock.now;
  return (
    <Panes
      title="Requests"
      count={total === null ? null : total.toLocaleString('en-US')}
      list={
        total === null ? (
          <Loading what="the requests" />
        ) : requests.length === 0 ? (
          <Empty title="No requests yet">
            Send one to {serverUrl}/v1 with a key of this world, such as svc_test_{feed.world}.
          </Empty>
        ) : (
          <RecordList
            label="Requests, newest first"
            items={requests}
            onEnd={() => void feed.more('requests').catch(sayError)}
            row={(request) => <RequestLine request={request} now={now} />}
          />
        )
      }
      detail={id === null ? null : <RequestDetail key={id} feed={feed} id={id} />}
      invitation="Choose a request to see what was asked and answered."
    />
  );
}

function RequestLine({ request, now }: { readonly request: JournaledRequest; readonly now: string | undefined }) {
  const tone = toneOfHttp(request.status);
  return (
    <>
      <Mark tone={tone} />
      <span class="row-main">
        <span class="row-title">
          <span class="method">{request.method}</span> {request.path}
        </span>
        <span class="row-sub">{request.error_code ?? request.operation ?? 'no such operation'}</span>
      </span>
      <span class="row-end">
        <span class={`row-status tone-${tone}`}>{request.status || 'Broken'}</span>
        <span class="row-sub">{momentOf(request.at, now)}</span>
      </span>
    </>
  );
}

function RequestDetail({ feed, id }: { readonly feed: Feed; readonly id: string }) {
  const known = feed.requests.items.value.find((request) => request.id === id);
  const read = useRead(id, known, async (signal) => known ?? feed.control.call('getRequest', { path: { id }, signal }));
  if (!known && read.state === 'reading') return <Loading what="the request" />;
  if (!known && read.state === 'failed') return <Failure error={read.error} />;
  const request = known ?? (read.state === 'read' ? read.value : undefined);
  if (!request) return null;
  return (
    <article class="record">
      <header class="record-head">
        <div>
          <h2 class="break">
            <span class="method">{request.method}</span> {request.path}
          </h2>
          <p class="record-sub">{request.operation ?? 'No operation of the platform matches it.'}</p>
        </div>
        <div class="record-actions">
          <Copy text={curlOf(request, serverUrl, feed.world)} label="Copy as curl" />
          <Badge tone={toneOfHttp(request.status)} text={String(request.status || 'Broken')} />
        </div>
      </header>
      <Facts facts={factsOf(request)} />
      <MessageView name="Asked" message={request.request} />
      <MessageView name="Answered" message={request.response} />
    </article>
  );
}

function factsOf(request: JournaledRequest): Fact[] {
  const { scenario, fault, faults = [] } = request;
  return [
    { name: 'At', value: `${timeOf(request.at, true)} UTC` },
    { name: 'Took', value: `${request.duration_ms.toFixed(1)} ms` },
    ...(request.query === '' ? [] : [{ name: 'Query', value: <code class="break">{request.query}</code> }]),
    ...(request.error_code === null ? [] : [{ name: 'Error', value: <code>{request.error_code}</code> }]),
    ...(scenario ? [{ name: 'Scenario', value: `${scenario.name}, chosen by ${scenario.source}` }] : []),
    ...(fault === null ? [] : [{ name: 'Connection', value: fault }]),
    ...faults.map(({ id, effect }) => ({ name: 'Fault', value: `${effect} (${id})` })),
    ...(request.replayed ? [{ name: 'Replayed', value: 'An earlier answer, by its idempotency key' }] : []),
    { name: 'Id', value: <code class="id">{request.id}</code> },
  ];
}

const MessageView = ({ name, message }: { readonly name: string; readonly message: Message }) => (
  <section class="part">
    <h3>{name}</h3>
    <Block
      title={message.body_bytes > KEPT_BYTES ? `The first 64 KiB of ${message.body_bytes} bytes` : 'Body'}
      text={message.body}
      tools={<Copy text={message.body} label="Copy" />}
    />
    <Headers title="Headers" headers={message.headers} />
  </section>
);
