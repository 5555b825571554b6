// Writes a state file: a new file, readable only by its owner, replaces the old one when it is complete. Long work is
// done in slices, so that requests are served in between.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Turns } from '../scheduler/turns.ts';
import { hasCode } from '../system-errors.ts';
import { Checksum, fileEnd } from './checksum.ts';
import type { StateFile } from './form.ts';
import { newFileOf } from './read-file.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/** As which world it takes turns; no world has this name. */
const LANE = '--state';

/** Throws, and leaves the old file, if the new one cannot be written, or if `mayReplace` is false by then. */
export async function writeStateFile(
  file: string,
  content: StateFile,
  turns: Turns,
  mayReplace: () => boolean,
): Promise<void> {
  const temporary = newFileOf(file);
  // Never written through a link that someone else has placed there.
  await rm(temporary, { force: true });
  try {
    await writeAll(temporary, piecesOf(content), turns);
    if (!mayReplace()) throw new Error('another process has taken over its lock');
    await replace(file, temporary);
  } catch (error) {
    // It would take space that a full disk needs. Another process that has the lock by now may be writing its own.
    await removeIf(mayReplace, temporary);
    throw error;
  }
  await syncFolder(dirname(file));
}

/** What keeps it from being removed, such as a folder that is gone, is why it could not be written either. */
async function removeIf(mayReplace: () => boolean, temporary: string): Promise<void> {
  try {
    if (mayReplace()) await rm(temporary, { force: true });
  } catch {
    return;
  }
}

/** Puts the new file in the place of the old one. */
async function replace(file: string, temporary: string): Promise<void> {
  try {
    await rename(temporary, file);
  } catch (error) {
    // A file that is mounted into a container alone can be written, but not replaced.
    if (!hasCode(error, 'EBUSY') && !hasCode(error, 'EXDEV')) throw error;
    await copyInto(file, temporary);
    await rm(temporary, { force: true });
  }
}

/** If the process ends meanwhile, the file is incomplete, and the new one is still there to be read instead. */
async function copyInto(file: string, temporary: string): Promise<void> {
  const [from, to] = [await open(temporary, 'r'), await open(file, 'r+')];
  try {
    await to.truncate(0);
    // Not every mount has modes.
    await to.chmod(0o600).catch(() => {});
    const chunk = Buffer.alloc(CHUNK_CHARACTERS);
    for (;;) {
      const { bytesRead } = await from.read(chunk);
      if (bytesRead === 0) break;
      await to.writeFile(chunk.subarray(0, bytesRead));
    }
    await to.sync();
  } finally {
    await from.close();
    await to.close();
  }
}

async function writeAll(path: string, pieces: Iterator<string>, turns: Turns): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await writePieces(handle, pieces, turns);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writePieces(handle: FileHandle, pieces: Iterator<string>, turns: Turns): Promise<void> {
  const checksum = new Checksum();
  for (;;) {
    const chunk = turns.work(() => nextChunk(pieces));
    if (chunk === '') break;
    const bytes = Buffer.from(chunk);
    checksum.add(bytes);
    await handle.writeFile(bytes);
    if (turns.isOver) await turns.next(LANE);
  }
  await handle.writeFile(fileEnd(checksum));
}

/** Pieces of about that length together; none are left if it is empty. */
function nextChunk(pieces: Iterator<string>): string {
  const chunk: string[] = [];
  for (let length = 0; length < CHUNK_CHARACTERS; ) {
    const next = pieces.next();
    if (next.done) break;
    chunk.push(next.value);
    length += next.value.length;
  }
  return chunk.join('');
}

/**
 * The text of the file, but its end, with a line for each record, so that people and tools can compare two of them, and a
 * start can read it line by line.
 */
function* piecesOf({ worlds, coverage = {}, ...content }: StateFile): Generator<string> {
  yield `${JSON.stringify(content).slice(0, -1)},\n"coverage":{`;
  for (const [index, [world, counts]] of Object.entries(coverage).entries()) {
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(world)}:${JSON.stringify(counts)}`;
  }
  yield '},\n"worlds":{';
  for (const [index, [world, { facts, rows, schedule, journals, ...rest }]] of Object.entries(worlds).entries()) {
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(world)}:{"facts":${JSON.stringify(facts)}`;
    for (const [name, value] of Object.entries(rest)) yield `,\n${JSON.stringify(name)}:${JSON.stringify(value)}`;
    yield ',\n"rows":{';
    yield* listsOf(Object.entries(rows));
    yield '},\n"schedule":';
    yield* listOf(schedule);
    yield ',\n"journals":{';
    const named = Object.entries(journals);
    for (const [position, [name, { entries, ...counts }]] of named.entries()) {
      yield `${position > 0 ? ',' : ''}\n${JSON.stringify(name)}:${JSON.stringify(counts).slice(0, -1)},"entries":`;
      yield* listOf(entries);
      yield '}';
    }
    yield '}}';
  }
  yield '}';
}

function* listsOf(lists: readonly (readonly [string, readonly unknown[]])[]): Generator<string> {
  for (const [index, [name, values]] of lists.entries()) {
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(name)}:`;
    yield* listOf(values);
  }
}

function* listOf(values: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [index, value] of values.entries()) yield `${index > 0 ? ',' : ''}\n${JSON.stringify(value)}`;
  yield '\n]';
}

/** So that a machine that fails does not forget the new name. Not every system can do it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    return;
  }
}
