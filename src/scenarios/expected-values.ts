// Checks whether the steps of a scenario lead to the values that it expects of its record. Where the steps do not
// decide the value, as with times and whatever the request gives, only its presence is checked.
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../contract/json.ts';
import type { NamedLifecycle } from '../lifecycles/lifecycle.ts';
import type { Report } from '../yaml-with-locations.ts';
import { type Played, play } from './play.ts';
import type { Way } from './ways.ts';

/** How many steps are played at most: one file can have hundreds of ways with hundreds of steps each. */
const MAX_STEPS = 5000;

/** Reports values that none of these ways leads to, by the one that comes nearest. */
export function checkRecordValues(
  expected: Readonly<Record<string, unknown>>,
  ways: readonly Way[],
  lifecycle: NamedLifecycle,
  report: Report,
): void {
  if (ways.reduce((sum, { steps }) => sum + steps.length, 0) > MAX_STEPS) return;
  const misfits = ways.map(({ steps }) => {
    const played = play(lifecycle, steps);
    const fields = Object.keys(expected).filter((name) => !canHave(played, name, expected[name]));
    return { played, fields };
  });
  const [nearest] = misfits.toSorted((a, b) => a.fields.length - b.fields.length);
  for (const name of nearest?.fields ?? []) {
    const reason = reasonFor(nearest?.played, name);
    report(['expect', 'record', name], `${JSON.stringify(expected[name])} cannot happen: ${reason}`);
  }
}

const canHave = ({ shown }: Played, name: string, value: unknown): boolean =>
  shown.some((records) => canBe(value, valuesOf(records, name)));

const valuesOf = (records: readonly Readonly<Record<string, unknown>>[], name: string): unknown[] =>
  records.map((record) => record[name]);

/** Whether a field can have a value, by the values that it has in each play; undefined is one that is not known. */
function canBe(expected: unknown, values: readonly unknown[]): boolean {
  if (values.length === 0 || values.includes(undefined)) return true;
  if (values.every(Array.isArray)) return Array.isArray(expected) && canBeArray(expected, values);
  if (values.every(isJsonObject)) {
    const names = isJsonObject(expected) ? Object.keys(expected) : undefined;
    return names?.every((name) => canBe(Object(expected)[name], valuesOf(values, name))) ?? false;
  }
  const isDecided = values.every((value) => value === values[0]);
  if (isDecided || expected === null) return values.some((value) => isDeepStrictEqual(value, expected));
  const range = rangeOf(values);
  return range === undefined || (typeof expected === 'number' && range.min <= expected && expected <= range.max);
}

function canBeArray(expected: readonly unknown[], values: readonly (readonly unknown[])[]): boolean {
  const { min, max } = rangeOf(values.map(({ length }) => length)) ?? { min: 0, max: 0 };
  // Samples of different lengths leave open how long it can be.
  if (expected.length < min || (min === max && expected.length > max)) return false;
  return expected.every((item, index) => {
    const items = values.filter(({ length }) => length > index).map((value) => value[index]);
    return canBe(item, items);
  });
}

function rangeOf(values: readonly unknown[]): { min: number; max: number } | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0 || numbers.length < values.length) return undefined;
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}

/** What the steps lead to instead. */
function reasonFor({ shown: [records = []], causes }: Played = { shown: [], causes: new Map() }, name: string): string {
  const values = valuesOf(records, name);
  const cause = causes.get(name);
  const leads = cause === undefined ? 'no step changes it from' : `${cause} leads to`;
  const [value] = values;
  if (values.every((other) => isDeepStrictEqual(other, value)))
    return `${leads} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  const range = rangeOf(values);
  if (range) return `${leads} ${range.min} to ${range.max}`;
  return `${leads} ${values.every((other) => other !== null) ? 'other values' : 'null'}`;
}
