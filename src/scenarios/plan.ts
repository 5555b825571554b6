// From a scenario's timeline to rows of the agenda. Ranges and branches are drawn from the seed, the record and the
// position in the timeline, never from a running generator.
import { LATEST_INSTANT } from '../clock/clock.ts';
import { type DurationRange, parseDurationRange } from '../clock/duration.ts';
import { fraction, integer } from '../identity/seeded.ts';
import type { ScheduledTask, Subject } from '../model.ts';
import { fill, type Scenario, type TimelineBranch, type TimelineEntry } from './scenario.ts';

/** Ranges as scenarios write them, so that a timeline is read once and not for every record that lives by it. */
const known = new WeakMap<Scenario, Map<string, DurationRange>>();

/** `dice` is the name of what chance is drawn from: of the seed, the world, and the record's kind and ordinal. */
export function plan(
  scenario: Scenario,
  given: Readonly<Record<string, string>>,
  subject: Subject,
  at: number,
  dice: string,
  cause: string | null,
): Omit<ScheduledTask, 'order'>[] {
  const parameters = { ...scenario.parameters, ...given };
  const rows: Omit<ScheduledTask, 'order'>[] = [];
  let instant = at;
  let position = 0;
  const follow = (timeline: readonly TimelineEntry[]): void => {
    for (const entry of timeline) {
      position += 1;
      if ('branch' in entry) return follow(drawBranch(entry, dice, position));
      const after = entry.after.startsWith('$') ? (parameters[entry.after.slice(1)] as string) : entry.after;
      instant = Math.min(LATEST_INSTANT, instant + drawDuration(rangeOf(scenario, after, given), dice, position));
      rows.push({ at: instant, subject, trigger: entry.trigger, with: fill(entry.with, parameters), cause });
    }
  };
  follow(scenario.timeline);
  return rows;
}

/** What a request has given is not remembered: there is no end to it. */
function rangeOf(scenario: Scenario, text: string, given: Readonly<Record<string, string>>): DurationRange {
  let ranges = known.get(scenario);
  if (!ranges) {
    ranges = new Map();
    known.set(scenario, ranges);
  }
  const found = ranges.get(text);
  if (found) return found;
  const range = parseDurationRange(text) as DurationRange;
  if (!Object.values(given).includes(text)) ranges.set(text, range);
  return range;
}

function drawDuration({ least, most }: DurationRange, dice: string, position: number): number {
  return least === most ? least : integer(least, most, dice, 'after', position);
}

function drawBranch({ branch }: TimelineBranch, dice: string, position: number): readonly TimelineEntry[] {
  const total = branch.reduce((sum, { weight }) => sum + weight, 0);
  let mark = fraction(dice, 'branch', position) * total;
  for (const way of branch) {
    mark -= way.weight;
    if (mark < 0) return way.timeline;
  }
  return branch[branch.length - 1]?.timeline ?? [];
}
