// Emits an event by hand: about an existing record that the event has happened to, or else about one made for it. The
// body follows from that record, so every id in it can be read and no field contradicts another.
import { letterWriter } from '../domain/caller-trust/letter-of-authorization.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, faultsOf } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { type EventType, events } from '../events/catalogue.ts';
import { definitionOf } from '../store/tables.ts';
import { emitAbout } from '../webhooks/fan-out.ts';
import { finishIfInstant } from './clock.ts';
import { dataFields } from './emit/agreement.ts';
import { eventRecord, withRecordIds } from './emit/event-record.ts';
import { type SandboxEvent, serializeEvent } from './events.ts';
import { findVisible, type Reader } from './reader.ts';

export interface EventToEmit {
  readonly event_type: EventType;
  /** Fields of the payload, which decide what record it is about. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Emits an event about the record that `data` names, else about the newest record to which such an event has happened
 * and that has what `data` says, else about a new one. `validation_error` if no event of this type can have that data,
 * `not_found` if it names no record, `conflict` if the record that it names is in another state.
 */
export async function emitEvent(
  parts: Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'scheduler'>,
  world: string,
  { event_type: type, data: sent }: EventToEmit,
  reader: Reader = {},
): Promise<SandboxEvent> {
  const data = withRecordIds(sent);
  requireKnown(type, data);
  const writer = type === 'enterprise.status.updated' ? await letterWriter() : null;
  const event = await transact(parts, world, 'emitEvent', (tx) => {
    const given =
      typeof data.organization_id === 'string'
        ? findVisible(tx, 'organizations', data.organization_id, reader)
        : undefined;
    const owner = { organization_id: given?.id ?? reader.organization ?? tx.world.organization_id };
    const { table } = events[type];
    const record = eventRecord({ tx, type, data, owner, reader, letterWriter: writer }, table);
    return serializeEvent(emitAbout(tx, type, table, definitionOf(table).id(record), record));
  });
  await finishIfInstant(parts, world);
  return event;
}

/** Throws `validation_error` for fields that the payload does not have. */
function requireKnown(type: EventType, data: EventToEmit['data']): void {
  const allowed = dataFields(type);
  const unknown = Object.keys(data).filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return;
  const reason = `is not a known field of this payload; allowed: ${allowed.join(', ')}`;
  const faults = faultsOf(
    unknown,
    (name) => `data.${name}`,
    (name) => `${reason}${didYouMean(name, allowed)}`,
  );
  throw new ApiError('validation_error', faults);
}
