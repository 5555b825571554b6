// A record comes to life: it is put, the timeline of its scenario, where it has one, goes on the agenda, and what its
// making emits is emitted.
import { timestamp } from '../clock/clock.ts';
import { token, uuid } from '../identity/seeded.ts';
import type { EventType, Lifecycle, NewRecord } from '../lifecycles/lifecycle.ts';
import type { Row, Subject, TableName } from '../model.ts';
import { plan } from '../scenarios/plan.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Tx } from '../store/store.ts';
import { definitionOf } from '../store/tables.ts';
import { emitAbout } from '../webhooks/fan-out.ts';

/** The scenario that a record is to live by, and the parameters given with it. */
export interface PlayedScenario {
  readonly scenario: Scenario;
  readonly choice: { readonly parameters: Readonly<Record<string, string>> };
}

/**
 * `emits` is what its making emits, where that is not the same for every record of the lifecycle. Answers the id of the
 * step, by which further things may be caused.
 */
export function create<Table extends TableName>(
  tx: Tx,
  lifecycle: Lifecycle<Table>,
  record: Row<Table>,
  by?: PlayedScenario,
  emits: readonly EventType[] = lifecycle.created,
): string {
  const subject = { table: lifecycle.table, id: definitionOf(lifecycle.table).id(record) };
  tx.put(lifecycle.table, record);
  const step = appendStep(tx, subject, 'create', null, lifecycle.status(record));
  if (by) scheduleTimeline(tx, lifecycle, subject, by);
  const before = tx.cause;
  tx.cause = step;
  for (const type of emits) emitAbout(tx, type, lifecycle.table, subject.id, record);
  tx.cause = before;
  return step;
}

/** What a new record of that table takes from its world. */
export function allocateId(tx: Tx, table: TableName): NewRecord {
  const { seed, name } = tx.world;
  return {
    id: uuid(seed, name, table, tx.ordinal(table)),
    rank: tx.ordinal('records'),
    token: (kind, ...words) => token(24, seed, kind, ...words),
  };
}

/** Puts a scenario's timeline on the agenda, from now. */
export function scheduleTimeline<Table extends TableName>(
  tx: Tx,
  lifecycle: Lifecycle<Table>,
  subject: Subject,
  { scenario, choice }: PlayedScenario,
): void {
  const ordinal = tx.ordinal(`plans of ${lifecycle.kind}`);
  const dice = [tx.world.seed, tx.world.name, lifecycle.kind, ordinal].join('\0');
  for (const row of plan(scenario, choice.parameters, subject, tx.at, dice, tx.cause)) tx.schedule(row);
}

/** Writes a step to the journal; answers its id. */
export function appendStep(tx: Tx, subject: Subject, trigger: string, from: string | null, to: string): string {
  const id = `stp_${token(24, tx.world.seed, tx.world.name, 'steps', tx.ordinal('steps'))}`;
  tx.append('steps', { id, at: timestamp(tx.at), subject, trigger, from, to, cause: tx.cause });
  return id;
}
