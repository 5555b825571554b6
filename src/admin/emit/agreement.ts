// Checks whether an event body that follows from a record agrees with `data`; if no record agrees, builds the error.
import { isDeepStrictEqual } from 'node:util';
import { timestamp } from '../../clock/clock.ts';
import { fieldsOf } from '../../contract/document.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { ApiError, quote } from '../../errors/api-error.ts';
import { didYouMean } from '../../errors/did-you-mean.ts';
import { type EventTable, type EventType, eventDefinition } from '../../events/catalogue.ts';
import type { Row } from '../../model.ts';
import { serializePayload } from '../../webhooks/event-body.ts';
import type { Firing } from './firing.ts';
import { type Forms, instantIn } from './forms.ts';
import { nameOf } from './naming.ts';

/** The fields that `data` can have in an event about that record, as the event shows them. */
export function serializeFields({ tx, type }: Pick<Firing, 'tx' | 'type'>, record: Row<EventTable>): JsonObject {
  const assumptions = tx.state('assumptions');
  const payload = eventDefinition(type).payload(record, timestamp(tx.at), assumptions);
  const shown = innerOf(type, serializePayload(type, payload, assumptions));
  if (!isJsonObject(shown)) throw new Error(`the payload of ${type} is not an object`);
  return shown;
}

/** Number lifecycle events have their fields in an envelope. */
function innerOf(type: EventType, payload: unknown): unknown {
  return eventDefinition(type).family === 'number_lifecycle' && isJsonObject(payload) ? payload.payload : payload;
}

/** The fields that `data` can have in an event of this type. */
export function dataFields(type: EventType): readonly string[] {
  const { family, schema } = eventDefinition(type);
  return fieldsOf(family === 'number_lifecycle' ? 'NumberLifecyclePayload' : schema);
}

/** The names of the fields of `data` that an event about that record would contradict. */
export function contradicted(firing: Firing, record: Row<EventTable>): string[] {
  const shown = serializeFields(firing, record);
  return Object.entries(firing.data).flatMap(([name, value]) => (agrees(name, value, shown[name]) ? [] : [name]));
}

function agrees(name: string, value: unknown, shown: unknown): boolean {
  if (isDeepStrictEqual(value, shown)) return true;
  // The same instant may be written in another form.
  if (typeof value === 'string' && typeof shown === 'string') {
    const instant = instantIn(value);
    return instant !== undefined && instant === instantIn(shown);
  }
  // A registration is referred to by its id, its type, or both.
  if (name !== 'registration' || !isJsonObject(value) || !isJsonObject(shown)) return false;
  const parts = Object.entries(value);
  return parts.length > 0 && parts.every(([key, part]) => part === shown[key]);
}

/** The error if none of the records that the event could be about agrees with `data`. All are made from `base`, if given. */
export function noneAgrees(
  firing: Firing,
  records: readonly Row<EventTable>[],
  forms: Forms,
  base: { readonly table: EventTable; readonly record: Row<EventTable> } | undefined,
): ApiError {
  const bodies = records.map((record) => ({
    shown: serializeFields(firing, record),
    wrong: contradicted(firing, record),
  }));
  const [first, ...others] = bodies;
  if (!first) throw new Error(`no record can be made for ${firing.type}`);
  const existing = base && serializeFields(firing, base.record);
  const nearest = others.reduce((best, each) => (distance(each.wrong) < distance(best.wrong) ? each : best), first);
  const reasons = nearest.wrong.map((name) => {
    const value = firing.data[name];
    const form = forms[name];
    const possible = distinct(bodies.map(({ shown }) => shown[name]));
    if (existing && isDeepStrictEqual(possible, [existing[name]])) {
      return [
        `data.${name}`,
        `must be ${quote(existing[name])}, as ${nameOf(base.table, base.record)} has it`,
      ] as const;
    }
    if (form && !form.accepts(value)) return [`data.${name}`, `must be ${form.text}`] as const;
    const conditions =
      nearest.wrong.length < Object.keys(firing.data).length ? withTheOthers(firing, nearest.wrong) : '';
    if (possible.some((each) => agrees(name, value, each))) {
      return [`data.${name}`, `must be ${quote(nearest.shown[name])}${conditions}`] as const;
    }
    return [`data.${name}`, `must be ${oneOf(possible, value)}`] as const;
  });
  return refusal(reasons, `Send only fields that ${firing.type} can have together; those left out follow from them.`);
}

/** Where records agree in equally many fields, what was given as the status is what was meant. */
function distance(wrong: readonly string[]): number {
  return wrong.length + (wrong.includes('status') || wrong.includes('outcome') ? 0.5 : 0);
}

function refusal(reasons: readonly (readonly [field: string, reason: string])[], hint: string): ApiError {
  return new ApiError('validation_error', { fields: Object.fromEntries(reasons), hint });
}

/** ` where …`, with the fields of `data` that no record contradicts. */
function withTheOthers({ data }: Firing, wrong: readonly string[]): string {
  const others = Object.entries(data).filter(([name]) => !wrong.includes(name));
  return ` where ${others.map(([name, value]) => `${name} is ${quote(value)}`).join(' and ')}`;
}

function distinct(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((each) => isDeepStrictEqual(each, value)) === index);
}

function oneOf(possible: readonly unknown[], value: unknown): string {
  if (possible.length === 1) return quote(possible[0]);
  const shown = possible.map((each) => (typeof each === 'string' ? each : quote(each))).join(', ');
  const names = possible.filter((each) => typeof each === 'string');
  return `one of ${shown}${typeof value === 'string' ? didYouMean(value, names) : ''}`;
}
