// A world's clock as a pure function of the machine's: `interface.md` section 4. The only reader of the machine's
// time is `wall`.

export type ClockMode = 'real' | 'scaled' | 'manual' | 'instant';

/** A world's clock: two instants (in milliseconds) that were once the same, and how it goes on from there. */
export interface ClockState {
  readonly mode: ClockMode;
  /** World milliseconds per real millisecond; 0 on a stopped clock. */
  readonly speed: number;
  /** The instant in system time. */
  readonly systemTime: number;
  /** The same instant in the world's time. */
  readonly at: number;
  /** Whether an advance holds the clock still, whatever the mode. */
  readonly frozen: boolean;
}

/** The machine's time in milliseconds. */
export const systemNow = (): number => Date.now();

/** The last instant that a timestamp can say. */
export const LATEST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const written = { ms: Number.NaN, text: '' };

/** ISO 8601 UTC with milliseconds and `Z`. */
export function timestamp(ms: number): string {
  // What happens at one instant writes it many times over.
  if (ms !== written.ms) {
    written.text = new Date(ms).toISOString();
    written.ms = ms;
  }
  return written.text;
}

export const timestampForm = 'an ISO 8601 timestamp such as 2026-01-05T15:00:00.000Z';

/** Milliseconds; undefined for what is no timestamp with a zone, or no day of the calendar. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const ms = match ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || ms > LATEST_INSTANT) return undefined;
  // The parser turns the 30th of February into the 2nd of March.
  return timestamp(Date.parse(`${match?.[1]}T00:00Z`)).startsWith(match?.[1] as string) ? ms : undefined;
}

/** How a clock is set going: a mode, and for a scaled one its speed. */
export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed: number;
}

export const clockForm = 'real, manual, instant, or a speed such as 20x';

/** Reads `real`, `manual`, `instant` or a speed such as `20x`; undefined for anything else. */
export function parseClockSetting(text: string): ClockSetting | undefined {
  if (text === 'real') return { mode: 'real', speed: 1 };
  if (text === 'manual' || text === 'instant') return { mode: text, speed: 0 };
  const speed = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
  if (speed === undefined || Number(speed) <= 0 || Number(speed) > 1_000_000) return undefined;
  return { mode: 'scaled', speed: Number(speed) };
}

/** The form in which `readClockSetting` takes it. */
export function formatClockSetting({ mode, speed }: ClockSetting): string {
  return mode === 'scaled' ? `${speed}x` : mode;
}

/** Standing clocks move by `advance` (manual) or by what is planned (instant), never by themselves. */
export function isStopped(mode: ClockMode): boolean {
  return mode === 'manual' || mode === 'instant';
}

/** A new clock: standing ones begin at `start`, running ones at the machine's time. */
export function newClock(setting: ClockSetting, start: number, now: number): ClockState {
  return { ...setting, systemTime: now, at: isStopped(setting.mode) ? start : now, frozen: false };
}

/** The world's time, in whole milliseconds; a clock that runs stops at the last instant that can be written. */
export function worldTime(clock: ClockState, now: number): number {
  if (clock.frozen || clock.speed === 0) return clock.at;
  // The sliver keeps a product that is a whole number but for rounding from falling one short.
  return Math.min(LATEST_INSTANT, clock.at + Math.max(0, Math.floor((now - clock.systemTime) * clock.speed + 1e-6)));
}

/** The machine's time at which the world's will be `at`; infinite on a clock that stands. */
export function systemTimeOf(clock: ClockState, at: number): number {
  if (clock.frozen || clock.speed === 0) return Number.POSITIVE_INFINITY;
  return clock.systemTime + Math.ceil((at - clock.at) / clock.speed);
}

/** The clock with its hands at `at`, going on in its own mode from there. */
export function setClock(clock: ClockState, at: number, now: number): ClockState {
  return { ...clock, at, systemTime: now };
}

/** Another mode from now on; the time goes on where it is. */
export function changeMode(clock: ClockState, setting: ClockSetting, now: number): ClockState {
  return { ...clock, ...setting, at: worldTime(clock, now), systemTime: now };
}

export function freeze(clock: ClockState, now: number): ClockState {
  return { ...clock, at: worldTime(clock, now), systemTime: now, frozen: true };
}

export function resume(clock: ClockState, now: number): ClockState {
  return { ...clock, systemTime: now, frozen: false };
}
