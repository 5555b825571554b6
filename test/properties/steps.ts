// What a sequence of the property tests can do to two worlds, as arbitraries of fast-check.
import fc from 'fast-check';
import type { DeliveryPlan } from '../../src/model.ts';

export interface Subscribed {
  readonly event_type: string;
  /** Which requests the receiver refuses: none, every one, or every second or third. */
  readonly refuses: 'none' | 'all' | 'second' | 'third';
  readonly plan: DeliveryPlan | null;
  /** Whether it goes to an inbox of the server itself; one at a time does. */
  readonly toInbox: boolean;
}

interface Steps {
  dial: { to: string; scenario: string | null };
  /** Dials twice with one idempotency key. */
  dialTwice: { to: string };
  hangUp: { pick: number };
  sendText: { to: string };
  receiveText: Record<never, never>;
  order: Record<never, never>;
  advance: { by: string };
  subscribe: Subscribed;
  unsubscribe: { pick: number };
  changePlan: { pick: number; plan: DeliveryPlan | null };
  /** Pauses the plan of a subscription, or resumes it. */
  pause: { pick: number };
  planWorld: { plan: DeliveryPlan | null };
  fault: { fault: object };
  activate: { use: string | readonly string[] };
  job: { to: readonly string[]; concurrency: number };
  actOnJob: { pick: number; act: 'pause' | 'resume' | 'cancel' };
  /** Sets the tick of the world; null ends it. */
  tick: { every: string | null };
  reset: Record<never, never>;
  keep: Record<never, never>;
  /** Makes a snapshot where there is none yet. */
  restore: { pick: number };
}

export type StepName = keyof Steps;
export type Step = {
  [Name in StepName]: { readonly name: Name; readonly world: 0 | 1 } & Readonly<Steps[Name]>;
}[StepName];
export type StepOf<Name extends StepName> = Extract<Step, { readonly name: Name }>;

export const CALL_EVENTS = [
  'new_call',
  'call_completed',
  'call_busy',
  'call_no_answer',
  'call_failed',
  'phone_call.ended',
];
const frequent = ['new_call', 'call_completed', 'phone_call.ended'];
const EVENTS = [
  ...CALL_EVENTS,
  'sms_sent',
  'sms_delivered',
  'contact_replied',
  'number_purchased',
  'workflow_contact_completed',
];

/** Those that every call has, more often than the others. */
const eventType = fc.constantFrom(...EVENTS, ...frequent, ...frequent, ...frequent);

const pick = fc.nat(7);
const probability = fc.constantFrom(undefined, 0, 0.5, 1);

const plan: fc.Arbitrary<DeliveryPlan> = fc.record({
  duplicate: probability,
  reorder: fc.constantFrom(undefined, undefined, 0.5, 1),
  drop: fc.constantFrom(undefined, undefined, 0.3, 1),
  tamper: probability,
  wrong_secret: probability,
  delay: fc.constantFrom(undefined, '2s', '1s..5s'),
  retries: fc.constantFrom(undefined, 'none' as const, 'short' as const, ['1s', '2s', '10s']),
  paused: fc.constantFrom(undefined, undefined, undefined, false),
});
const maybePlan = fc.option(plan, { freq: 2 });

/** Faults that happen to one dial; `after` means that the call is made all the same. */
const fault = fc.constantFrom(
  { error: 'internal_error', when: 'before' },
  { error: 'sip_gateway_failed', when: 'after' },
  { respond: { status: 502, body: '<h1>Bad gateway</h1>' } },
  { fault: 'reset', when: 'before' },
  { fault: 'empty', when: 'after' },
  { drift: ['extra_fields', 'timestamps_offset'] },
);

const forms: {
  readonly [Name in StepName]: { readonly weight: number; readonly arbitrary: fc.Arbitrary<Steps[Name]> };
} = {
  dial: {
    weight: 16,
    arbitrary: fc.record({
      to: fc.constantFrom('00', '01', '02', '03', '04', '05', '06', '07', '09', '11', '33'),
      scenario: fc.constantFrom(null, null, null, 'busy', 'no_answer;ring=2s', 'dropped_call'),
    }),
  },
  dialTwice: { weight: 1, arbitrary: fc.record({ to: fc.constantFrom('00', '01') }) },
  hangUp: { weight: 2, arbitrary: fc.record({ pick }) },
  sendText: { weight: 2, arbitrary: fc.record({ to: fc.constantFrom('40', '41', '42') }) },
  receiveText: { weight: 1, arbitrary: fc.record({}) },
  order: { weight: 1, arbitrary: fc.record({}) },
  advance: { weight: 7, arbitrary: fc.record({ by: fc.constantFrom('0s', '1s', '3s', '3s', '10s', '45s', '5m') }) },
  subscribe: {
    weight: 3,
    arbitrary: fc.record({
      event_type: eventType,
      refuses: fc.constantFrom('none' as const, 'none' as const, 'all' as const, 'second' as const, 'third' as const),
      plan: maybePlan,
      toInbox: fc.constantFrom(false, false, false, true),
    }),
  },
  unsubscribe: { weight: 1, arbitrary: fc.record({ pick }) },
  changePlan: { weight: 1, arbitrary: fc.record({ pick, plan: maybePlan }) },
  pause: { weight: 2, arbitrary: fc.record({ pick }) },
  planWorld: { weight: 1, arbitrary: fc.record({ plan: maybePlan }) },
  fault: { weight: 1, arbitrary: fc.record({ fault }) },
  activate: {
    weight: 1,
    arbitrary: fc.record({ use: fc.constantFrom('busy', ['no_answer', 'busy'], ['voicemail']) }),
  },
  job: {
    weight: 1,
    arbitrary: fc.record({
      to: fc.uniqueArray(fc.constantFrom('00', '01', '02', '11', '33'), { minLength: 1, maxLength: 3 }),
      concurrency: fc.constantFrom(1, 5),
    }),
  },
  actOnJob: {
    weight: 1,
    arbitrary: fc.record({ pick, act: fc.constantFrom('pause' as const, 'resume' as const, 'cancel' as const) }),
  },
  tick: { weight: 1, arbitrary: fc.record({ every: fc.constantFrom('1m', '90s', '5m', null) }) },
  reset: { weight: 1, arbitrary: fc.record({}) },
  keep: { weight: 1, arbitrary: fc.record({}) },
  restore: { weight: 3, arbitrary: fc.record({ pick }) },
};

const world = fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const);

const step = fc.oneof(
  ...Object.entries(forms).map(([name, { weight, arbitrary }]) => ({
    weight,
    // The entries of `forms` go together by their name, which a list of them no longer shows.
    arbitrary: fc
      .tuple(world, arbitrary as fc.Arbitrary<object>)
      .map(([of, rest]) => ({ name, world: of, ...rest }) as Step),
  })),
);

/** Sequences of up to that many steps, which begin with subscriptions so that there is something to see. */
export const sequences = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(forms.subscribe.arbitrary, { minLength: 3, maxLength: 5, size: 'max' }),
      fc.array(step, { minLength: 5, maxLength, size: 'max' }),
    )
    .map(([first, rest]) => [
      ...first.map((subscribed): Step => ({ name: 'subscribe', world: 0, ...subscribed })),
      ...rest,
    ]);
