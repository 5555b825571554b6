// What the system reports about a process: whether it exists, and on Linux the fields of its status and how many files
// it may open.
import { readFileSync } from 'node:fs';
import { hasCode } from './system-errors.ts';

/** The fields of a status that are read; proc(5) numbers them from 3, after the id and the name. */
export interface ProcessStatus {
  /** `Z` and `X` are those of a process that has ended. */
  readonly state: string;
  readonly ppid: number;
  readonly session: string;
  /** When it was started, in clock ticks since the machine was: tells it from a later process with the same id. */
  readonly started: string;
}

/** Undefined if there is no such process, and on systems other than Linux. */
export function processStatus(pid: number): ProcessStatus | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the name of the program in brackets, which may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', ppid = '', , session = ''] = fields;
  return { state, ppid: Number(ppid), session, started: fields[19] ?? '' };
}

/** False for one that was killed but is still listed, because its parent has not asked how it ended. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !['Z', 'X'].includes(processStatus(pid)?.state ?? '');
  } catch (error) {
    // Another user's process exists, too.
    return hasCode(error, 'EPERM');
  }
}

/** How many files this process may have open at a time; undefined where the system does not tell. */
export function openFilesLimit(): number | undefined {
  const limit = /^Max open files +(\d+)/m.exec(readIfThere('/proc/self/limits') ?? '')?.[1];
  return limit === undefined ? undefined : Number(limit);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
