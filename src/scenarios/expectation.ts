// Checks whether what a scenario expects can happen: its refusals, the statuses and events of one of the ways through
// its timeline, and the record at its end. The tests also play the bundled scenarios.
import { errors } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Parts } from '../errors/valid-parts.ts';
import type { NamedLifecycle } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import { checkRecordFields } from './expected-record.ts';
import { checkRecordValues } from './expected-values.ts';
import type { Expectation, Refusal, Scenario } from './scenario.ts';
import { type Happening, type Way, waysOf } from './ways.ts';

/** What happens, as far as it decides what can be expected. */
type Script = Pick<Scenario, 'refuse' | 'timeline' | 'parameters'>;

/**
 * Reports what is expected and cannot happen. The timeline must be valid; without a script, only what no scenario of that
 * kind leads to is reported.
 */
export function checkExpectation(
  expected: Parts<Expectation>,
  script: Script | undefined,
  lifecycle: NamedLifecycle,
  report: Report,
): void {
  const areKnown = checkStatusNames(expected.statuses ?? [], lifecycle, report);
  const possible = expected.record && checkRecordFields(expected.record, lifecycle, report);
  if (!script) return;
  const { refuse } = script;
  checkRefused(expected, refuse, ['expect'], report);
  if (refuse.some(({ times }) => times === undefined)) {
    for (const field of ['statuses', 'events', 'record'] as const) {
      if (expected[field] !== undefined) report(['expect', field], 'cannot happen: every request is refused');
    }
    return;
  }
  const [statuses, events] = [complete(expected.statuses), complete(expected.events)];
  if (!areKnown || (expected.statuses && !statuses)) return;
  const ways = waysOf(lifecycle, script);
  const fitting = statuses ? fittingWays(statuses, ways, (way) => way.statuses, ['expect', 'statuses'], report) : ways;
  if (fitting.length === 0) return;
  if (events) fittingWays(events, fitting, (way) => way.events, ['expect', 'events'], report);
  if (possible) checkRecordValues(possible, fitting, lifecycle, report);
}

/** A list of which every item is known. */
function complete<Item>(items: readonly (Item | undefined)[] | undefined): readonly Item[] | undefined {
  const known = items?.filter((item) => item !== undefined);
  return known?.length === items?.length ? known : undefined;
}

/** Returns whether the lifecycle has all of these statuses. */
function checkStatusNames(
  statuses: readonly (string | undefined)[],
  { kind, transitions }: NamedLifecycle,
  report: Report,
): boolean {
  const known = Object.keys(transitions);
  const unknown = [...statuses.entries()].filter(([, status]) => status !== undefined && !known.includes(status));
  for (const [index, status = ''] of unknown) {
    const allowed = `allowed: ${known.join(', ')}${didYouMean(status, known)}`;
    report(['expect', 'statuses', index], `"${status}" is not a status of ${kind}; ${allowed}`);
  }
  return unknown.length === 0;
}

function checkRefused(
  { refused, statuses }: Parts<Expectation>,
  refuse: readonly Refusal[],
  path: Path,
  report: Report,
): void {
  const scripted = refuse.flatMap(({ code, times = 1 }) =>
    new Array<Refusal['code']>(Math.min(times, 1000)).fill(code),
  );
  const always = refuse.find(({ times }) => times === undefined)?.code;
  for (const [index, { code, status } = {}] of (refused ?? []).entries()) {
    const next = scripted[index] ?? always;
    const here = [...path, 'refused', index];
    if (next === undefined) report(here, `cannot happen: ${counted(scripted.length, 'request')} refused`);
    else if (code !== undefined && code !== next)
      report([...here, 'code'], `"${code}" differs: request ${index + 1} is refused with ${next}`);
    else if (status !== undefined && status !== errors[next].status)
      report([...here, 'status'], `must be ${errors[next].status}, the status of ${next}`);
  }
  const starts = always === undefined && (refused !== undefined || statuses !== undefined);
  if (starts && (refused?.length ?? 0) < scripted.length) {
    report(
      [...path, 'refused'],
      `must list every refusal: ${counted(scripted.length, 'request')} refused before the timeline starts`,
    );
  }
}

/** The ways in which these happen, in this order. If there is none, reports where the nearest one differs. */
function fittingWays<Name extends string>(
  expected: readonly Name[],
  ways: readonly Way[],
  happeningsOf: (way: Way) => readonly Happening<Name>[],
  path: Path,
  report: Report,
): readonly Way[] {
  const fitting = ways.filter((way) => differenceAt(expected, happeningsOf(way)) === undefined);
  if (fitting.length === 0) reportNearest(expected, ways.map(happeningsOf), path, report);
  return fitting;
}

/** The first position at which a way differs; undefined if it fits. */
function differenceAt<Name extends string>(
  expected: readonly Name[],
  way: readonly Happening<Name>[],
): number | undefined {
  const length = Math.max(expected.length, way.length);
  for (let index = 0; index < length; index++) if (expected[index] !== way[index]?.name) return index;
  return undefined;
}

function reportNearest<Name extends string>(
  expected: readonly Name[],
  ways: readonly (readonly Happening<Name>[])[],
  path: Path,
  report: Report,
): void {
  const differences = ways.map((way) => ({ way, at: differenceAt(expected, way) ?? expected.length }));
  const nearest = differences.reduce(
    (best, each) => (each.at > best.at ? each : best),
    differences[0] ?? { way: [], at: 0 },
  );
  const { name, cause } = nearest.way[nearest.at] ?? {};
  const given = expected[nearest.at];
  const happens = name === undefined ? 'the timeline has ended' : `${cause} leads to ${name}`;
  if (given === undefined) report(path, `must not end after ${expected.length}: ${happens}`);
  else report([...path, nearest.at], `"${given}" cannot happen here: ${happens}`);
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? ' is' : 's are'}`;
