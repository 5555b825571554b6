// The form of the tables of transitions, and the effects that occur in several rows.
import { NUMBER } from './records.ts';

/** What follows from one transition; what is left out does not happen. */
export interface Follows {
  readonly to: string;
  readonly changes?: object;
  readonly events?: readonly string[];
  readonly effects?: readonly object[];
}

export type Rows = Readonly<Record<string, Follows>>;

/** One trigger in several statuses. */
export const inEach = (statuses: string, trigger: string, follows: Follows): Rows =>
  Object.fromEntries(statuses.split(' ').map((status) => [`${status} ${trigger}`, follows]));

export const fire = (table: string, id: string, trigger: string, input: object): object => ({
  type: 'fire',
  subject: { table, id },
  trigger,
  input,
});

export const schedule = (type: string, table: string, id: string, more: object = {}): object => ({
  type: 'schedule',
  task: { type, subject: { table, id }, ...more },
});

export const update = (table: string, changes: object, value = NUMBER): object => ({
  type: 'update',
  table,
  index: 'phone_number',
  value,
  changes,
});
