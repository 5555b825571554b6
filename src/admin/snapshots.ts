// Snapshots: saving a world under a name, and restoring it. `interface.md` section 5.
import { formatClockSetting, timestamp } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { contentOf, readJournals } from '../engine/snapshot-content.ts';
import { ApiError, invalidField, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { type Row, type Snapshot, type TableName, wireOf } from '../model.ts';
import { redactedValue } from '../redaction/values.ts';
import { checkDump, FORMAT } from '../state/form.ts';
import { sizeOf } from '../store/footprint.ts';
import { NoSuchWorld, type Tx, type WorldDump } from '../store/store.ts';
import { StoreAway } from '../store/store-away.ts';
import { messageOf } from '../system-errors.ts';
import { keysOf } from '../typed-keys.ts';
import { finishIfInstant } from './clock.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';
import { type Reader, visibleRows } from './reader.ts';
import { finishPlanChange } from './subscriptions.ts';

type Parts = Pick<SandboxContext, 'store'>;

/** What a snapshot shows of itself. */
export interface SnapshotView
  extends Pick<Snapshot, 'created_at' | 'clock' | 'records' | 'tasks' | 'entries' | 'bytes'> {
  readonly name: string;
}

/** A snapshot with its content, without secrets. */
export interface SnapshotContent extends SnapshotView {
  /** By table. */
  readonly content: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

function serializeSnapshot({ id, created_at, clock, records, tasks, entries, bytes }: Row<'snapshots'>): SnapshotView {
  return { name: id, created_at, clock, records, tasks, entries, bytes };
}

const NAME = /^[\w-]{1,64}$/;
/** Their content may be elsewhere: only `tx.get` brings it here. */
const snapshotsOf = (tx: Tx): Row<'snapshots'>[] => tx.page('snapshots', 'all', 'all');
const namesIn = (tx: Tx): string[] => snapshotsOf(tx).map(({ id }) => id);

/**
 * Keeps a world as it stands; without a name, by the first free one of `snapshot-1`, … `conflict` if it is taken. The world
 * goes on while what it was is measured.
 */
export async function createSnapshot(
  { store, scheduler, turns }: Pick<SandboxContext, 'store' | 'scheduler' | 'turns'>,
  world: string,
  requested?: string,
): Promise<SnapshotView> {
  if (requested !== undefined && !NAME.test(requested))
    throw invalidField(
      'name',
      `${quote(requested)} is not a valid name of a snapshot; must be 1 to 64 of letters, digits, _ and -`,
    );
  if (!scheduler.isAdvancing(world)) await scheduler.catchUp(world);
  const read = await readJournals({ store, turns }, world, (tx) => checkFree(tx, requested));
  const stood = await store.transaction(world, (tx) => ({
    created_at: timestamp(tx.at),
    clock: formatClockSetting(tx.state('clock')),
    content: contentOf(tx, read),
  }));
  const bytes = await turns.workThrough(world, sizeOfContent(stood.content));
  return store.transaction(world, (tx) => {
    checkFree(tx, requested);
    const snapshot: Row<'snapshots'> = {
      id: requested ?? firstFreeName(tx),
      ...stood,
      ...partsOf(stood.content),
      bytes,
      format: FORMAT,
      // No ordinal: the world stays as it is.
      private: { organization_id: tx.world.organization_id, rank: lastRank(tx) + 1 },
    };
    tx.withinBounds(() => tx.put('snapshots', snapshot));
    return serializeSnapshot(snapshot);
  });
}

function checkFree(tx: Tx, name: string | undefined): void {
  if (name !== undefined && namesIn(tx).includes(name)) throw nameTaken(name);
}

function* sizeOfContent(content: WorldDump): Generator<void, number> {
  let bytes = sizeOf({ ...content, rows: {}, schedule: [], journals: {} });
  for (const items of listsIn(content)) {
    for (const item of items) {
      bytes += sizeOf(item);
      yield;
    }
  }
  return bytes;
}

const listsIn = ({ rows, schedule, journals }: WorldDump): (readonly object[])[] => [
  ...Object.values(rows),
  schedule,
  ...Object.values(journals).map(({ entries }) => entries),
];

/** How much there is in a snapshot, to recognize one that was cut short. */
const partsOf = ({ rows, schedule, journals }: WorldDump): Pick<Row<'snapshots'>, 'records' | 'tasks' | 'entries'> => ({
  records: Object.values(rows).reduce((sum, list) => sum + list.length, 0),
  tasks: schedule.length,
  entries: Object.values(journals).reduce((sum, { entries }) => sum + entries.length, 0),
});

function firstFreeName(tx: Tx): string {
  const names = new Set(namesIn(tx));
  let number = 1;
  while (names.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}

const lastRank = (tx: Tx): number =>
  tx.page('snapshots', 'all', 'all', { newestFirst: true, limit: 1 })[0]?.private.rank ?? 0;

export async function listSnapshots({ store }: Parts, world: string, page: PageRequest): Promise<Page<SnapshotView>> {
  const { data, meta } = pageOf(await store.transaction(world, snapshotsOf), page);
  return { data: data.map(serializeSnapshot), meta };
}

/** Not shown: bytes of files, and what controls a world. */
const hidden: ReadonlySet<string> = new Set<TableName>(['document_contents', 'control_keys', 'client_tokens']);

/** The records that the world had beside those of its fixture, as responses show them, without secrets. */
export async function readSnapshot(
  { store, turns }: Pick<SandboxContext, 'store' | 'turns'>,
  world: string,
  name: string,
  reader: Reader = {},
): Promise<SnapshotContent> {
  const snapshot = await store.transaction(world, (tx) => findSnapshot(tx, name));
  const { rows } = await turns.workThrough(world, dumpOf(snapshot));
  const tables = await store.transaction(world, (tx) =>
    Object.entries(rows).map(([table, list]) => [table, visibleRows<Row<TableName>>(tx, list, reader)] as const),
  );
  const shown = tables.filter(([table, list]) => !hidden.has(table) && list.length > 0);
  return { ...serializeSnapshot(snapshot), content: await turns.workThrough(world, withoutSecretsIn(shown)) };
}

function* withoutSecretsIn(
  tables: readonly (readonly [table: string, rows: readonly Row<TableName>[]])[],
): Generator<void, SnapshotContent['content']> {
  const content: Record<string, Readonly<Record<string, unknown>>[]> = {};
  for (const [table, rows] of tables) {
    const shown = [];
    for (const row of rows) {
      shown.push(withoutSecrets(row));
      yield;
    }
    content[table] = shown;
  }
  return content;
}

function withoutSecrets(record: Row<TableName>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(wireOf(record))
      .filter(([field]) => field !== 'hash')
      .map(([field, value]) => [field, redactedValue(value, field)]),
  );
}

/** Brings a world back as it stood. `conflict` for a snapshot of another version, or a damaged one: nothing changes. */
export async function restoreSnapshot(
  parts: Pick<SandboxContext, 'store' | 'worlds' | 'scheduler' | 'turns' | 'planChanges'>,
  world: string,
  name: string,
): Promise<SnapshotView> {
  const snapshot = await parts.store.transaction(world, (tx) => findSnapshot(tx, name));
  const dump = await parts.turns.workThrough(world, dumpOf(snapshot));
  await parts.worlds.restore(world, dump).catch((error) => {
    throw isOfWorld(error) ? error : unreadable(name, `it is damaged: ${messageOf(error)}`);
  });
  await finishPlanChange(parts, world);
  await finishIfInstant(parts, world);
  return serializeSnapshot(snapshot);
}

export async function deleteSnapshot({ store }: Parts, world: string, name: string): Promise<void> {
  await store.transaction(world, (tx) => tx.remove('snapshots', existing(tx, name)));
}

function findSnapshot(tx: Tx, name: string): Row<'snapshots'> {
  const snapshot = tx.get('snapshots', existing(tx, name));
  if (!snapshot) throw new Error(`The snapshot ${name} is listed and does not exist.`);
  return snapshot;
}

/** The name, if there is a snapshot of that name. */
function existing(tx: Tx, name: string): string {
  const names = namesIn(tx);
  if (names.includes(name)) return name;
  throw new ApiError('not_found', {
    message: `No snapshot named ${quote(name)} exists in this world${didYouMean(name, names) || '.'}`,
    hint: 'List the snapshots with GET /_sandbox/snapshots.',
  });
}

/** The content of a snapshot, which a state file may have brought from another version, or damaged. */
function* dumpOf({ id, format, content, ...parts }: Row<'snapshots'>): Generator<void, WorldDump> {
  if (format !== FORMAT)
    throw unreadable(id, `it has the format ${format}, and this version of the server reads the format ${FORMAT}`);
  const dump = yield* checkDump(content, (path, reason) =>
    unreadable(id, `it is damaged: ${path === '' ? '' : `${path} `}${reason}`),
  );
  const found = partsOf(dump);
  for (const part of keysOf(found)) {
    if (found[part] !== parts[part])
      throw unreadable(id, `it is cut short: it has ${found[part]} of its ${parts[part]} ${part}`);
  }
  return dump;
}

/** Errors that say nothing about the snapshot. */
const isOfWorld = (error: unknown): boolean =>
  error instanceof NoSuchWorld || error instanceof StoreAway || error instanceof ApiError;

const unreadable = (name: string, reason: string): ApiError =>
  new ApiError('conflict', {
    message: `The snapshot ${name} cannot be restored: ${reason}.`,
    hint: 'Delete it, bring the world to where it should be, and make another one. The world has not changed.',
  });

const nameTaken = (name: string): ApiError =>
  new ApiError('conflict', {
    message: `This world already has a snapshot named ${name}.`,
    hint: 'Choose another name, or delete that snapshot first.',
  });
