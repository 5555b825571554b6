// The names under which the library exports the types of the control API. `interface.md` section 8.
import type { operations } from '../client/control-api.d.ts';
import type { InputOf } from '../client/operation-types.ts';

export type {
  ActiveScenario,
  Advance,
  ClockView,
  Coverage,
  CreatedKey,
  Delivery,
  DeliveryPlan,
  EventType,
  Fault,
  FaultSpec,
  JournaledRequest,
  Key,
  SandboxEvent,
  SnapshotView,
  Subscription,
  Tick,
  Timeline,
} from '../client/shown.ts';

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
