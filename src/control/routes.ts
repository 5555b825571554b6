// The index of the control API (`interface.md` section 5): every route, by noun.
import { activeScenarioRoutes } from './active-scenarios.ts';
import { assumptionRoutes } from './assumptions.ts';
import { callerIdRoutes } from './caller-ids.ts';
import { callingRuleRoutes } from './calling-rules.ts';
import { callRoutes } from './calls.ts';
import { catalogRoutes } from './catalog.ts';
import { clockRoutes } from './clock.ts';
import { coverageRoutes } from './coverage.ts';
import { deliveryRoutes } from './deliveries.ts';
import { documentRoutes } from './documents.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { fileSchemaRoutes } from './file-schemas.ts';
import { healthRoutes } from './health.ts';
import { inboxRoutes } from './inbox.ts';
import { keyRoutes } from './keys.ts';
import { leadSourceRoutes } from './lead-sources.ts';
import { mediaRoutes } from './media.ts';
import { messageRoutes } from './messages.ts';
import { metricsRoutes } from './metrics.ts';
import { openapiRoute } from './openapi.ts';
import { requestRoutes } from './requests.ts';
import type { ControlNoun, Route } from './route.ts';
import { scenarioRoutes } from './scenarios.ts';
import { simulateRoutes } from './simulate.ts';
import { snapshotRoutes } from './snapshots.ts';
import { streamRoutes } from './stream.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { timelineRoutes } from './timeline.ts';
import { waitRoutes } from './wait.ts';
import { worldRoutes } from './worlds.ts';

export const controlNouns: readonly ControlNoun[] = [
  {
    name: 'Health',
    description: 'Whether the server is alive and ready.',
    routes: [...healthRoutes, ...metricsRoutes],
  },
  { name: 'Clock', description: 'The time of a world.', routes: clockRoutes },
  { name: 'Scenarios', description: 'The scenario library, and what a world adds to it.', routes: scenarioRoutes },
  { name: 'Active scenarios', description: 'What a world plays by itself.', routes: activeScenarioRoutes },
  { name: 'Faults', description: 'What goes wrong with requests to the platform.', routes: faultRoutes },
  { name: 'Worlds', description: 'The worlds of the server.', routes: worldRoutes },
  { name: 'Snapshots', description: 'Worlds as they stood, to come back to.', routes: snapshotRoutes },
  { name: 'Keys', description: 'The API keys of a world.', routes: keyRoutes },
  { name: 'Requests', description: 'The platform requests that a world has had.', routes: requestRoutes },
  { name: 'Events', description: 'What has happened in a world.', routes: [...eventRoutes, ...waitRoutes] },
  { name: 'Timelines', description: 'What happened to a record, and why.', routes: timelineRoutes },
  { name: 'Calls', description: 'The calls of a world, for who watches it.', routes: callRoutes },
  { name: 'Messages', description: 'The messages of a world, for who watches it.', routes: messageRoutes },
  { name: 'Stream', description: 'What happens, as it happens.', routes: streamRoutes },
  { name: 'Deliveries', description: 'The webhooks that a world has sent.', routes: deliveryRoutes },
  { name: 'Inbox', description: 'A webhook receiver of the server itself.', routes: inboxRoutes },
  { name: 'Subscriptions', description: 'How webhooks are signed and sent.', routes: subscriptionRoutes },
  { name: 'Coverage', description: 'What the tests have met, and what not.', routes: coverageRoutes },
  { name: 'Simulate', description: 'The outside world acts.', routes: simulateRoutes },
  { name: 'Caller IDs', description: 'What verification calls have spoken.', routes: callerIdRoutes },
  { name: 'Calling rules', description: 'Whom a world may call, and when.', routes: callingRuleRoutes },
  { name: 'Lead sources', description: 'Tokens and secrets of lead sources.', routes: leadSourceRoutes },
  { name: 'Files', description: 'Recordings and documents.', routes: [...mediaRoutes, ...documentRoutes] },
  {
    name: 'Catalogues',
    description: 'What the server knows.',
    routes: [...catalogRoutes, ...fileSchemaRoutes, openapiRoute(() => controlNouns)],
  },
  { name: 'Assumptions', description: 'Choices where the specification is silent.', routes: assumptionRoutes },
];

export const controlRoutes: readonly Route[] = controlNouns.flatMap(({ routes }) => routes);
