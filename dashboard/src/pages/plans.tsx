// The plan of the world and those of its subscriptions: how webhooks are sent, and what goes wrong with them.
import { useState } from 'preact/hooks';
import type { DeliveryPlan, Subscription } from '../../../src/client/shown.ts';
import { wordsOf } from '../format.ts';

import { SelectField } from '../parts/select-field.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { say, sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { fieldsOf, OWN_WAITS, type PlanField, planOf, shares, timeouts, usualTimeouts } from './plan-form.ts';

interface Props {
  readonly feed: Feed;
  readonly changes: ReturnType<typeof useChanges>;
}

export function PlansPart({ feed, changes: { revision, isChanging, change } }: Props) {
  const again = `${revision} ${feed.isConnected.value}`;
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

const labels: Readonly<Partial<Record<PlanField, string>>> = {
  waits: 'Waits',
  connect: 'Time to connect',
  answer: 'Time to answer',
  total: 'Time in all',
};

interface FormProps {
  readonly title: string;
  readonly plan: DeliveryPlan;
  readonly isDisabled: boolean;
  /** Null removes it. */
  readonly onSet: (plan: DeliveryPlan | null) => Promise<void>;
}

function PlanForm({ title, plan, isDisabled, onSet }: FormProps) {
  const [given, setGiven] = useState(() => fieldsOf(plan));
  const field = (name: PlanField, placeholder: string) => (
    <TextField
      key={name}
      label={labels[name] ?? wordsOf(name)}
      value={given[name] ?? ''}
      onValue={(value) => setGiven((all) => ({ ...all, [name]: value }))}
      placeholder={placeholder}
    />
  );
  return (
    <form
      class="plan"
      aria-label={`Plan of ${title}`}
      onSubmit={(event) => {
        event.preventDefault();
        try {
          void onSet(planOf(plan, given));
        } catch (error) {
          sayError(error);
        }
      }}
    >
      <PlanHead title={title} plan={plan} isDisabled={isDisabled} onSet={onSet} />
      <div class="bar">
        {shares.map((name) => field(name, '0 to 1'))}
        {field('delay', '1s..5s')}
        <SelectField
          label="Retries"
          value={given.retries ?? ''}
          onValue={(retries) => setGiven((all) => ({ ...all, retries }))}
          options={[['', 'As usual'], 'none', 'short', 'standard', [OWN_WAITS, 'My own']]}
        />
        {given.retries === OWN_WAITS && field('waits', '5s, 1m, 1h')}
        {timeouts.map((name) => field(name, usualTimeouts[name]))}
        <button type="submit" class="button button-main" disabled={isDisabled}>
          Set
        </button>
      </div>
    </form>
  );
}

const PlanHead = ({ title, plan, isDisabled, onSet }: FormProps) => (
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
);
