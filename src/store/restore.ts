// Puts a dumped world back, row by row, through the port: what `--state` does at a start.
import type { JournalName, Journals, TableName } from '../model.ts';
import type { Tx, WorldDump } from './store.ts';

export async function restore(tx: Tx, dump: WorldDump): Promise<void> {
  tx.setState('starts_at', dump.state.starts_at);
  tx.setState('epoch', dump.state.epoch);
  tx.setState('assumptions', dump.state.assumptions);
  tx.setState('clock', dump.state.clock);
  for (const [table, rows] of Object.entries(dump.rows)) {
    for (const row of rows) tx.put(table as TableName, row as never);
  }
  for (const [table, ids] of Object.entries(dump.deleted)) {
    for (const id of ids) tx.remove(table as TableName, id);
  }
  for (const [name, value] of Object.entries(dump.counters)) tx.setCounter(name, value);
  for (const { order: _, ...row } of dump.schedule) tx.schedule(row);
  for (const name of Object.keys(dump.journals) as JournalName[]) {
    const { entries, dropped, droppedUpTo } = dump.journals[name];
    tx.setDroppedCount(name, dropped, droppedUpTo);
    for (const entry of entries) await appendEntry(tx, name, entry);
  }
}

/** What was in flight when the world was dumped is sent again. */
function appendEntry<Name extends JournalName>(tx: Tx, name: Name, entry: Journals[Name]): unknown {
  const unfinished = 'status' in entry && entry.status === 'in_flight';
  return tx.append(name, unfinished ? { ...entry, status: 'pending' } : entry);
}
