// Events: what was emitted, and one fired by hand, about an existing record where there is one.
import { z } from 'zod';
import { timestamp } from '../clock/clock.ts';
import { violations } from '../contract/check.ts';
import { transact } from '../engine/transact.ts';
import { ApiError } from '../errors/api-error.ts';
import { type EventType, eventRow, eventTypes, isAbout } from '../events/catalogue.ts';
import { sampleOf } from '../events/samples.ts';
import type { EventEntry, Row, Subject, TableName } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf, type IndexOf } from '../store/tables.ts';
import { emit, subjectOf } from '../webhooks/fan-out.ts';
import { pageOfEntries, paging, route } from './route.ts';

/** An event as the control API shows it. */
export function shownEvent(event: EventEntry) {
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
    async handle({ house, world, query }) {
      const { entries } = await house.store.transaction(world, (tx) => tx.journal('events'));
      const matching = entries.filter(
        (event) =>
          (query.event_type === undefined || event.event_type === query.event_type) &&
          (query.subject_id === undefined || event.subject?.id === query.subject_id),
      );
      const { page, meta } = pageOfEntries(matching.reverse(), query);
      return { data: page.map(shownEvent), meta };
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
    handle: ({ house, world, body: { event_type, data } }) =>
      transact(house, world, null, (tx) => {
        const { payload, organization, subject, job } = aboutSomething(tx, event_type, data);
        const filled = withData(event_type, payload, data);
        const event = emit(tx, event_type, filled, organization, { subject, job });
        return { status: 201, data: shownEvent(event) };
      }),
  }),
];

interface About {
  readonly payload: object;
  readonly organization: string;
  readonly subject: Subject | null;
  readonly job: string | null;
}

/** The record that `data.id` names, else the newest one that such an event would be about, else a sample. */
function aboutSomething(tx: Tx, type: EventType, data: Record<string, unknown>): About {
  const { table, payload } = eventRow(type);
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
  if (typeof data.id === 'string' || typeof data.id === 'number') {
    const named = tx.get(table, String(data.id));
    if (named) return named;
  }
  const newest = tx.page(table, 'organization' as IndexOf<typeof table>, tx.world.organization_id, {
    limit: 100,
    newestFirst: true,
  });
  return (newest as Row<TableName>[]).find((record) => isAbout(type, record));
}

/** The payload with what `data` says in its place; a name that the payload does not know is refused. */
function withData(type: EventType, payload: object, data: Record<string, unknown>): object {
  const enveloped = eventRow(type).family === 'number_lifecycle';
  const inner = (enveloped ? (payload as { payload: object }).payload : payload) as Record<string, unknown>;
  const unknown = Object.keys(data).filter((name) => !Object.hasOwn(inner, name));
  if (unknown.length > 0) {
    const known = Object.keys(inner).join(', ');
    throw new ApiError('validation_error', {
      fields: Object.fromEntries(unknown.map((name) => [`data.${name}`, `is not in this payload; it has ${known}`])),
    });
  }
  const filled = enveloped ? { ...payload, payload: { ...inner, ...data } } : { ...payload, ...data };
  const [problem] = violations(eventRow(type).schema, filled);
  if (problem) throw new ApiError('validation_error', { fields: { data: `does not make a ${type}: ${problem}` } });
  return filled;
}
