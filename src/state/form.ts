// The form of a state file (`--state`): one dump per world. References to code are checked when the file is read: its
// tables, and the types, triggers and inputs of its scheduled tasks.
import { z } from 'zod';
import { assumptionValues } from '../assumptions/values.ts';
import { LATEST_INSTANT } from '../clock/clock.ts';
import { parseWith } from '../errors/schema-errors.ts';
import { FileProblem } from '../file-problem.ts';
import { namedLifecycles } from '../lifecycles/index.ts';
import { inputForm } from '../lifecycles/lifecycle.ts';
import type { TaskType } from '../lifecycles/tasks.ts';
import type { JournalName } from '../model.ts';
import type { PackedCounts, WorldChange, WorldDump } from '../store/store.ts';
import { tables } from '../store/tables.ts';
import { keysOf } from '../typed-keys.ts';

/** Of the dump of a world, which snapshots have too. */
export const FORMAT = 5;
/** Of the file. */
export const FILE_FORMAT = 6;

export interface StateFile {
  readonly format: number;
  /** Tells the process that wrote it, and the change logs that follow it, from all others. */
  readonly run: string;
  /** Whether the process that wrote it stopped in order: nothing is missing then. */
  readonly clean: boolean;
  /** How many starts found a file that was not clean. */
  readonly crashes: number;
  /** What keys, tokens and recording addresses are derived from, on a server with a control token and without `--secret`. */
  readonly secret?: string | undefined;
  /** The number of the first change log that holds what happened after this was written. */
  readonly log: number;
  /** The names of worlds that are not in the file, with their last known epoch: deleted, or created on first use. */
  readonly gone: Readonly<Record<string, number>>;
  readonly worlds: Readonly<Record<string, WorldDump>>;
  /** What worlds have met that are not in the file, as of when it was written; absent in files of earlier versions. */
  readonly coverage?: Readonly<Record<string, PackedCounts>> | undefined;
}

/** One line of a change log. */
export interface LoggedChanges {
  readonly worlds: Readonly<Record<string, WorldChange>>;
  readonly gone: Readonly<Record<string, number>>;
  /** Whether the process stopped in order, and nothing came after this: it may not have had the time to write the file. */
  readonly clean?: true;
}

const instant = z.number().min(0).max(LATEST_INSTANT);
const entry = z.object({ id: z.string() });
const record = z.object({ private: z.object({ organization_id: z.string(), rank: z.number() }) });
const tableName = z.enum(keysOf(tables));

const fire = z
  .object({
    type: z.literal('fire'),
    subject: z.object({ table: z.string(), id: z.string() }),
    trigger: z.string(),
    input: z.unknown(),
  })
  .superRefine(({ subject: { table }, trigger, input }, { addIssue }) => {
    const refuse = (path: PropertyKey[], message: string): void => addIssue({ code: 'custom', path, message });
    const lifecycle = namedLifecycles.get(table);
    if (!lifecycle) {
      return refuse(
        ['subject', 'table'],
        `"${table}" has no lifecycle; must be one of ${[...namedLifecycles.keys()].join(', ')}`,
      );
    }
    const form = inputForm(lifecycle, trigger);
    if (!form) {
      const triggers = Object.keys(lifecycle.inputs);
      return refuse(
        ['trigger'],
        `"${trigger}" is not a trigger of scheduled tasks of ${table}; must be one of ${triggers.join(', ')}`,
      );
    }
    for (const { path, message } of form.safeParse(input).error?.issues ?? []) refuse(['input', ...path], message);
  });

/** The form of each type of task. */
const taskForms: Record<TaskType, z.core.$ZodTypeDiscriminable> = {
  fire,
  call_next_contact: z.object({
    type: z.literal('call_next_contact'),
    subject: z.object({ table: z.literal('jobs'), id: z.string() }),
  }),
  receive_reply: z.object({
    type: z.literal('receive_reply'),
    subject: z.object({ table: z.literal('messages'), id: z.string() }),
    text: z.string(),
  }),
  tick: z.object({
    type: z.literal('tick'),
    subject: z.object({ table: z.literal('ticks'), id: z.string() }),
  }),
  assess_remediation: z.object({
    type: z.literal('assess_remediation'),
    subject: z.object({ table: z.literal('remediations'), id: z.string() }),
  }),
  send_delivery: z.object({
    type: z.literal('send_delivery'),
    subject: z.object({ table: z.literal('waiting_deliveries'), id: z.string() }),
  }),
  follow_plans: z.object({
    type: z.literal('follow_plans'),
    subject: z.object({ table: z.literal('waiting_deliveries'), id: z.string() }),
  }),
  cancel_deliveries: z.object({
    type: z.literal('cancel_deliveries'),
    subject: z.object({ table: z.literal('subscriptions'), id: z.string() }),
  }),
};
const task = z.discriminatedUnion('type', [taskForms.fire, ...Object.values(taskForms).slice(1)], {
  error: ({ input }) => (input === undefined ? 'is required' : `must be one of ${keysOf(taskForms).join(', ')}`),
});

