// The answers of the control API as schemas: the OpenAPI document contains them, and the compiler checks every handler
// against them. A schema has the same name in the document as here. Nothing else imports them at run time.
import type { z } from 'zod';
import * as calls from './calls.ts';
import * as catalog from './catalog.ts';
import * as clock from './clock.ts';
import * as coverage from './coverage.ts';
import * as faults from './faults.ts';
import { JournalMeta, PageMeta, resource, Subject } from './fields.ts';
import * as inbox from './inbox.ts';
import * as journals from './journals.ts';
import * as scenarios from './scenarios.ts';
import * as snapshots from './snapshots.ts';
import * as timeline from './timeline.ts';
import * as worlds from './worlds.ts';

export const answers = {
  ...calls,
  ...catalog,
  ...clock,
  ...coverage,
  ...faults,
  ...inbox,
  ...journals,
  ...scenarios,
  ...snapshots,
  ...timeline,
  ...worlds,
  JournalMeta,
  PageMeta,
  Subject,
  Appointment: resource('Appointment'),
  Call: resource('Call'),
  Contact: resource('Contact'),
  Message: resource('Message'),
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type AnswerName = keyof typeof answers;

/** Handlers return parts of stored records, which nothing may change. */
type Unchanged<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : { readonly [Key in keyof Value]: Unchanged<Value[Key]> };

/** The type of an answer by its name. */
export type Shown<Name extends AnswerName> = Unchanged<z.output<(typeof answers)[Name]>>;
