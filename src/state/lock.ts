// The lock of a state file: `FILE.lock` names the process that uses it. A killed process leaves it behind; the next
// process checks whether the owner lives, by process id on the same machine, else by a heartbeat.
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { systemNow } from '../clock/clock.ts';
import { FileProblem } from '../file-problem.ts';
import { processExists, processStatus } from '../process-status.ts';
import { hasCode, messageOf } from '../system-errors.ts';

const HEARTBEAT_MS = 1000;
/** An owner on another machine whose heartbeat is not seen for so long is dead. */
const SILENCE_MS = 5000;
const LOOK_MS = 100;
/** How long a process that was killed may take to end. */
const DYING_MS = 500;
/** Between taking over a lock and checking that no other process took it over too. */
const SETTLE_MS = 50;

const ownerForm = z.object({
  pid: z.number(),
  /** Where its process id means something: the machine since it was started, and the container. */
  place: z.string(),
  /** Tells it from a later process with the same id; empty where the system does not say. */
  started: z.string(),
  host: z.string(),
  /** Tells the locks of one process apart. */
  id: z.string(),
});
type Owner = z.infer<typeof ownerForm>;

export interface FileLock {
  /** Whether the lock is still this process's own; another one may have taken it for dead. Throws if it cannot be read. */
  isHeld(): boolean;
  release(): void;
}

/** Locks a file; throws FileProblem if another process, or another sandbox of this one, uses it. */
export async function lockFile(file: string): Promise<FileLock> {
  const path = `${file}.lock`;
  const own = JSON.stringify(thisProcess());
  while (!tryCreate(path, own)) {
    const found = readIfThere(path);
    if (found === undefined) continue;
    const owner = ownerOf(found);
    if (await isAlive(path, owner)) throw inUse(file, owner);
    if (await takeOver(path, found, own)) break;
  }
  return hold(path, own);
}

function hold(path: string, own: string): FileLock {
  let isReleased = false;
  // A lock that someone deleted is made again.
  const isHeld = (): boolean => {
    if (isReleased) return false;
    const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    return found === own || (found === undefined && tryCreate(path, own));
  };
  const beat = setInterval(() => {
    const now = systemNow() / 1000;
    // A lock that cannot be touched, on a disk that is gone, cannot be seen by another process either.
    ignoringErrors(() => isHeld() && utimesSync(path, now, now));
  }, HEARTBEAT_MS).unref();
  return {
    isHeld,
    release() {
      isReleased = true;
      clearInterval(beat);
      if (readIfThere(path) === own) ignoringErrors(() => rmSync(path, { force: true }));
    },
  };
}

/** False if the lock exists. */
function tryCreate(path: string, own: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeFileSync(descriptor, own);
    } catch (error) {
      // On a full disk; whoever found it empty would have to wait for a sign of life.
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw FileProblem.at(
      path,
      0,
      '',
      `the lock of the state file cannot be written: ${messageOf(error)}; the server needs to write to its folder (--state)`,
    );
  }
}

/** Replaces the lock of a dead owner; false if another process was faster. */
async function takeOver(path: string, found: string, own: string): Promise<boolean> {
  const next = `${path}.${process.pid}`;
  rmSync(next, { force: true });
  if (!tryCreate(next, own)) return false;
  if (readIfThere(path) !== found) {
    rmSync(next, { force: true });
    return false;
  }
  renameSync(next, path);
  await sleep(SETTLE_MS);
  return readIfThere(path) === own;
}

async function isAlive(path: string, owner: Owner | undefined): Promise<boolean> {
  const here = thisProcess();
  if (owner?.place !== here.place) return hasHeartbeat(path);
  if (owner.pid === here.pid && owner.started === here.started) return true;
  for (let waited = 0; waited < DYING_MS && runs(owner); waited += LOOK_MS) await sleep(LOOK_MS);
  const isSure = owner.started !== '';
  return runs(owner) && (isSure || hasHeartbeat(path));
}

/** Whether a process of this machine runs, or one that took over its id, where the two cannot be told apart. */
function runs({ pid, started }: Owner): boolean {
  if (!processExists(pid)) return false;
  const now = startOf(pid);
  return now === started || now === '';
}

/** Whether the lock is touched while this process looks, or goes; the clocks of two machines cannot be compared. */
async function hasHeartbeat(path: string): Promise<boolean> {
  const touched = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const before = touched();
  for (let waited = 0; waited < SILENCE_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = touched();
    if (now === undefined) return false;
    if (now !== before) return true;
  }
  return false;
}

function thisProcess(): Owner {
  return {
    pid: process.pid,
    place: `${hostname()} ${bootId()} ${container()}`,
    started: startOf(process.pid),
    host: hostname(),
    id: String(process.hrtime.bigint()),
  };
}

/** Changes when the machine is started again. Linux only, as the two that follow; elsewhere empty. */
const bootId = (): string => readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? '';

const container = (): string => ignoringErrors(() => readlinkSync('/proc/self/ns/pid')) ?? '';

const startOf = (pid: number): string => processStatus(pid)?.started ?? '';

/** Undefined for a lock that is empty or of another form: its owner is about to write it, or died while it did. */
function ownerOf(text: string): Owner | undefined {
  const json = ignoringErrors((): unknown => JSON.parse(text));
  return ownerForm.safeParse(json).data;
}

function inUse(file: string, owner: Owner | undefined): FileProblem {
  const here = thisProcess();
  const who =
    owner === undefined
      ? 'another process'
      : owner.place === here.place && owner.pid === here.pid
        ? 'another sandbox of this process'
        : `another process (${owner.pid} on ${owner.host})`;
  return FileProblem.at(file, 0, '', `is in use by ${who}; stop it, or name another file with --state`);
}

const readIfThere = (path: string): string | undefined => ignoringErrors(() => readFileSync(path, 'utf8'));

function ignoringErrors<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
