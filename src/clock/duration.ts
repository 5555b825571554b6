// Durations in text form, `<n>(ms|s|m|h|d)`, and ranges of them, `2s..4s`.

const DAY_MS = 86_400_000;
const units: ReadonlyMap<string | undefined, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY_MS],
]);
const form = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
/** The form as a regular expression; `parseDuration` reads nothing else, no longer text, and no more than a century. */
export const durationPattern = form.source;
const unanchored = durationPattern.slice(1, -1);
/** The form of a range, or of a single duration, without anchors; `parseDurationRange` also compares the two ends. */
export const durationRangePattern = `${unanchored}(\\.\\.${unanchored})?`;

/** A century. */
const MAX_MS = 36_525 * DAY_MS;
/** Texts of durations are kept as they are sent, and digits without end say nothing more. */
const MAX_LENGTH = 100;

export const durationForm = 'a duration such as 250ms, 2s, 5m, 1h or 3d (a century at most)';

/** Milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, amount, unit] = form.exec(text) ?? [];
  const unitMs = units.get(unit);
  if (unitMs === undefined) return undefined;
  const ms = Math.round(Number(amount) * unitMs);
  return ms <= MAX_MS ? ms : undefined;
}

export interface DurationRange {
  /** Milliseconds, both included. */
  readonly min: number;
  readonly max: number;
}

/** A duration or a range; undefined if the text is neither, or the range ends before it starts. */
export function parseDurationRange(text: string): DurationRange | undefined {
  const dots = text.indexOf('..');
  const min = parseDuration(dots < 0 ? text : text.slice(0, dots));
  const max = dots < 0 ? min : parseDuration(text.slice(dots + 2));
  return min === undefined || max === undefined || max < min ? undefined : { min, max };
}

/** The shortest exact form: `2s`, `90s`, `1500ms`. */
export function formatDuration(ms: number): string {
  if (ms >= 1000 && ms % 1000 === 0) return `${ms / 1000}s`;
  return `${ms}ms`;
}
