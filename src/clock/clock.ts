// A world's clock as a pure function of system time: `interface.md` section 4. `systemNow` is the only reader of system
// time.
import { latestOf } from '../repeated.ts';

export type ClockMode = 'real' | 'scaled' | 'manual' | 'instant';

/** A world's clock: one instant by both clocks (in milliseconds), and how time continues from there. */
export interface ClockState {
  readonly mode: ClockMode;
  /** World milliseconds per real millisecond; 0 on a stopped clock. */
  readonly speed: number;
  /** The instant in system time. */
  readonly systemTime: number;
  /** The same instant in the world's time. */
  readonly at: number;
  /** Whether an advance has frozen the clock; possible in every mode. */
  readonly frozen: boolean;
  /** How much time has been waited for up to that instant, by either clock: see `waitedAt`. */
  readonly waited: number;
}

/** The machine's time in milliseconds, which someone may set back. */
export const systemNow = (): number => Date.now();

/** System time in milliseconds, as one sandbox reads it: it never goes back. */
export type SystemTime = () => number;

/** The machine's clock is corrected by less than this without having been set: time waits until it is where it was. */
const CORRECTION_MS = 1000;

/**
 * System time that follows the machine's clock, except where that is set back: from there, it goes on at its own pace.
 * `elapsed` counts milliseconds and is never set.
 */
export function steadyTime(machine = systemNow, elapsed = () => performance.now()): SystemTime {
  let latest = machine();
  /** How far the machine's time is ahead of `elapsed`, as it was before it was set back. */
  let ahead = latest - elapsed();
  return () => {
    const now = machine();
    const passed = elapsed();
    const isSetBack = now - passed < ahead - CORRECTION_MS;
    if (!isSetBack) ahead = now - passed;
    latest = Math.max(latest, isSetBack ? Math.floor(passed + ahead) : now);
    return latest;
  };
}

/** The first and the last instant that a timestamp can hold: years have four digits. */
const EARLIEST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** ISO 8601 UTC with milliseconds and `Z`. One instant is often written many times in a row. */
export const timestamp = latestOf((ms: number) => new Date(ms).toISOString());

export const timestampForm = 'an ISO 8601 timestamp such as 2026-01-05T15:00:00.000Z';

/** Milliseconds; undefined for anything but a timestamp with a zone, on a day that exists. */
export function parseTimestamp(text: string): number | undefined {
  const day = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.exec(text)?.[1];
  const ms = day === undefined ? Number.NaN : Date.parse(text);
  if (day === undefined || Number.isNaN(ms) || ms < EARLIEST_INSTANT || ms > LATEST_INSTANT) return undefined;
  // Date.parse reads February 30 as March 2.
  return timestamp(Date.parse(`${day}T00:00Z`)).startsWith(day) ? ms : undefined;
}

/** How a clock runs: its mode, and the speed of a scaled one. */
export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed: number;
}

export const clockForm = 'real, manual, instant, or a speed such as 20x';
export const clockPattern = '^(real|manual|instant|\\d+(\\.\\d+)?x)$';

/** Reads `real`, `manual`, `instant` or a speed such as `20x`; undefined for anything else. */
export function parseClockSetting(text: string): ClockSetting | undefined {
  if (text === 'real') return { mode: 'real', speed: 1 };
  if (text === 'manual' || text === 'instant') return { mode: text, speed: 0 };
  const speed = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
  if (speed === undefined || Number(speed) <= 0 || Number(speed) > 1_000_000) return undefined;
  return { mode: 'scaled', speed: Number(speed) };
}

/** Those that are words, for shells to complete. */
parseClockSetting.known = ['real', 'manual', 'instant'];

/** The form that `parseClockSetting` reads. */
export function formatClockSetting({ mode, speed }: ClockSetting): string {
  return mode === 'scaled' ? `${speed}x` : mode;
}

/** Stopped clocks move by `advance` (manual) or from task to task (instant), never by themselves. */
export function isStopped(mode: ClockMode): boolean {
  return mode === 'manual' || mode === 'instant';
}

/** A new clock: a stopped one starts at `start`, a running one at the system time. */
export function newClock(setting: ClockSetting, start: number, now: number): ClockState {
  return { ...setting, systemTime: now, at: isStopped(setting.mode) ? start : now, frozen: false, waited: 0 };
}

/** The world's time in whole milliseconds; a running clock stops at the last instant that a timestamp can hold. */
export function worldTime(clock: ClockState, now: number): number {
  if (clock.frozen || clock.speed === 0) return clock.at;
  // Adding 1e-6 compensates for rounding errors, which could take a millisecond from an integral product.
  return Math.min(LATEST_INSTANT, clock.at + Math.max(0, Math.floor((now - clock.systemTime) * clock.speed + 1e-6)));
}

/** The system time at which the world's time will be `at`; infinite for a stopped clock. */
export function systemTimeOf(clock: ClockState, at: number): number {
  if (clock.frozen || clock.speed === 0) return Number.POSITIVE_INFINITY;
  return clock.systemTime + Math.ceil((at - clock.at) / clock.speed);
}

/**
 * The time that has been waited for, in milliseconds, such that a wait by either clock is enough: whoever sleeps for a
 * second, or advances a manual or running clock by one, has waited for at least a second. A running clock counts
 * whichever of the two has gone further. An instant clock jumps ahead of its users, so only system time counts there.
 */
export function waitedAt(clock: ClockState, now: number): number {
  return clock.waited + Math.max(0, now - clock.systemTime) * waitingSpeed(clock);
}

/** How much is waited for while one millisecond of system time passes. */
export const waitingSpeed = ({ frozen, speed }: ClockState): number => (frozen ? 1 : Math.max(1, speed));

/** The clock set to `at`; it continues from there in its own mode. */
export function setClock(clock: ClockState, at: number, now: number): ClockState {
  const slept = waitedAt(clock, now) - clock.waited;
  const advanced = clock.mode === 'instant' ? 0 : Math.max(0, at - worldTime(clock, now));
  // What an advance of a running clock takes in system time counts only as far as it exceeds the time advanced.
  const isRunningAdvance = clock.frozen && !isStopped(clock.mode);
  const waited = clock.waited + (isRunningAdvance ? Math.max(slept, advanced) : slept + advanced);
  return { ...clock, at, systemTime: now, waited };
}

/** The clock in another mode from now on, at the time that it shows. */
export function changeMode(clock: ClockState, setting: ClockSetting, now: number): ClockState {
  return { ...continuedAt(clock, now), ...setting };
}

export function freeze(clock: ClockState, now: number): ClockState {
  return { ...continuedAt(clock, now), frozen: true };
}

export function resume(clock: ClockState, now: number): ClockState {
  return { ...continuedAt(clock, now), frozen: false };
}

/**
 * A clock as it was at `then`, from now on: a real one is back at the system time, all others go on from where they were.
 * `waited`: how much has been waited for in between.
 */
export function broughtBack(clock: ClockState, then: number, now: number, waited?: number): ClockState {
  const last = worldTime(clock, then);
  const at = clock.mode === 'real' ? Math.max(last, now) : last;
  return { ...resume(clock, then), at, systemTime: now, waited: waitedAt(clock, then) + (waited ?? at - last) };
}

/** The same clock, described from now on. */
function continuedAt(clock: ClockState, now: number): ClockState {
  return { ...clock, at: worldTime(clock, now), systemTime: now, waited: waitedAt(clock, now) };
}
