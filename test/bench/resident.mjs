// What the operating system says about a process: what it holds of the memory, and what it has used of the processor.
// Linux alone tells; elsewhere both are unknown.
import { existsSync, readFileSync } from 'node:fs';

/** The clock ticks of /proc: always 100 a second. */
const TICK_MS = 10;

export const canTell = existsSync('/proc/self/status');

/** Resident memory in MB. */
export function residentOf(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Milliseconds of processor time since it started; not a number where nobody tells. */
export function processorTimeOf(pid) {
  if (!canTell) return Number.NaN;
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return (Number(user) + Number(system)) * TICK_MS;
}
