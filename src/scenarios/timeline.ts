// From a scenario's timeline to scheduled tasks. Ranges and branches are drawn from the seed, the record and the
// position in the timeline, never from a running generator.
import { LATEST_INSTANT } from '../clock/clock.ts';
import { type DurationRange, parseDurationRange } from '../clock/duration.ts';
import { fraction, integer } from '../identity/seeded.ts';
import type { Fire } from '../lifecycles/tasks.ts';
import type { LifecycleTable } from '../lifecycles/triggers.ts';
import type { Subject } from '../model.ts';
import { fill, type Scenario, type TimelineBranch, type TimelineEntry } from './scenario.ts';

/** The ranges of each scenario, so that a timeline is parsed once and not for every record that plays it. */
const parsed = new WeakMap<Scenario, Map<string, DurationRange>>();

/**
 * The tasks of a scenario for one record from an instant on (in milliseconds). `given` are parameters of the request;
 * `dice` is what chance is drawn from: the seed, the world, and the record's kind and ordinal.
 */
export function timelineTasks(
  scenario: Scenario,
  given: Readonly<Record<string, string>>,
  subject: Subject<LifecycleTable>,
  from: number,
  dice: string,
): { readonly task: Fire; readonly at: number }[] {
  const parameters = { ...scenario.parameters, ...given };
  const tasks: { task: Fire; at: number }[] = [];
  let at = from;
  let position = 0;
  const follow = (timeline: readonly TimelineEntry[]): void => {
    for (const entry of timeline) {
      position += 1;
      if ('branch' in entry) return follow(drawBranch(entry, dice, position));
      const after = entry.after.startsWith('$') ? (parameters[entry.after.slice(1)] ?? '') : entry.after;
      at = Math.min(LATEST_INSTANT, at + drawDuration(rangeOf(scenario, after, given), dice, position));
      const task = { type: 'fire', subject, trigger: entry.trigger, input: fill(entry.with, parameters) };
      // A scenario that is loaded names only triggers of its kind, each with the input that it takes: `makeScenario`.
      tasks.push({ task: task as Fire, at });
    }
  };
  follow(scenario.timeline);
  return tasks;
}

/** Parameters of requests are not kept: there is no limit to them. */
function rangeOf(scenario: Scenario, text: string, given: Readonly<Record<string, string>>): DurationRange {
  let ranges = parsed.get(scenario);
  if (!ranges) {
    ranges = new Map();
    parsed.set(scenario, ranges);
  }
  const found = ranges.get(text);
  if (found) return found;
  const range = parseDurationRange(text);
  if (!range) throw new Error(`"${text}" is not a duration; it should have been refused with its scenario`);
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
