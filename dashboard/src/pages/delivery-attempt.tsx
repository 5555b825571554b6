// One attempt of a delivery: what was sent and answered, the signature checked, and what the plan did.
import type { Delivery } from '../../../src/client/shown.ts';
import { offsetOf, wordsOf } from '../format.ts';
import { Block, Headers } from '../parts/facts.tsx';
import { type Verdict, verdictOf } from '../parts/signature.ts';
import { Badge } from '../parts/status.tsx';
import { useRead } from '../parts/use-read.ts';
import type { Feed } from '../state/feed.ts';

type Attempt = Delivery['attempts'][number];

const signatures: Readonly<Record<NonNullable<Attempt['signed_with']>, string>> = {
  world_secret: "Signed with the world's secret",
  own_secret: "Signed with the subscription's own secret",
  wrong_secret: 'Signed with a wrong secret, as the plan says',
  none: 'Not signed: the secret was removed',
};

const reasons: Readonly<Record<Attempt['reason'], string>> = {
  event: 'Sent when it happened',
  retry: 'Sent again after a failure',
  duplicate: 'Sent twice, as the plan says',
  redelivery: 'Sent again by hand',
};

interface Props {
  readonly feed: Feed;
  readonly attempt: Attempt;
  readonly delivery: Delivery;
}

export function AttemptView({ feed, attempt, delivery }: Props) {
  const { response, signed_with } = attempt;
  const offset = Date.parse(attempt.attempted_at) - Date.parse(delivery.created_at);
  return (
    <details class="attempt" open={attempt.number === 1 || attempt.error_class !== null}>
      <summary>
        <span class="attempt-number">{attempt.number}</span>
        <span class="attempt-text">
          {reasons[attempt.reason]} <span class="faint">{offsetOf(offset)}</span>
        </span>
        <Badge
          tone={attempt.error_class === null ? 'good' : 'bad'}
          text={response ? String(response.status) : wordsOf(attempt.error_class ?? 'no answer')}
        />
        <span class="faint">{Math.round(attempt.latency_ms)} ms</span>
      </summary>
      <p class="attempt-note">
        {signed_with === null ? 'This family of events carries no signature.' : `${signatures[signed_with]}.`}
        {signed_with !== null && <Check feed={feed} attempt={attempt} delivery={delivery} />}
        {attempt.plan.length > 0 && ` Plan: ${attempt.plan.join(', ')}.`}
      </p>
      {attempt.error !== null && (
        <p class="problem">
          {attempt.error} {attempt.hint}
        </p>
      )}
      <Headers title="Headers sent" headers={attempt.request.headers} />
      {attempt.request.body !== '' && attempt.plan.includes('tamper') && (
        <Block title="Body, as the plan has changed it" text={attempt.request.body} isExact />
      )}
      {response && (
        <>
          <Headers title="Headers answered" headers={response.headers ?? {}} />
          <Block title="Body answered" text={response.body ?? ''} />
        </>
      )}
    </details>
  );
}

const verdicts: Readonly<Record<Verdict, string>> = {
  valid: 'Checked: it fits the secret and these bytes.',
  invalid: 'Checked: it does not fit the secret and these bytes, so a receiver must refuse it.',
  unsigned: 'Checked: there is no signature.',
  unknown: 'It could not be checked here.',
};

/** The signature as a receiver with the right secret judges it. */
function Check({ feed, attempt, delivery }: Props) {
  const { id, subscription_id } = delivery;
  const read = useRead(`${id} ${attempt.number}`, null, async (signal) => {
    const path = { id: subscription_id };
    const { signing_secret } = await feed.control.call('getSubscription', { path, signal });
    return verdictOf(attempt, delivery.body, signing_secret);
  });
  if (read.state === 'reading') return null;
  const verdict = read.state === 'read' ? read.value : 'unknown';
  return <span class={`verdict verdict-${verdict}`}> {verdicts[verdict]}</span>;
}
