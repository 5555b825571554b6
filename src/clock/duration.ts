// Durations as people write them: `<n>(ms|s|m|h|d)`, and ranges of them, `2s..4s`.

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const form = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Nothing here takes longer than a century. */
const LONGEST_MS = 36_525 * units.d;

export const durationForm = 'a duration such as 250ms, 2s, 5m, 1h or 3d (a century at most)';

/** Milliseconds, or undefined where the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const ms = Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
  return ms <= LONGEST_MS ? ms : undefined;
}

export interface DurationRange {
  /** Milliseconds, both included. */
  readonly least: number;
  readonly most: number;
}

/** A duration or a range; undefined where the text is neither, or the range runs backwards. */
export function parseDurationRange(text: string): DurationRange | undefined {
  const dots = text.indexOf('..');
  const least = parseDuration(dots < 0 ? text : text.slice(0, dots));
  const most = dots < 0 ? least : parseDuration(text.slice(dots + 2));
  return least === undefined || most === undefined || most < least ? undefined : { least, most };
}

/** The shortest exact form: `2s`, `90s`, `1500ms`. */
export function formatDuration(ms: number): string {
  if (ms >= 1000 && ms % 1000 === 0) return `${ms / 1000}s`;
  return `${ms}ms`;
}
