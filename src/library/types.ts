// The names under which the library shows what the control API takes and answers. `interface.md` section 8.
import type { components, operations } from '../client/control-api.d.ts';
import type { InputOf } from '../client/operation-types.ts';

type Shown = components['schemas'];

/** What an advance has run: steps, deliveries, and where the clock stands. */
export type Advance = Shown['Advance'];
export type ClockView = Shown['Clock'];
export type Coverage = Shown['Coverage'];
/** A webhook delivery with its attempts. */
export type Delivery = Shown['Delivery'];
export type SandboxEvent = Shown['Event'];
/** A request to the platform, as the journal has it. */
export type JournaledRequest = Shown['RecordedRequest'];
/** A webhook subscription with its secret and its plan. */
export type Subscription = Shown['SignedSubscription'];
/** How deliveries are sent, and what goes wrong with them. */
export type DeliveryPlan = Shown['DeliveryPlan'];
/** A fault to set. */
export type FaultSpec = Shown['FaultToSet'];
/** A fault of a world, and what it has done. */
export type Fault = Shown['WorldFault'];
export type Tick = Shown['Tick'];
export type SnapshotView = Shown['Snapshot'];
export type ActiveScenario = Shown['ActiveScenario'];
export type Key = Shown['Key'];
export type CreatedKey = Shown['CreatedKey'];
export type Timeline = Shown['Timeline'];
export type EventType = Shown['EventType'];

type QueryOf<Id extends keyof operations> = Exclude<operations[Id]['parameters']['query'], undefined>;
type BodyOf<Id extends keyof operations> =
  InputOf<operations[Id]> extends { readonly body?: infer Body } ? Exclude<Body, undefined> : never;

export type DeliveryFilter = Omit<QueryOf<'listDeliveries'>, 'cursor' | 'page_size'>;
export type EventFilter = Omit<QueryOf<'listEvents'>, 'cursor' | 'page_size'>;
export type RequestFilter = Omit<QueryOf<'listRequests'>, 'cursor' | 'page_size'>;
export type CoverageQuery = Omit<QueryOf<'getCoverage'>, 'format'>;
export type InboundCall = BodyOf<'simulateInboundCall'>;
export type InboundSms = BodyOf<'simulateInboundSms'>;
export type NewContact = BodyOf<'simulateNewContact'>;
export type NewAppointment = BodyOf<'simulateNewAppointment'>;
export type NewKey = BodyOf<'createKey'>;

/** Which event to wait for; every field that is given must match. */
export interface WaitMatch extends Omit<QueryOf<'waitForEvent'>, 'timeout' | 'delivered'> {
  /** Whether the event must have deliveries, and all of them must have been accepted. */
  readonly delivered?: boolean;
  /** Real time, such as `10s` (the default). */
  readonly timeout?: string;
}
