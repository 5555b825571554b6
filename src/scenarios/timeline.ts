// Turns a scenario's timeline into scheduled tasks. Ranges and branches are drawn from the seed, the record and the
// position in the timeline, never from a stateful generator.
import { LATEST_INSTANT } from '../clock/clock.ts';
import { type DurationRange, parseDurationRange } from '../clock/duration.ts';
import { fraction, integer } from '../identity/seeded.ts';
import type { Fire } from '../lifecycles/tasks.ts';
import type { LifecycleTable } from '../lifecycles/triggers.ts';
import type { Subject } from '../model.ts';
import { fill, type Scenario, type TimelineBranch, type TimelineEntry } from './scenario.ts';

/** The parsed ranges of each scenario, so that they are not parsed for every record that plays it. */
const parsedRanges = new WeakMap<Scenario, Map<string, DurationRange>>();

/**
 * The tasks of a scenario for one record from an instant on (in milliseconds). `given` are the parameters of the request.
 * Ranges and branches are drawn from `drawKey`, which identifies the seed, the world, and the record's kind and ordinal.
 */
export function timelineTasks(
  scenario: Scenario,
  given: Readonly<Record<string, string>>,
  subject: Subject<LifecycleTable>,
  from: number,
  drawKey: string,
): { readonly task: Fire; readonly at: number }[] {
  const parameters = { ...scenario.parameters, ...given };
  const tasks: { task: Fire; at: number }[] = [];
  let at = from;
  let position = 0;
  const follow = (timeline: readonly TimelineEntry[]): void => {
    for (const entry of timeline) {
      position += 1;
      if ('branch' in entry) return follow(drawBranch(entry, drawKey, position));
      const after = entry.after.startsWith('$') ? (parameters[entry.after.slice(1)] ?? '') : entry.after;
      at = Math.min(LATEST_INSTANT, at + drawDuration(rangeOf(scenario, after, given), drawKey, position));
      const task = { type: 'fire', subject, trigger: entry.trigger, input: fill(entry.with, parameters) };
      // `makeScenario` has checked that the scenario names only triggers of its kind, each with valid input.
      tasks.push({ task: task as Fire, at });
    }
  };
  follow(scenario.timeline);
  return tasks;
}

/** Values from requests are not cached, because their number is unlimited. */
function rangeOf(scenario: Scenario, text: string, given: Readonly<Record<string, string>>): DurationRange {
  let ranges = parsedRanges.get(scenario);
  if (!ranges) {
    ranges = new Map();
    parsedRanges.set(scenario, ranges);
  }
  const found = ranges.get(text);
  if (found) return found;
  const range = parseDurationRange(text);
  if (!range) throw new Error(`"${text}" is not a duration; it should have been refused with its scenario`);
  if (!Object.values(given).includes(text)) ranges.set(text, range);
  return range;
}

function drawDuration({ min, max }: DurationRange, drawKey: string, position: number): number {
  return min === max ? min : integer(min, max, drawKey, 'after', position);
}

function drawBranch({ branch }: TimelineBranch, drawKey: string, position: number): readonly TimelineEntry[] {
  const total = branch.reduce((sum, { weight }) => sum + weight, 0);
  let remaining = fraction(drawKey, 'branch', position) * total;
  for (const option of branch) {
    remaining -= option.weight;
    if (remaining < 0) return option.timeline;
  }
  return branch[branch.length - 1]?.timeline ?? [];
}
