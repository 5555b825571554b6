// Reads a state file and the change logs beside it.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { formatSize } from '../budget/size.ts';
import { FileProblem } from '../file-problem.ts';
import { applyDeltas } from '../store/apply-deltas.ts';
import type { WorldDelta, WorldDump } from '../store/store.ts';
import { messageOf } from '../system-errors.ts';
import { hasChanges, logBytes, readLogs } from './change-log.ts';
import { isIntactFile } from './checksum.ts';
import { linesOf } from './file-pieces.ts';
import { checkState, type LoggedChanges, notAStateFile, REMEDY, type StateFile } from './form.ts';

/** How far all ordinals are raised after a crash: beyond any that may have been given out and lost. */
const LOST_ORDINALS = 1_000_000;

export type LoadedState = Omit<StateFile, 'format' | 'run' | 'clean'>;

/** The path of the file itself, so that it has one lock whatever links lead to it. Throws FileProblem. */
export function resolveStateFile(given: string): string {
  try {
    return fileItself(given);
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    // Such as a name that is too long, or links that lead to one another.
    throw FileProblem.at(given, 0, '', `is no path of a file (--state): ${messageOf(error)}`);
  }
}

function fileItself(given: string): string {
  let file = resolve(given);
  if (!existsSync(dirname(file))) throw FileProblem.at(given, 0, '', 'its folder does not exist (--state)');
  // A link may lead to a file that does not exist yet.
  for (let links = 0; lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() && links < 40; links++) {
    file = resolve(dirname(file), readlinkSync(file));
    if (!existsSync(dirname(file))) throw FileProblem.at(given, 0, '', `leads to ${file}, whose folder does not exist`);
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw FileProblem.at(given, 0, '', 'is a folder; --state takes the path of a file');
  // The state is written beside it and takes its place, which would end a device such as /dev/null for the whole machine.
  if (found && !found.isFile())
    throw FileProblem.at(given, 0, '', 'is a device, a pipe or a socket, not a file (--state)');
  return join(realpathSync(dirname(file)), basename(file));
}

/** The new state file while it is written, before it takes the place of the old one. */
export const newFileOf = (file: string): string => join(dirname(file), `.${basename(file)}.tmp`);

/** What a state file holds; null if there is none, or an empty one. Throws FileProblem about one that cannot be read. */
export function readStateFile(file: string): StateFile | null {
  if (!existsSync(file)) return null;
  try {
    checkHeap(file);
    return contentOf(file);
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw FileProblem.at(file, 0, '', `cannot be read: ${messageOf(error)}`);
  }
}

function contentOf(file: string): StateFile | null {
  const intact = intactOf(file);
  if (statSync(intact ?? file).size === 0 && !hasChanges(file)) return null;
  const content = parseLines(file, intact ?? file);
  checkState(file, content);
  // Where the form of a damaged file is wrong too, that names the place.
  if (!intact)
    throw FileProblem.at(file, 0, '', `is damaged, or was changed: it does not match its checksum; ${REMEDY}`);
  return content;
}

/**
 * The path of what can be read: the file, or the new one if a process ended while it copied it into a file that cannot be
 * replaced; undefined if the file is damaged. A file without a checksum is what a tool has written.
 */
function intactOf(file: string): string | undefined {
  const isIntact = isIntactFile(file);
  if (isIntact) return file;
  const copied = newFileOf(file);
  if (existsSync(copied) && isIntactFile(copied)) return copied;
  return isIntact === false ? undefined : file;
}

/** V8 ends the process where its heap is full. What is read takes about as much of it as of the disk at least. */
function checkHeap(file: string): void {
  const bytes = statSync(file).size + logBytes(file);
  const { heap_size_limit, used_heap_size } = getHeapStatistics();
  if (bytes + used_heap_size <= heap_size_limit) return;
  const enough = Math.ceil((2 * bytes) / 1024 ** 2);
  const reason =
    `is ${formatSize(bytes)} long with its change logs, more than the heap of this process can hold ` +
    `(${formatSize(heap_size_limit)}); set NODE_OPTIONS=--max-old-space-size=${enough}, or ${REMEDY}`;
  throw FileProblem.at(file, 0, '', reason);
}

/**
 * What the file and its logs hold; `log` is the number of the next log. If the process that wrote them did not stop in
 * order, the ordinals are raised. Throws FileProblem about a log that cannot be read.
 */
export function loadState(file: string, content: StateFile | null): LoadedState {
  if (!content) return { crashes: 0, log: 1, gone: {}, worlds: {} };
  const { changes, next, isClean } = readLogs(file, content.log, content.run);
  const state = { ...content, ...withChanges(content, changes) };
  // The form of the deltas has not been checked, only what they lead to.
  if (changes.length > 0) checkState(file, state);
  const { crashes, secret, gone, worlds, coverage, clean } = state;
  if (clean || isClean) return { crashes, secret, log: next, gone, worlds, coverage };
  const raised = Object.entries(worlds).map(([name, dump]) => [name, withRaisedOrdinals(dump)] as const);
  return { crashes: crashes + 1, secret, log: next, gone, worlds: Object.fromEntries(raised), coverage };
}

/** Where the ordinals of new worlds begin after so many crashes: the ids of lost worlds of their names lie below. */
export const firstOrdinals = ({ crashes }: Pick<StateFile, 'crashes'>): number => crashes * LOST_ORDINALS;

/** Line by line: records, which have lines of their own, come last. */
function parseLines(file: string, path: string): unknown {
  const items: unknown[] = [];
  const outline: Buffer[] = [];
  let number = 0;
  for (const line of linesOf(path)) {
    number += 1;
    // The file as a whole begins like an item.
    if (number === 1 || line[0] !== OPENING) outline.push(line);
    else {
      const isFollowed = line.at(-1) === COMMA;
      outline.push(Buffer.from(`${items.length}${isFollowed ? ',' : ''}`));
      items.push(parse(file, isFollowed ? line.subarray(0, -1) : line, number));
    }
    outline.push(LINE_BREAK);
  }
  const content = parse(file, Buffer.concat(outline));
  putItems(content, items);
  return content;
}

const OPENING = '{'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const LINE_BREAK = Buffer.from('\n');

/** Puts the items into the lists in the place of their numbers. */
function putItems(value: unknown, items: readonly unknown[]): void {
  if (typeof value !== 'object' || value === null || !('worlds' in value)) return;
  // The outline may be anything: what is not there has no items, and the form is checked afterwards.
  for (const world of Object.values(value.worlds ?? {}) as (Partial<WorldDump> | null)[]) {
    const lists: unknown[] = [
      ...Object.values(world?.rows ?? {}),
      world?.schedule,
      ...Object.values(world?.journals ?? {}).map((journal) => journal?.entries),
    ];
    for (const list of lists) {
      if (!Array.isArray(list)) continue;
      for (const [index, item] of list.entries()) if (typeof item === 'number') list[index] = items[item];
    }
  }
}

function parse(file: string, bytes: Buffer, line = 1): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    // It quotes what is around the place, line breaks included.
    throw notAStateFile(file, line, messageOf(error).replaceAll('\n', '\\n'));
  }
}

