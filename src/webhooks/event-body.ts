// The body of an event as it is sent: its payload in the form that the world's assumptions define (`timestamps`,
// `event_payloads`).
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

/** A payload with timestamps as the world shows them. */
export function serializePayload(type: EventType, payload: object, assumptions: AssumptionValues): unknown {
  const format = timestampFormat(assumptions);
  const rewrite = format && loadContract().timestampsIn(eventDefinition(type).schema);
  return format && rewrite ? rewrite(payload, format) : payload;
}

/** The body of an event that happened at an instant, from its payload. */
export function eventBody(type: EventType, payload: object, at: string, assumptions: AssumptionValues): EventBody {
  const flat = serializePayload(type, payload, assumptions);
  const inPayload = violations(eventDefinition(type).schema, flat);
  if (!isEnveloped(type, assumptions)) return { text: JSON.stringify(flat), violations: inPayload };
  const format = timestampFormat(assumptions);
  const envelope = { triggerEvent: type, createdAt: format ? format(at) : at, payload: flat };
  return { text: JSON.stringify(envelope), violations: [...inPayload, ...violations('EnvelopedEvent', envelope)] };
}
