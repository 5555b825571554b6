// The plan of the world and those of its subscriptions: how webhooks are sent, and what goes wrong with them.
import { useState } from 'preact/hooks';
import type { DeliveryPlan, Subscription } from '../../../src/client/shown.ts';
import { numberIn, wordsOf } from '../format.ts';
import { SelectField } from '../parts/select-field.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { say, sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';

interface Props {
  readonly feed: Feed;
  readonly changes: ReturnType<typeof useChanges>;
}

export function PlansPart({ feed, changes: { revision, isChanging, change } }: Props) {
  const again = `${revision} ${feed.state.value === 'live'}`;
  const plan = useRead(`${feed.world} plan`, again, () => feed.control.call('getWebhookPlan'));
  const subscriptions = useRead(feed.world, again, () => feed.control.all('listSubscriptions', {}));
  const ofWorld = async (body: DeliveryPlan | null): Promise<void> => {
    const isSet = await change(() =>
      body === null ? feed.control.call('deleteWebhookPlan') : feed.control.call('setWebhookPlan', { body }),
    );
    if (isSet) say(body === null ? 'The world has no plan' : 'The plan of the world is set');
  };
  const ofOne = async (id: string, given: DeliveryPlan | null): Promise<void> => {
    await change(() => feed.control.call('updateSubscription', { path: { id }, body: { plan: given } }));
  };
  return (
    <section class="part" aria-label="Plans">
      <h2 class="part-title">Plans of deliveries</h2>
      {plan.state === 'reading' && <Loading what="the plan" />}
      {plan.state === 'failed' && <Failure error={plan.error} />}
      {plan.state === 'read' && (
        <div class="card">
          <PlanForm
            key={JSON.stringify(plan.value)}
            title="The world"
            plan={plan.value}
            isDisabled={isChanging || plan.isFormer}
            onSet={ofWorld}
          />
        </div>
      )}
      {subscriptions.state === 'failed' && <Failure error={subscriptions.error} />}
      {subscriptions.state === 'read' && subscriptions.value.length === 0 && (
        <p class="faint">No webhook is subscribed in this world.</p>
      )}
      {subscriptions.state === 'read' && subscriptions.value.length > 0 && (
        <ul class="cards">
          {subscriptions.value.map((subscription) => (
            <li key={subscription.id} class="card">
              <SubscriptionView
                subscription={subscription}
                isDisabled={isChanging || subscriptions.isFormer}
                onSet={ofOne}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface SubscriptionProps {
  readonly subscription: Subscription;
  readonly isDisabled: boolean;
  readonly onSet: (id: string, plan: DeliveryPlan | null) => Promise<void>;
}

function SubscriptionView({ subscription, isDisabled, onSet }: SubscriptionProps) {
  const { id, event_type, webhook_url, plan } = subscription;
  return (
    <details>
      <summary>
        <code>{event_type}</code> <span class="faint break">{webhook_url}</span>{' '}
        {plan === null ? 'follows the world' : textOf(plan)}
      </summary>
      <PlanForm
        key={JSON.stringify(plan)}
        title={`${event_type} to ${webhook_url}`}
        plan={plan ?? {}}
        isDisabled={isDisabled}
        onSet={(given) => onSet(id, given)}
      />
    </details>
  );
}

const textOf = (plan: DeliveryPlan): string =>
  Object.entries(plan)
    .map(([name, value]) => `${wordsOf(name)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ') || 'sends once';

const shares = ['drop', 'duplicate', 'reorder', 'tamper', 'wrong_secret'] as const;

interface FormProps {
  readonly title: string;
  readonly plan: DeliveryPlan;
  readonly isDisabled: boolean;
  /** Null removes it. */
  readonly onSet: (plan: DeliveryPlan | null) => Promise<void>;
}

function PlanForm({ title, plan, isDisabled, onSet }: FormProps) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries([...shares, 'delay'].map((name) => [name, String(plan[name as 'delay'] ?? '')])),
  );
  const [retries, setRetries] = useState(typeof plan.retries === 'string' ? plan.retries : '');
  const field = (name: string, placeholder: string) => (
    <TextField
      key={name}
      label={wordsOf(name)}
      value={given[name] ?? ''}
      onValue={(value) => setGiven((all) => ({ ...all, [name]: value }))}
      placeholder={placeholder}
    />
  );
  function changed(): DeliveryPlan {
    const numbers = shares.flatMap((name) =>
      given[name]?.trim() ? [[name, numberIn(wordsOf(name), given[name])]] : [],
    );
    // What the form does not show stays as it is.
    const kept = Object.entries(plan).filter(([name]) => !(shares as readonly string[]).includes(name));
    // These are fields of the plan, as they were.
    const { delay: _, retries: own, ...rest } = Object.fromEntries(kept) as DeliveryPlan;
    const delay = given.delay?.trim() ? { delay: given.delay.trim() } : {};
    // The select offers nothing else.
    const again = retries !== '' ? { retries: retries as 'none' } : Array.isArray(own) ? { retries: own } : {};
    return { ...rest, ...Object.fromEntries(numbers), ...delay, ...again };
  }
  return (
    <form
      class="plan"
      aria-label={`Plan of ${title}`}
      onSubmit={(event) => {
        event.preventDefault();
        try {
          void onSet(changed());
        } catch (error) {
          sayError(error);
        }
      }}
    >
      <div class="card-head">
        <h3 class="card-title break">{title}</h3>
        <button
          type="button"
          class="button button-small"
          aria-pressed={plan.paused === true}
          disabled={isDisabled}
          onClick={() => void onSet({ ...plan, paused: plan.paused !== true })}
        >
          {plan.paused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" class="button button-small" disabled={isDisabled} onClick={() => void onSet(null)}>
          Remove
        </button>
      </div>
      <div class="bar">
        {shares.map((name) => field(name, '0 to 1'))}
        {field('delay', '1s..5s')}
        <SelectField
          label="Retries"
          value={retries}
          onValue={setRetries}
          options={[['', Array.isArray(plan.retries) ? 'As set' : 'None'], 'none', 'short', 'standard']}
        />
        <button type="submit" class="button button-main" disabled={isDisabled}>
          Set
        </button>
      </div>
    </form>
  );
}
