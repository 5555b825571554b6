// What the requests to this world have met of the platform, and what not.
import type { components } from '../../../src/client/control-api.d.ts';
import type { Coverage } from '../../../src/client/shown.ts';
import { countOf, wordsOf } from '../format.ts';
import { Facts } from '../parts/facts.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { useRead } from '../parts/use-read.ts';
import type { Feed } from '../state/feed.ts';

type Part = components['schemas']['CoveredPart'];

const parts = [
  'operations',
  'error_codes',
  'event_types',
  'call_outcomes',
  'receiver_answers',
  'scenarios',
  'record_statuses',
  'faults',
  'delivery_troubles',
] as const satisfies readonly (keyof Coverage)[];

export function CoveragePage({ feed }: { readonly feed: Feed }) {
  // Whatever is counted is also journaled, so the stream reports it.
  const again = `${feed.requests.total.value} ${feed.deliveries.items.value.length} ${feed.isConnected.value}`;
  const read = useRead(feed.world, again, async (signal) => {
    // The API answers text too, but only where it is asked for.
    return (await feed.control.call('getCoverage', { signal })) as Coverage;
  });
  if (read.state === 'reading') return <Loading what="the coverage" />;
  if (read.state === 'failed') return <Failure error={read.error} />;
  const coverage = read.value;
  return (
    <Sheet
      title="Coverage"
      about="What the requests to this world have met of the platform since it was made. Of what you do here, dialing, texting, hanging up and Talk count, and opening Talk counts too: it lists the agents."
    >
      <Facts facts={factsOf(coverage)} />
      <div class="cards">
        {parts.map((name) => (
          <PartView key={name} name={name} part={coverage[name]} />
        ))}
      </div>
    </Sheet>
  );
}

function factsOf({ requests, replayed, retries, signatures }: Coverage) {
  const tried = (kind: keyof Coverage['retries']): string => `${retries[kind].seen} of ${retries[kind].expected}`;
  const forged = signatures.tampered.accepted + signatures.wrong_secret.accepted;
  return [
    { name: 'Requests', value: requests.toLocaleString('en-US') },
    { name: 'Replayed by idempotency key', value: replayed.toLocaleString('en-US') },
    { name: 'Tried again after 429', value: tried('after_429') },
    { name: 'After 5xx', value: tried('after_5xx') },
    { name: 'After a broken connection', value: tried('after_broken') },
    { name: 'Forged deliveries accepted', value: String(forged) },
  ];
}

function PartView({ name, part }: { readonly name: string; readonly part: Part }) {
  const { total, met, percent, counts, not_met } = part;
  const seen = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const title = wordsOf(name);
  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2 class="card-title">{title}</h2>
        <span>
          {met} of {total} <span class="faint">({percent} %)</span>
        </span>
      </div>
      <progress class="meter" max={total} value={met} aria-label={`${title} met`} />
      <details>
        <summary>{countOf(seen.length, 'was met', 'were met')}</summary>
        <ul class="tokens">
          {seen.map(([what, count]) => (
            <li key={what}>
              <code>{what}</code> <span class="faint">{count.toLocaleString('en-US')}</span>
            </li>
          ))}
        </ul>
      </details>
      {not_met.length > 0 && (
        <details>
          <summary>{countOf(not_met.length, 'was not', 'were not')}</summary>
          <ul class="tokens">
            {not_met.map((what) => (
              <li key={what}>
                <code>{what}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
