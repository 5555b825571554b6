// The index of the control API (`interface.md` section 5): every route, by noun.
import { activeScenarioRoutes } from './active-scenarios.ts';
import { assumptionRoutes } from './assumptions.ts';
import { callerIdRoutes } from './caller-ids.ts';
import { callingRuleRoutes } from './calling-rules.ts';
import { catalogRoutes } from './catalog.ts';
import { clockRoutes } from './clock.ts';
import { deliveryRoutes } from './deliveries.ts';
import { documentRoutes } from './documents.ts';
import { eventRoutes } from './events.ts';
import { healthRoutes } from './health.ts';
import { keyRoutes } from './keys.ts';
import { leadSourceRoutes } from './lead-sources.ts';
import { mediaRoutes } from './media.ts';
import { openapiRoute } from './openapi.ts';
import { requestRoutes } from './requests.ts';
import type { Route } from './route.ts';
import { scenarioRoutes } from './scenarios.ts';
import { simulateRoutes } from './simulate.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { waitRoutes } from './wait.ts';
import { worldRoutes } from './worlds.ts';

export const controlRoutes: readonly Route[] = [
  ...healthRoutes,
  ...clockRoutes,
  ...scenarioRoutes,
  ...activeScenarioRoutes,
  ...worldRoutes,
  ...keyRoutes,
  ...requestRoutes,
  ...eventRoutes,
  ...deliveryRoutes,
  ...waitRoutes,
  ...subscriptionRoutes,
  ...simulateRoutes,
  ...callerIdRoutes,
  ...callingRuleRoutes,
  ...leadSourceRoutes,
  ...mediaRoutes,
  ...documentRoutes,
  ...catalogRoutes,
  ...assumptionRoutes,
  openapiRoute(() => controlRoutes),
];