function withChanges(
  { gone, worlds }: StateFile,
  changes: readonly LoggedChanges[],
): Pick<StateFile, 'gone' | 'worlds'> {
  const latest = new Map<string, { readonly dump: WorldDump; readonly deltas: WorldDelta[] }>();
  for (const [name, dump] of Object.entries(worlds)) latest.set(name, { dump, deltas: [] });
  for (const { worlds: changed } of changes) {
    for (const [name, change] of Object.entries(changed)) {
      if (change === null) latest.delete(name);
      else if ('dump' in change) latest.set(name, { dump: change.dump, deltas: [] });
      else latest.get(name)?.deltas.push(change.delta);
    }
  }
  const merged = [...latest].map(([name, { dump, deltas }]) => [name, applyDeltas(dump, deltas)] as const);
  return {
    gone: Object.fromEntries([gone, ...changes.map((each) => each.gone)].flatMap((each) => Object.entries(each))),
    worlds: Object.fromEntries(merged),
  };
}

function withRaisedOrdinals(dump: WorldDump): WorldDump {
  const ordinals = Object.entries(dump.ordinals).map(([name, latest]) => [name, latest + LOST_ORDINALS] as const);
  const ordinals_from = dump.state.ordinals_from + LOST_ORDINALS;
  return { ...dump, state: { ...dump.state, ordinals_from }, ordinals: Object.fromEntries(ordinals) };
}
