// The form of a lifecycle table: which trigger leads from which state to which, what it sets and which events it
// emits. Tables are pure; `engine/step.ts` is the only place that applies them.
import type { z } from 'zod';
import type { Schemas } from '../contract/document.ts';
import type { Row, Subject, TableName } from '../model.ts';

export type EventType = Schemas['EventType'];

/** What a trigger was pulled with: its instant as a timestamp and in milliseconds, and the scenario's `with`. */
export interface TriggerContext {
  readonly at: number;
  readonly time: string;
  readonly with: Readonly<Record<string, unknown>>;
}

export interface Transition<Record_> {
  readonly to: string;
  /** Fields that change beside the status. */
  readonly set?: (record: Record_, moment: TriggerContext) => Partial<Record_>;
  readonly emits?: readonly EventType[];
  /** Records of other tables that change with it, within the same organization. */
  readonly cascades?: (record: Record_, moment: TriggerContext) => readonly Cascade[];
  /** Triggers of other records that it pulls, once its own events are emitted. */
  readonly fires?: (record: Record_) => readonly Trigger[];
  /** Rows that it puts on the agenda for the same instant. */
  readonly schedules?: (record: Record_, moment: TriggerContext) => readonly Trigger[];
}

/** What a new record takes from where it is made. */
export interface NewRecord {
  readonly id: string;
  readonly rank: number;
  /** A name of that kind that follows from the seed and these words alone. */
  readonly token: (kind: string, ...words: readonly string[]) => string;
}

/** A trigger of one record's lifecycle. */
export interface Trigger {
  readonly subject: Subject;
  readonly trigger: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** What changes on the records of a table that an index finds. */
export interface Cascade<Table extends TableName = TableName> {
  readonly table: Table;
  readonly index: string;
  readonly value: string;
  readonly set: (record: Row<Table>) => Row<Table>;
}

export interface Lifecycle<Table extends TableName = TableName> {
  /** What scenarios of this lifecycle are called (`kind: call`). */
  readonly kind: string;
  readonly table: Table;
  readonly initial: string;
  /** The state in which a scenario's timeline begins, where it is another. */
  readonly playedFrom?: string;
  /** Emitted when the record is made. */
  readonly created: readonly EventType[];
  /** States in which nothing is scheduled: reaching one deletes the record's rows from the agenda. */
  readonly terminal: readonly string[];
  readonly status: (record: Row<Table>) => string;
  readonly withStatus: (record: Row<Table>, status: string) => Row<Table>;
  /** What a scenario may say in `with`, by trigger. A trigger that is missing here is not for scenarios. */
  readonly triggers: Readonly<Record<string, z.ZodType<Record<string, unknown>>>>;
  readonly transitions: Readonly<Record<string, Readonly<Record<string, Transition<Row<Table>>>>>>;
}

/**
 * Where a trigger leads from a state; undefined where the state does not know it. Names of triggers come from files, so
 * that only what the table itself holds is looked at.
 */
export function transitionFrom<Table extends TableName>(
  { transitions }: Lifecycle<Table>,
  state: string,
  trigger: string,
): Transition<Row<Table>> | undefined {
  const row = Object.hasOwn(transitions, state) ? transitions[state] : undefined;
  return row && Object.hasOwn(row, trigger) ? row[trigger] : undefined;
}

/** Every status that a record of this lifecycle can have. */
export function statusesOf({ initial, terminal, transitions }: Lifecycle): string[] {
  return [...new Set([initial, ...Object.keys(transitions), ...terminal])];
}
