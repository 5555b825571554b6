// Fires an event by hand: about an existing record to which it has happened if there is one, else about one that is made
// for it, so that whatever id the body names can be read.
import { timestamp } from '../clock/clock.ts';
import { violations } from '../contract/check.ts';
import { letterWriter } from '../domain/caller-trust/letter-of-authorization.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { type EventType, eventDefinition, events } from '../events/catalogue.ts';
import { definitionOf } from '../store/tables.ts';
import { emit, subjectOf } from '../webhooks/fan-out.ts';
import { checkReferences, eventRecord } from './emit/event-record.ts';
import type { Firing } from './emit/firing.ts';
import { type SandboxEvent, serializeEvent } from './events.ts';

export interface EventToEmit {
  readonly event_type: EventType;
  /** Fields of the payload; ids name the records that the event is about. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Emits an event about the record that `data` names, else about the newest record to which such an event has happened,
 * else about a new one. `validation_error` if `data` does not fit the payload, `not_found` if it names no record.
 */
export async function emitEvent(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns'>,
  world: string,
  { event_type: type, data }: EventToEmit,
): Promise<SandboxEvent> {
  const writer = type === 'enterprise.status.updated' ? await letterWriter() : null;
  return transact(parts, world, null, (tx) => {
    const given = typeof data.organization_id === 'string' ? tx.get('organizations', data.organization_id) : undefined;
    const owner = { organization_id: given?.id ?? tx.world.organization_id };
    return emitAbout({ tx, type, data, owner, letterWriter: writer });
  });
}

function emitAbout(firing: Firing): SandboxEvent {
  const { tx, type } = firing;
  const { table } = events[type];
  const record = eventRecord(firing, table);
  const body = withData(firing, eventDefinition(type).payload(record, timestamp(tx.at), tx.state('assumptions')));
  // After the form of every field: a malformed id is 400, one that names nothing is 404.
  checkReferences(firing);
  const subject = subjectOf(type, table, definitionOf(table).id(record), record);
  const job = 'job_id' in record.private ? record.private.job_id : null;
  return serializeEvent(emit(tx, type, body, record.private.organization_id, { subject, job }));
}

/** The part of a payload that `data` fills; number lifecycle events have it in an envelope. */
function innerOf(type: EventType, payload: object): object {
  if (eventDefinition(type).family !== 'number_lifecycle' || !('payload' in payload)) return payload;
  return typeof payload.payload === 'object' && payload.payload !== null ? payload.payload : payload;
}

/** The payload with the fields of `data` filled in; a field that the payload does not have is refused. */
function withData({ type, data }: Firing, payload: object): object {
  const inner = innerOf(type, payload);
  const allowed = Object.keys(inner);
  const unknown = Object.keys(data).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) {
    const reason = `is not a known field of this payload; allowed: ${allowed.join(', ')}`;
    throw new ApiError('validation_error', {
      fields: Object.fromEntries(unknown.map((name) => [`data.${name}`, reason])),
    });
  }
  const body = inner === payload ? { ...payload, ...data } : { ...payload, payload: { ...inner, ...data } };
  const [problem] = violations(eventDefinition(type).schema, body);
  if (problem) throw invalidField('data', `does not fit the event ${type}: ${problem}`);
  return body;
}
