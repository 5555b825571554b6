// The body of an event as it is sent: its payload in the form that the world assumes (`timestamps`, `event_payloads`).
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { timestampFormat } from '../assumptions/timestamps.ts';
import { violations } from '../contract/check.ts';
import { loadContract } from '../contract/document.ts';
import { type EventType, eventDefinition, isEnveloped } from '../events/catalogue.ts';

interface EventBody {
  readonly text: string;
  /** Where it does not match the schema of the event. */
  readonly violations: readonly string[];
}

/** The body of an event that happened at an instant, from its payload. */
export function eventBody(type: EventType, payload: object, at: string, assumptions: AssumptionValues): EventBody {
  const { schema } = eventDefinition(type);
  const format = timestampFormat(assumptions);
  const rewrite = format && loadContract().timestampsIn(schema);
  const flat = format && rewrite ? rewrite(payload, format) : payload;
  const inPayload = violations(schema, flat);
  if (!isEnveloped(type, assumptions)) return { text: JSON.stringify(flat), violations: inPayload };
  const envelope = { triggerEvent: type, createdAt: format ? format(at) : at, payload: flat };
  return { text: JSON.stringify(envelope), violations: [...inPayload, ...violations('EnvelopedEvent', envelope)] };
}
