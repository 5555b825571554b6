// Emits an event by hand: about an existing record if there is one, else with the contract's example as its body.
import { timestamp } from '../clock/clock.ts';
import { violations } from '../contract/check.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { type EventType, eventDefinition, events, isAbout } from '../events/catalogue.ts';
import { sampleOf } from '../events/samples.ts';
import type { Row, Subject } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf } from '../store/tables.ts';
import { emit, subjectOf } from '../webhooks/fan-out.ts';
import { type SandboxEvent, serializeEvent } from './events.ts';

/** Tables whose records events are about. */
type EventTable = (typeof events)[EventType]['table'];

export interface EventToEmit {
  readonly event_type: EventType;
  /** Fields of the payload; `id` names the record that the event is about. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Emits an event about the record that `data.id` names, else about the newest record that such an event could be about,
 * else with the contract's example. `validation_error` if `data` does not fit the payload, `not_found` if no
 * record has the id.
 */
export function emitEvent(
  parts: Pick<SandboxContext, 'store' | 'runTask'>,
  world: string,
  { event_type, data }: EventToEmit,
): Promise<SandboxEvent> {
  return transact(parts, world, null, (tx) => {
    const { payload, organization, subject, job } = occasionOf(tx, event_type, data);
    const body = withData(event_type, payload, data);
    return serializeEvent(emit(tx, event_type, body, organization, { subject, job }));
  });
}

/** What an event is about, and its payload before `data` is filled in. */
interface Occasion {
  readonly payload: object;
  readonly organization: string;
  readonly subject: Subject | null;
  readonly job: string | null;
}

function occasionOf(tx: Tx, type: EventType, data: EventToEmit['data']): Occasion {
  const { table } = events[type];
  const { payload } = eventDefinition(type);
  const at = timestamp(tx.at);
  const record = Object.hasOwn(data, 'id') ? recordNamed(tx, type, table, data.id) : newestRecord(tx, type, table);
  if (!record || !payload) {
    const organization = tx.world.organization_id;
    return { payload: sampleOf(type, organization, at), organization, subject: null, job: null };
  }
  return {
    payload: payload(record, at, tx.state('assumptions')),
    organization: record.private.organization_id,
    subject: subjectOf(type, table, definitionOf(table).id(record), record),
    job: 'job_id' in record.private ? record.private.job_id : null,
  };
}

function newestRecord(tx: Tx, type: EventType, table: EventTable): Row<EventTable> | undefined {
  const newest = tx.page(table, 'organization', tx.world.organization_id, { limit: 100, newestFirst: true });
  return newest.find((record) => isAbout(type, record));
}

/** A malformed id in a body is 400; a well-formed one that names nothing is 404. */
function recordNamed(tx: Tx, type: EventType, table: EventTable, id: unknown): Row<EventTable> {
  const record = typeof id === 'string' || typeof id === 'number' ? tx.get(table, String(id)) : undefined;
  if (record) return record;
  const sample = filled(type, sampleOf(type, tx.world.organization_id, timestamp(tx.at)), { id });
  const [problem] = violations(eventDefinition(type).schema, sample);
  if (problem) throw invalidField('data.id', `${quote(id)} is not a valid id for the event ${type}: ${problem}`);
  const noun = table.replaceAll('_', ' ').replace(/s$/, '');
  throw new ApiError('not_found', {
    message: `No record with id ${quote(id)} that the event ${type} could be about exists in this world.`,
    fields: { 'data.id': `does not identify any ${noun} of this world` },
    hint: 'Omit the id to use the newest record that fits.',
  });
}

/** The part of a payload that `data` fills; number lifecycle events have it in an envelope. */
function innerOf(type: EventType, payload: object): object {
  if (eventDefinition(type).family !== 'number_lifecycle' || !('payload' in payload)) return payload;
  return typeof payload.payload === 'object' && payload.payload !== null ? payload.payload : payload;
}

function filled(type: EventType, payload: object, data: EventToEmit['data']): object {
  const inner = innerOf(type, payload);
  return inner === payload ? { ...payload, ...data } : { ...payload, payload: { ...inner, ...data } };
}

/** The payload with the fields of `data` filled in; a field that the payload does not have is refused. */
function withData(type: EventType, payload: object, data: EventToEmit['data']): object {
  const allowed = Object.keys(innerOf(type, payload));
  const unknown = Object.keys(data).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) {
    const reason = `is not a known field of this payload; allowed: ${allowed.join(', ')}`;
    throw new ApiError('validation_error', {
      fields: Object.fromEntries(unknown.map((name) => [`data.${name}`, reason])),
    });
  }
  const body = filled(type, payload, data);
  const [problem] = violations(eventDefinition(type).schema, body);
  if (problem) throw invalidField('data', `does not fit the event ${type}: ${problem}`);
  return body;
}
