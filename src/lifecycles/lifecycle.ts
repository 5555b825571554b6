// The form of a lifecycle, and what a trigger does to a record. Both are pure: `engine/transition.ts` stores the record
// and runs the effects; fixtures use the record alone.
import type { z } from 'zod';
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import type { EventOf, EventType } from '../events/catalogue.ts';
import type { Row } from '../model.ts';
import type { Effect } from './effects.ts';
import type { InputOf, LifecycleTable, StatusOf, TriggerOf } from './triggers.ts';

/** The context in which a trigger is fired. */
export interface TransitionContext<Input> {
  /** The instant, in milliseconds and as a timestamp. */
  readonly at: number;
  readonly time: string;
  readonly input: Input;
  readonly assumptions: AssumptionValues;
}

/** Event types; a function where an assumption of the world decides. */
export type EmittedEvents<Table extends LifecycleTable> =
  | readonly EventOf<Table>[]
  | ((assumptions: AssumptionValues) => readonly EventOf<Table>[]);

export interface Transition<Table extends LifecycleTable, Trigger extends TriggerOf<Table>> {
  readonly to: StatusOf<Table>;
  /** The fields that always take the same value. */
  readonly fields?: Readonly<Partial<Row<Table>>>;
  /** The other fields that change in addition to the status. */
  readonly set?: (
    record: Row<Table>,
    context: TransitionContext<InputOf<Table, Trigger>>,
  ) => Readonly<Partial<Row<Table>>>;
  /** The events about the record that the transition emits, in their order and before its other effects. */
  readonly emits?: EmittedEvents<Table>;
  /** The other effects of the transition, in their order; `record` is the changed one. */
  readonly effects?: (record: Row<Table>, context: TransitionContext<InputOf<Table, Trigger>>) => readonly Effect[];
}

export type Transitions<Table extends LifecycleTable> = {
  readonly [Status in StatusOf<Table>]: { readonly [Trigger in TriggerOf<Table>]?: Transition<Table, Trigger> };
};

/** A record of which some fields are not known. */
export type Sample<Table extends LifecycleTable> = {
  readonly [Field in keyof Row<Table>]?: Partial<Row<Table>[Field]>;
};

/** A trigger that the engine fires by itself, with inputs that it can have: what differs between them, the request decides. */
type Following<Table extends LifecycleTable> = {
  readonly [Trigger in TriggerOf<Table>]: {
    readonly trigger: Trigger;
    readonly inputs: readonly InputOf<Table, Trigger>[];
    /** The trigger that it follows; any, if it is absent. */
    readonly after?: TriggerOf<Table>;
  };
}[TriggerOf<Table>];

export interface Lifecycle<Table extends LifecycleTable> {
  readonly table: Table;
  /** The kind of the scenarios that play this lifecycle (`kind: call`); null if no scenario does. */
  readonly kind: string | null;
  /** The schemas of the contract that show its records; `expect.record` of a scenario names their fields. */
  readonly schemas: readonly (keyof Schemas)[];
  /**
   * Records created at an instant, from which scenarios are played to check what they expect. A field in which two differ
   * depends on the request; nothing is known of a field that is left out.
   */
  readonly samples?: (time: string) => readonly Sample<Table>[];
  /** How responses show a record, where it differs from the stored one; undefined where more than the record decides. */
  readonly serialize?: (assumptions: AssumptionValues, record: Row<Table>) => object;
  readonly initial: StatusOf<Table>;
  /** The status in which a scenario's timeline begins, if it is not `initial`. */
  readonly playedFrom?: StatusOf<Table>;
  /** The triggers that can follow a timeline without the client: a job completes when its calls have ended. */
  readonly follows?: readonly Following<Table>[];
  /** Statuses that are terminal although a trigger leaves them: a rejected enterprise can be submitted again. */
  readonly alsoTerminal?: readonly StatusOf<Table>[];
  readonly status: (record: Row<Table>) => StatusOf<Table>;
  readonly withStatus: (record: Row<Table>, status: StatusOf<Table>) => Row<Table>;
  /** The triggers that scenarios and scheduled tasks may name, with the form of their input; code fires the others. */
  readonly inputs: { readonly [Trigger in TriggerOf<Table>]?: z.ZodType<InputOf<Table, Trigger>> };
  readonly transitions: Transitions<Table>;
  /** The events of creating a record; a function where the record decides. */
  readonly created?: readonly EventOf<Table>[] | ((record: Row<Table>) => readonly EventOf<Table>[]);
}

