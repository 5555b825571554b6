// The catalogues as data: scenarios, magic numbers, errors, events, scopes. The README's tables are made from the same.
import { categoryOnCalls, type ErrorRow, errorCodes, errors } from '../errors/catalogue.ts';
import { eventDefinition, eventTypes } from '../events/catalogue.ts';
import { allScopes } from '../identity/api-keys.ts';
import { route } from './route.ts';
import { scenariosOf, serializeScenario } from './scenarios.ts';

export function serializeError(code: (typeof errorCodes)[number]) {
  const { status, retryable, meaning, channel }: ErrorRow = errors[code];
  return {
    code,
    status: status ?? null,
    category: categoryOnCalls(code) ?? null,
    retryable,
    meaning,
    synchronous: channel === 'answer',
  };
}

export function serializeEventType(type: (typeof eventTypes)[number]) {
  const { family, firesWhen, schema } = eventDefinition(type);
  return { event_type: type, family, signed: family === 'number_lifecycle', fires_when: firesWhen, schema };
}

export const catalogRoutes = [
  route({
    method: 'get',
    path: '/catalog',
    summary: 'Scenarios, magic numbers, errors, events and scopes',
    async handle({ sandbox, world }) {
      const scenarios = await scenariosOf(sandbox, world);
      const all = scenarios.all();
      const numbers = scenarios.numbers().map(([number, { name, kind }]) => ({ number, scenario: name, kind }));
      return {
        data: {
          scenarios: all.map((scenario) => serializeScenario(scenarios, scenario)),
          numbers,
          errors: errorCodes.map(serializeError),
          events: eventTypes.map(serializeEventType),
          scopes: allScopes(),
        },
      };
    },
  }),
];
