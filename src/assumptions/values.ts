// Assumption values as they are written in a fixture file, a state file, or sent to the control API.
import { z } from 'zod';
import { didYouMean } from '../errors/did-you-mean.ts';
import {
  type AllowedRange,
  type Assumption,
  type AssumptionName,
  type AssumptionValues,
  assumptionNames,
  assumptions,
  type SettableName,
} from './catalogue.ts';

/** A value before it is checked; null means the same as the text `null`. */
export type GivenValue = string | number | null;

const rows: ReadonlyMap<string, Assumption> = new Map(Object.entries(assumptions));

export const settableNames = assumptionNames.filter((name): name is SettableName => 'allowed' in assumptions[name]);

/** Values with one of them set; a sentence about what is allowed if the name or the value is not. */
export function withValue(
  values: AssumptionValues,
  name: string,
  given: unknown,
): { readonly values: AssumptionValues } | { readonly problem: string } {
  const row = rows.get(name);
  const settable = `those that can be set are ${settableNames.join(', ')}`;
  if (!row) return { problem: `is not an assumption; ${settable}${didYouMean(name, settableNames)}` };
  const { allowed } = row;
  if (!allowed) return { problem: `cannot be set; ${settable}` };
  const value = 'minimum' in allowed ? inRange(allowed, given) : allowed.find((each) => String(each) === String(given));
  if (value === undefined) return { problem: `must be ${allowedValues(allowed)}${suggestion(allowed, given)}` };
  // The value is one of those that its row allows, which the compiler cannot see while the name is any text.
  return { values: { ...values, [name]: value } as AssumptionValues };
}

type Allowed = NonNullable<Assumption['allowed']>;

function inRange(range: AllowedRange, given: unknown): number | string | undefined {
  if (range.or !== undefined && given === range.or) return range.or;
  const fits = Number.isInteger(given) && Number(given) >= range.minimum && Number(given) <= range.maximum;
  return fits ? Number(given) : undefined;
}

function allowedValues(allowed: Allowed): string {
  if (!('minimum' in allowed)) return `one of ${allowed.join(', ')}`;
  const { minimum, maximum, or } = allowed;
  return `an integer from ${minimum} to ${maximum}${or === undefined ? '' : `, or ${or}`}`;
}

function suggestion(allowed: Allowed, given: unknown): string {
  return 'minimum' in allowed || typeof given !== 'string' ? '' : didYouMean(given, allowed.map(String));
}

/** Values of some assumptions, each one allowed by the ledger. */
export const assumptionValues = z
  .record(z.string(), z.union([z.string(), z.number(), z.null()], { error: 'must be a string or a number' }))
  .transform((given, context): AssumptionValues => {
    let values: AssumptionValues = {};
    const entries = Object.entries(given);
    // Each wrong name is compared with all that can be set.
    if (entries.length > assumptionNames.length) {
      context.addIssue({ code: 'custom', message: `must have at most ${assumptionNames.length} entries` });
      return values;
    }
    for (const [name, value] of entries) {
      const result = withValue(values, name, value);
      if ('problem' in result) context.addIssue({ code: 'custom', path: [name], message: result.problem });
      else values = result.values;
    }
    return values;
  });

/** Whether a name is that of an assumption. */
export const isAssumption = (name: string): name is AssumptionName => rows.has(name);
