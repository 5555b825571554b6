// Restores a dumped world through the port of the store: used by `--state` at startup, and by snapshots.
import TinyQueue from 'tinyqueue';
import { timestamp } from '../clock/clock.ts';
import type { DeliveryAttempt, JournalName, Journals, TableName } from '../model.ts';
import { keysOf } from '../typed-keys.ts';
import { earlier } from './apply-deltas.ts';
import type { Tx, WorldDump } from './store.ts';
import { definitionOf } from './tables.ts';

export function restore(tx: Tx, dump: WorldDump): void {
  tx.setState('epoch', dump.state.epoch);
  tx.setState('ordinals_from', dump.state.ordinals_from);
  restoreValues(tx, dump);
  const pieces = restoreRecords(tx, dump);
  while (!pieces.next().done) {}
  for (const name of keysOf(dump.journals)) restoreJournal(tx, dump, name);
}

/** The single values, but what tells one life of a world from another. */
export function restoreValues(tx: Tx, { state, counters, ordinals }: WorldDump): void {
  tx.setState('starts_at', state.starts_at);
  tx.setState('assumptions', state.assumptions);
  tx.setState('clock', state.clock);
  for (const [name, value] of Object.entries(counters)) tx.setCounter(name, value);
  for (const [name, value] of Object.entries(ordinals)) tx.setOrdinal(name, value);
}

/** The records and the schedule, piece by piece. */
export function* restoreRecords(tx: Tx, dump: WorldDump): Generator<void> {
  for (const table of keysOf(dump.rows)) yield* restoreTable(tx, dump, table);
  for (const table of keysOf(dump.deleted)) for (const id of dump.deleted[table] ?? []) tx.remove(table, id);
  // A heap, since sorting very many tasks takes longer than requests may wait.
  const left = new TinyQueue([...dump.schedule], earlier);
  for (let next = left.pop(); next; next = left.pop()) {
    const { task, at, cause } = next;
    tx.causedBy(cause, () => tx.schedule(task, at));
    yield;
  }
}

function* restoreTable<Table extends TableName>(tx: Tx, { rows }: WorldDump, table: Table): Generator<void> {
  const { fromJson } = definitionOf(table);
  for (const row of rows[table] ?? []) {
    tx.put(table, fromJson ? fromJson(row) : row);
    yield;
  }
}

function restoreJournal<Name extends JournalName>(tx: Tx, { journals }: WorldDump, name: Name): void {
  const { entries, dropped, droppedUpTo } = journals[name];
  tx.setDroppedCount(name, dropped, droppedUpTo);
  for (const entry of entries) tx.append(name, asEnded(entry, tx.at));
}

/** A delivery that was in flight when the process was killed may have arrived, so it is not sent again. */
function asEnded<Entry extends Journals[JournalName]>(entry: Entry, at: number): Entry {
  if (!('attempts' in entry) || entry.status !== 'in_flight') return entry;
  const attempt: DeliveryAttempt = {
    number: entry.attempts.length + 1,
    at: timestamp(at),
    request_headers: {},
    status: null,
    response_headers: null,
    response_body: null,
    latency_ms: 0,
    error_class: 'shutdown',
    error: 'the sandbox was killed during this attempt; whether it arrived is not known',
  };
  // A duplicate follows what the receiver has accepted.
  const isAccepted = 'next' in entry && entry.next?.reason === 'duplicate';
  const attempts = [...entry.attempts, attempt];
  return {
    ...entry,
    status: isAccepted ? 'delivered' : 'failed',
    ...('next' in entry && { next: undefined }),
    attempts,
  };
}
