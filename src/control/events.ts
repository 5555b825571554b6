// Events: what was emitted, and one fired by hand, about an existing record where there is one.
import { z } from 'zod';
import { timestamp } from '../clock/clock.ts';
import { violations } from '../contract/check.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { type EventType, eventDefinition, eventTypes, isAbout } from '../events/catalogue.ts';
import { sampleOf } from '../events/samples.ts';
import type { EventEntry, Row, Subject, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf, type IndexOf } from '../store/tables.ts';
import { emit, subjectOf } from '../webhooks/fan-out.ts';
import { pageOfEntries, paging, route } from './route.ts';

/** An event as the control API shows it. */
export function serializeEvent(event: EventEntry) {
  return {
    id: event.id,
    event_type: event.event_type,
    created_at: event.at,
    subject: event.subject,
    payload: JSON.parse(event.body) as unknown,
    body: event.body,
    schema_violations: event.schema_violations,
    cause: event.cause,
  };
}

export const eventRoutes = [
  route({
    method: 'get',
    path: '/events',
    summary: 'What was emitted, newest first',
    query: z.strictObject({
      ...paging,
      event_type: z.enum(eventTypes as [EventType, ...EventType[]]).optional(),
      subject_id: z.string().optional(),
    }),
    async handle({ sandbox, world, query }) {
      const { entries, dropped } = await sandbox.store.transaction(world, (tx) => tx.journal('events'));
      const matching = entries.filter(
        (event) =>
          (query.event_type === undefined || event.event_type === query.event_type) &&
          (query.subject_id === undefined || event.subject?.id === query.subject_id),
      );
      const { page, meta } = pageOfEntries(matching.reverse(), query);
      return { data: page.map(serializeEvent), meta: { ...meta, dropped } };
    },
  }),
  route({
    method: 'post',
    path: '/events',
    summary: 'Emit an event, about an existing record where there is one',
    body: z.strictObject({
      event_type: z.enum(eventTypes as [EventType, ...EventType[]]),
      data: z.record(z.string(), z.unknown()).default({}),
    }),
    handle: ({ sandbox, world, body: { event_type, data } }) =>
      transact(sandbox, world, null, (tx) => {
        const { payload, organization, subject, job } = aboutSomething(tx, event_type, data);
        const filled = withData(event_type, payload, data);
        const event = emit(tx, event_type, filled, organization, { subject, job });
        return { status: 201, data: serializeEvent(event) };
      }),
  }),
];

interface About {
  readonly payload: object;
  readonly organization: string;
  readonly subject: Subject | null;
  readonly job: string | null;
}

/** The record that `data.id` names; without it the newest one that such an event would be about, else a sample. */
function aboutSomething(tx: Tx, type: EventType, data: Record<string, unknown>): About {
  const { table, payload } = eventDefinition(type);
  const at = timestamp(tx.at);
  const record = table && recordFor(tx, type, table, data);
  if (!table || !record || !payload) {
    return {
      payload: sampleOf(type, tx.world.organization_id, at),
      organization: tx.world.organization_id,
      subject: null,
      job: null,
    };
  }
  return {
    payload: payload(record as never, at),
    organization: record.private.organization_id,
    subject: subjectOf(type, table, definitionOf(table).id(record as never), record as never),
    job: (record as Row<'calls'>).private.job_id ?? null,
  };
}

function recordFor(
  tx: Tx,
  type: EventType,
  table: TableName,
  data: Record<string, unknown>,
): Row<TableName> | undefined {
  if (Object.hasOwn(data, 'id')) return recordNamed(tx, type, table, data.id);
  const newest = tx.page(table, 'organization' as IndexOf<typeof table>, tx.world.organization_id, {
    limit: 100,
    newestFirst: true,
  });
  return (newest as Row<TableName>[]).find((record) => isAbout(type, record));
}

/** As everywhere, an id in a body is 400 when it is malformed, else 404 when it names nothing. */
function recordNamed(tx: Tx, type: EventType, table: TableName, id: unknown): Row<TableName> {
  const record = typeof id === 'string' || typeof id === 'number' ? tx.get(table, String(id)) : undefined;
  if (record) return record;
  const sample = filled(type, sampleOf(type, tx.world.organization_id, timestamp(tx.at)), { id });
  const [problem] = violations(eventDefinition(type).schema, sample);
  if (problem) throw invalidField('data.id', `${quote(id)} does not make the event ${type}: ${problem}`);
  throw new ApiError('not_found', {
    message: `There is no record ${quote(id)} in this world that the event ${type} could be about.`,
    fields: { 'data.id': `names none of the ${table.replaceAll('_', ' ')} of this world` },
    hint: 'Leave the id out for the newest record that fits.',
  });
}

/** The part of a payload that `data` speaks of. */
function innerOf(type: EventType, payload: object): Record<string, unknown> {
  const enveloped = eventDefinition(type).family === 'number_lifecycle';
  return (enveloped ? (payload as { payload: object }).payload : payload) as Record<string, unknown>;
}

function filled(type: EventType, payload: object, data: Record<string, unknown>): object {
  const inner = innerOf(type, payload);
  return inner === payload ? { ...payload, ...data } : { ...payload, payload: { ...inner, ...data } };
}

/** The payload with what `data` says in its place; a name that the payload does not know is refused. */
function withData(type: EventType, payload: object, data: Record<string, unknown>): object {
  const inner = innerOf(type, payload);
  const unknown = Object.keys(data).filter((name) => !Object.hasOwn(inner, name));
  if (unknown.length > 0) {
    const known = Object.keys(inner).join(', ');
    throw new ApiError('validation_error', {
      fields: Object.fromEntries(unknown.map((name) => [`data.${name}`, `is not in this payload; it has ${known}`])),
    });
  }
  const whole = filled(type, payload, data);
  const [problem] = violations(eventDefinition(type).schema, whole);
  if (problem)
    throw new ApiError('validation_error', { fields: { data: `does not make the event ${type}: ${problem}` } });
  return whole;
}