/** A file that is damaged, or that this program did not write. */
export const notAStateFile = (file: string, line: number, reason: string): FileProblem =>
  FileProblem.at(file, line, '', `is not a state file, or is damaged: ${reason}; ${REMEDY}`);

/** Checks only what restoring relies on; this program wrote it. `list` makes the form of a list from that of its items. */
function worldForm(list: (items: z.ZodType) => z.ZodType) {
  const journal = z.object({ entries: list(entry) }).optional();
  return z.object({
    systemTime: instant,
    facts: z.object({ name: z.string(), fixture: z.string(), organization_id: z.string(), seed: z.number() }),
    state: z.object({
      clock: z.object({ at: instant, waited: z.number(), speed: z.number().min(0), systemTime: z.number() }),
      epoch: z.number(),
      starts_at: instant,
      ordinals_from: z.number(),
      assumptions: assumptionValues,
    }),
    rows: z.partialRecord(tableName, list(record)),
    deleted: z.partialRecord(tableName, z.array(z.string())),
    counters: z.record(z.string(), z.number()),
    ordinals: z.record(z.string(), z.number()),
    coverage: z.record(z.string(), z.number()).optional(),
    schedule: list(scheduled),
    journals: z.strictObject({
      requests: journal,
      steps: journal,
      events: journal,
      deliveries: journal,
      inbox: journal,
      ticks: journal,
    } satisfies { [Name in JournalName]: z.ZodType }),
  });
}

const scheduled = z.object({ at: instant, order: z.number(), task, cause: z.string().nullable() });
const world = worldForm((items) => z.array(items));
/** All but what is in its lists. */
const outline = worldForm(() => z.custom(Array.isArray, { error: 'must be an array' }));

const form = z.object({
  format: z.literal(FILE_FORMAT, { error: ({ input }) => `is ${JSON.stringify(input)}; must be ${FILE_FORMAT}` }),
  run: z.string(),
  clean: z.boolean(),
  crashes: z.number().int().min(0),
  secret: z.string().min(1).optional(),
  log: z.number().int().min(1),
  gone: z.record(z.string(), z.number()),
  coverage: z.record(z.string(), z.array(z.union([z.string(), z.number()]))).optional(),
  worlds: z.record(z.string(), world),
});

export const REMEDY = 'name another file with --state, or move this one away to start over';

/** Throws FileProblem, with the place in the file, if its content cannot be restored. */
export function checkState(file: string, content: unknown): asserts content is StateFile {
  parseWith(form, content, ([{ path, reason }]) => {
    // A problem deeper in the file is located well enough by its path.
    const why = path.length > 1 ? reason : `is not a state file of this version (format ${FILE_FORMAT}): ${reason}`;
    return FileProblem.at(file, 1, path.map(String).join('.'), `${why}; ${REMEDY}`);
  });
}

/** Returns a dump of this version that can be restored, item by item. Throws the error that is made of a problem and its place. */
export function* checkDump(
  content: unknown,
  problem: (path: string, reason: string) => Error,
): Generator<void, WorldDump> {
  const check = (form: z.ZodType, value: unknown, place: readonly PropertyKey[] = []): void => {
    parseWith(form, value, ([{ path, reason }]) => problem([...place, ...path].map(String).join('.'), reason));
  };
  check(outline, content);
  // It has the outline, and the items are checked before it is returned.
  const dump = content as WorldDump;
  for (const { place, form, items } of listsOf(dump)) {
    for (const [index, item] of items.entries()) {
      check(form, item, [...place, index]);
      yield;
    }
  }
  return dump;
}

function* listsOf({ rows, schedule, journals }: WorldDump) {
  for (const table of keysOf(rows)) yield { place: ['rows', table], form: record, items: rows[table] ?? [] };
  yield { place: ['schedule'], form: scheduled, items: schedule };
  for (const name of keysOf(journals))
    yield { place: ['journals', name, 'entries'], form: entry, items: journals[name].entries };
}
