// Begins a new epoch of a world: by a reset to its fixture, or by restoring a snapshot. `interface.md` sections 4 and
// 5.
import { broughtBack, isStopped, setClock } from '../clock/clock.ts';
import { isOpen, type JournalName, type Journals, type TableName } from '../model.ts';
import type { Turns } from '../scheduler/turns.ts';
import { restoreRecords, restoreValues } from '../store/restore.ts';
import type { Prepared, Store, Tx, WorldDump } from '../store/store.ts';
import { keysOf } from '../typed-keys.ts';
import { notHeld } from '../webhooks/held-deliveries.ts';

/** What a reset leaves unchanged. */
const KEPT_ON_RESET: readonly TableName[] = ['keys', 'control_keys', 'client_tokens', 'scenario_overlays', 'snapshots'];
/** What a snapshot does not bring back. */
const KEPT_ON_RESTORE: readonly TableName[] = ['control_keys', 'snapshots'];

/** Resets a world to its fixture; a stopped clock returns to `start`, a running one to the system time. Returns the epoch. */
export function resetWorld(tx: Tx, start: number): number {
  return beginEpoch(tx, KEPT_ON_RESET, undefined, () => {
    const clock = tx.state('clock');
    const at = isStopped(clock.mode) ? start : tx.systemTime;
    tx.setState('clock', { ...setClock(clock, at, tx.systemTime), frozen: clock.frozen });
    tx.setState('starts_at', at);
  });
}

/** What a snapshot has of a world. */
export function contentOf(tx: Tx): WorldDump {
  // What the world has met stays, whatever it is brought back to.
  const { coverage: _, ...dump } = tx.dump();
  const kept = new Set<string>(KEPT_ON_RESTORE);
  return { ...dump, rows: Object.fromEntries(Object.entries(dump.rows).filter(([table]) => !kept.has(table))) };
}

/**
 * Brings a world back to a snapshot, journals included, in one step, for which everything is made ready before. Returns the
 * epoch.
 */
export async function bringBackWorld(
  { store, turns }: { readonly store: Store; readonly turns: Turns },
  world: string,
  dump: WorldDump,
): Promise<number> {
  for (;;) {
    const epoch = 1 + (await store.transaction(world, (tx) => tx.state('epoch')));
    const pieces = store.prepare(world, (tx) => fillFrom(tx, dump, epoch));
    const prepared = await turns.workThrough(world, pieces);
    // Unless another epoch has begun meanwhile.
    if (await store.transaction(world, (tx) => restoreWorld(tx, dump, prepared, epoch))) return epoch;
  }
}

/** Writes what a snapshot has to an empty world, as it will be in that epoch, piece by piece. */
function* fillFrom(tx: Tx, dump: WorldDump, epoch: number): Generator<void> {
  tx.setState('starts_at', dump.state.starts_at);
  yield* restoreRecords(tx, dump);
  for (const name of keysOf(dump.journals)) yield* bringBack(tx, dump, name, epoch);
}

function* bringBack<Name extends JournalName>(
  tx: Tx,
  { journals, state }: WorldDump,
  name: Name,
  epoch: number,
): Generator<void> {
  const { entries, dropped, droppedUpTo } = journals[name];
  tx.setDroppedCount(name, dropped, droppedUpTo);
  for (const entry of entries) {
    tx.bringBack(name, inEpoch(entry, state.epoch, epoch));
    yield;
  }
}

/** Whether that epoch has begun: not if it is not the next one. */
function restoreWorld(tx: Tx, dump: WorldDump, prepared: Prepared, epoch: number): boolean {
  if (tx.state('epoch') + 1 !== epoch) return false;
  const { frozen } = tx.state('clock');
  beginEpoch(tx, KEPT_ON_RESTORE, prepared, () => {
    const clock = { ...broughtBack(dump.state.clock, dump.systemTime, tx.systemTime), frozen };
    // After a crash, no id that is lost is given out again.
    const raised = tx.state('ordinals_from') - dump.state.ordinals_from;
    const ordinals = Object.entries(dump.ordinals).map(([name, latest]) => [name, latest + raised] as const);
    restoreValues(tx, { ...dump, state: { ...dump.state, clock }, ordinals: Object.fromEntries(ordinals) });
  });
  return true;
}

/**
 * Deliveries of the snapshot's own epoch are those of the new one: what was held comes, as all that was scheduled, and what
 * has ended can be sent again. What was about to be sent is canceled.
 */
function inEpoch<Entry extends Journals[JournalName]>(entry: Entry, before: number, now: number): Entry {
  if (!('attempts' in entry)) return entry;
  const isHeld = 'held_by' in entry && entry.held_by !== undefined;
  if (isOpen(entry.status) && !isHeld) return { ...entry, status: 'canceled' };
  return entry.epoch === before ? { ...entry, epoch: now } : entry;
}

/** Empties a world and fills it again. What was not sent is kept under ids of its own, since ids begin again. */
function beginEpoch(tx: Tx, kept: readonly TableName[], prepared: Prepared | undefined, setValues: () => void): number {
  const unsent = tx.history.open('deliveries').flatMap(({ entry }) => (isOpen(entry.status) ? entry : []));
  const ended = tx.state('epoch');
  tx.wipe(kept, prepared);
  setValues();
  tx.setState('epoch', ended + 1);
  for (const delivery of unsent) {
    tx.append('deliveries', { ...delivery, id: `${delivery.id}_e${ended}`, status: 'canceled', ...notHeld });
  }
  return ended + 1;
}