export interface Applied<Table extends LifecycleTable> {
  readonly from: StatusOf<Table>;
  readonly to: StatusOf<Table>;
  readonly record: Row<Table>;
  readonly events: readonly EventOf<Table>[];
  readonly effects: readonly Effect[];
}

const none: readonly never[] = [];

/**
 * Applies a trigger to a record at an instant (in milliseconds); undefined if the record's status does not allow it.
 * Throws on a trigger that the lifecycle does not have.
 */
export function applyTransition<Table extends LifecycleTable, Trigger extends TriggerOf<Table>>(
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  trigger: Trigger,
  input: InputOf<Table, Trigger>,
  at: number,
  assumptions: AssumptionValues,
): Applied<Table> | undefined {
  const from = lifecycle.status(record);
  const transition = lifecycle.transitions[from][trigger];
  if (!transition) {
    requireTrigger(lifecycle, trigger);
    return undefined;
  }
  const context = { at, time: timestamp(at), input, assumptions };
  const { to } = transition;
  const { fields, set } = transition;
  const next = lifecycle.withStatus({ ...record, ...fields, ...set?.(record, context) }, to);
  const events = eventsOf(transition, assumptions);
  return { from, to, record: next, events, effects: transition.effects?.(next, context) ?? none };
}

/** The types of the events that a transition emits in a world with these assumptions. */
export function eventsOf<Event>(
  { emits = none }: { readonly emits?: readonly Event[] | ((assumptions: AssumptionValues) => readonly Event[]) },
  assumptions: AssumptionValues,
): readonly Event[] {
  return typeof emits === 'function' ? emits(assumptions) : emits;
}

/** A lifecycle for look-ups by names that come from files, which may not exist in it. */
export interface NamedLifecycle {
  readonly table: LifecycleTable;
  readonly kind: string | null;
  readonly schemas: readonly (keyof Schemas)[];
  readonly samples?: (time: string) => readonly object[];
  readonly serialize?: (assumptions: AssumptionValues, record: never) => object;
  readonly initial: string;
  readonly playedFrom?: string;
  readonly follows?: readonly {
    readonly trigger: string;
    readonly inputs: readonly unknown[];
    readonly after?: string;
  }[];
  readonly withStatus: (record: never, status: never) => object;
  readonly alsoTerminal?: readonly string[];
  readonly inputs: Readonly<Record<string, z.ZodType | undefined>>;
  readonly created?: readonly EventType[] | ((record: never) => readonly EventType[]);
  readonly transitions: Readonly<Record<string, Readonly<Record<string, NamedTransition | undefined>>>>;
}

export interface NamedTransition {
  readonly to: string;
  readonly fields?: object;
  readonly set?: (record: never, context: never) => object;
  readonly emits?: readonly EventType[] | ((assumptions: AssumptionValues) => readonly EventType[]);
}

/** Whether reaching this status cancels the record's scheduled tasks: no trigger leaves it, or the lifecycle lists it. */
export function isTerminal({ transitions, alsoTerminal = none }: NamedLifecycle, status: string): boolean {
  const row = transitions[status];
  return row !== undefined && (Object.keys(row).length === 0 || alsoTerminal.includes(status));
}

/** The status after a trigger; undefined if the status before does not allow it. */
export function statusAfter({ transitions }: NamedLifecycle, status: string, trigger: string): string | undefined {
  const row = Object.hasOwn(transitions, status) ? transitions[status] : undefined;
  return row && Object.hasOwn(row, trigger) ? row[trigger]?.to : undefined;
}

/** The form of a trigger's input; undefined if files may not name the trigger. */
export function inputForm({ inputs }: NamedLifecycle, trigger: string): z.ZodType | undefined {
  return Object.hasOwn(inputs, trigger) ? inputs[trigger] : undefined;
}

function requireTrigger({ table, transitions }: NamedLifecycle, trigger: string): void {
  const rows = Object.values(transitions);
  if (rows.some((row) => Object.hasOwn(row, trigger))) return;
  const triggers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  throw new Error(`"${trigger}" is not a trigger of ${table}; it has ${triggers.join(', ')}`);
}
