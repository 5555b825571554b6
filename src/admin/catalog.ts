// The catalogues as data: scenarios, magic numbers, errors, events, scopes. The tables in `docs/` are generated from
// the same catalogues.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { categoryOnCalls, type ErrorRow, errorCodes, errors } from '../errors/catalogue.ts';
import { eventDefinition, eventTypes } from '../events/catalogue.ts';
import { allScopes } from '../identity/api-keys.ts';
import { scenariosOf, serializeScenario } from './scenarios.ts';

function serializeError(code: (typeof errorCodes)[number]) {
  const { status, retryable, meaning, channel }: ErrorRow = errors[code];
  return {
    code,
    status: status ?? null,
    category: categoryOnCalls(code) ?? null,
    retryable,
    meaning,
    synchronous: channel === 'response',
  };
}

function serializeEventType(type: (typeof eventTypes)[number]) {
  const { family, firesWhen, schema } = eventDefinition(type);
  return { event_type: type, family, signed: family === 'number_lifecycle', fires_when: firesWhen, schema };
}

/** Scenarios and numbers as they are in this world; the rest is the same for every world. */
export async function readCatalog(parts: Pick<SandboxContext, 'store' | 'scenarios'>, world: string) {
  const scenarios = await scenariosOf(parts, world);
  return {
    scenarios: scenarios.all().map((scenario) => serializeScenario(scenarios, scenario)),
    numbers: scenarios.numbers().map(([number, { name, kind }]) => ({ number, scenario: name, kind })),
    errors: errorCodes.map(serializeError),
    events: eventTypes.map(serializeEventType),
    scopes: allScopes(),
  };
}
