// The names under which the library and the dashboard use the types of the control API's answers.
import type { components } from './control-api.d.ts';

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
export type Scenario = Shown['Scenario'];
export type Assumption = Shown['Assumption'];
export type EventType = Shown['EventType'];
