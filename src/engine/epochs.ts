// Begins a new epoch of a world: by a reset to its fixture, or by restoring a snapshot. `interface.md` sections 4 and
// 5.
import { broughtBack, isStopped, setClock } from '../clock/clock.ts';
import { type DeliveryEntry, isOpen, type JournalName, type Journals, type TableName } from '../model.ts';
import type { Turns } from '../scheduler/turns.ts';
import type { OpenEntry } from '../store/history.ts';
import { restoreRecords, restoreValues } from '../store/restore.ts';
import type { Prepared, Store, Tx, WorldDump } from '../store/store.ts';
import { keysOf } from '../typed-keys.ts';
import { notHeld } from '../webhooks/held-deliveries.ts';

/** What a reset leaves unchanged. */
const KEPT_ON_RESET: readonly TableName[] = ['keys', 'control_keys', 'client_tokens', 'scenario_overlays', 'snapshots'];
/** What a snapshot does not bring back. */
export const KEPT_ON_RESTORE: readonly TableName[] = ['control_keys', 'snapshots'];

/** Up to so many deliveries that were not sent are recorded within the step itself. */
const FEW = 250;

type Parts = { readonly store: Store; readonly turns: Turns };

/** What the next epoch of a world begins with. */
interface Beginning {
  /** The tables that stay as they are. */
  readonly kept: readonly TableName[];
  /** Writes records, tasks and entries to an empty world, as they will be in that epoch, piece by piece. */
  readonly fill?: (tx: Tx, epoch: number) => Iterable<void>;
  readonly setValues: (tx: Tx) => void;
}

type Unsent = OpenEntry<DeliveryEntry>;

/** Where a world stood when its next epoch was made ready. */
interface Stand {
  readonly ended: number;
  readonly unsent: readonly Unsent[];
}

/** Resets a world to its fixture; a stopped clock returns to `start`, a running one to the system time. Returns the epoch. */
export function resetWorld(parts: Parts, world: string, start: number): Promise<number> {
  const setValues = (tx: Tx): void => {
    const clock = tx.state('clock');
    const at = isStopped(clock.mode) ? start : tx.systemTime;
    tx.setState('clock', { ...setClock(clock, at, tx.systemTime), frozen: clock.frozen });
    tx.setState('starts_at', at);
  };
  return beginEpoch(parts, world, { kept: KEPT_ON_RESET, setValues });
}

/** Brings a world back to a snapshot, journals included. Returns the epoch. */
export function bringBackWorld(parts: Parts, world: string, dump: WorldDump): Promise<number> {
  return beginEpoch(parts, world, {
    kept: KEPT_ON_RESTORE,
    fill: (tx, epoch) => fillFrom(tx, dump, epoch),
    setValues: (tx) => setValuesFrom(tx, dump),
  });
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

function setValuesFrom(tx: Tx, dump: WorldDump): void {
  const { frozen } = tx.state('clock');
  const clock = { ...broughtBack(dump.state.clock, dump.systemTime, tx.systemTime), frozen };
  // After a crash, no id that is lost is given out again.
  const raised = tx.state('ordinals_from') - dump.state.ordinals_from;
  const ordinals = Object.entries(dump.ordinals).map(([name, latest]) => [name, latest + raised] as const);
  restoreValues(tx, { ...dump, state: { ...dump.state, clock }, ordinals: Object.fromEntries(ordinals) });
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

/**
 * Begins the next epoch of a world in one step, for which everything that takes long is made ready before. Returns the
 * epoch.
 */
async function beginEpoch({ store, turns }: Parts, world: string, beginning: Beginning): Promise<number> {
  for (;;) {
    const stand = await store.transaction(world, (tx) => {
      const unsent = unsentIn(tx);
      if (!beginning.fill && unsent.length <= FEW) return begin(tx, beginning);
      return { ended: tx.state('epoch'), unsent };
    });
    if (typeof stand === 'number') return stand;
    const pieces = store.prepare(world, (tx) => makeReady(tx, beginning, stand));
    const prepared = await turns.workThrough(world, pieces);
    // Unless another epoch has begun meanwhile.
    const epoch = await store.transaction(world, (tx) =>
      tx.state('epoch') === stand.ended ? begin(tx, beginning, prepared, stand.unsent) : null,
    );
    if (epoch !== null) return epoch;
  }
}

function* makeReady(tx: Tx, { fill }: Beginning, { ended, unsent }: Stand): Generator<void> {
  if (fill) yield* fill(tx, ended + 1);
  for (const { entry } of unsent) {
    tx.append('deliveries', asCanceled(entry, ended));
    yield;
  }
}

/** Empties a world and fills it again. Of what was prepared, what has become of deliveries since is brought up to date. */
function begin(tx: Tx, { kept, setValues }: Beginning, prepared?: Prepared, recorded: readonly Unsent[] = []): number {
  const ended = tx.state('epoch');
  const { added, amended, gone } = changesSince(recorded, unsentIn(tx));
  tx.wipe(kept, prepared, new Set(gone.map(({ id }) => idAfter(id, ended))));
  setValues(tx);
  tx.setState('epoch', ended + 1);
  for (const delivery of amended) tx.amend('deliveries', asCanceled(delivery, ended));
  for (const delivery of added) tx.append('deliveries', asCanceled(delivery, ended));
  return ended + 1;
}

/** What has become of deliveries that were recorded, and which there are besides; both lists are in the order of the journal. */
function changesSince(recorded: readonly Unsent[], now: readonly Unsent[]) {
  const added: DeliveryEntry[] = [];
  const amended: DeliveryEntry[] = [];
  const gone: DeliveryEntry[] = [];
  let next = 0;
  for (const { entry, outline } of now) {
    for (let before = recorded[next]; before && before.outline.order < outline.order; before = recorded[next]) {
      gone.push(before.entry);
      next += 1;
    }
    const before = recorded[next];
    if (before?.outline.order !== outline.order) added.push(entry);
    else next += 1;
    if (before?.outline.order === outline.order && before.outline.position !== outline.position) amended.push(entry);
  }
  return { added, amended, gone: [...gone, ...recorded.slice(next).map(({ entry }) => entry)] };
}

const unsentIn = (tx: Tx): Unsent[] => tx.history.allOpen('deliveries').filter(({ entry }) => isOpen(entry.status));

/** What was not sent is kept under ids of its own, since ids begin again. */
const asCanceled = (delivery: DeliveryEntry, ended: number): DeliveryEntry => ({
  ...delivery,
  id: idAfter(delivery.id, ended),
  status: 'canceled',
  ...notHeld,
});

const idAfter = (id: string, ended: number): string => `${id}_e${ended}`;
