// Whether what a scenario expects can happen: its refusals, the statuses and events of one of the ways that its timeline
// can take, and the record at its end. The bundled scenarios are also played by the tests.
import { errors } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Parts } from '../errors/valid-parts.ts';
import type { EventType } from '../events/catalogue.ts';
import { eventsOf, isTerminal, type NamedLifecycle } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import { checkRecordFields, checkRecordValues } from './expected-record.ts';
import type { Expectation, Refusal, Scenario } from './scenario.ts';
import { type Happening, type Way, waysOf } from './ways.ts';

/** What happens, as far as it decides what can be expected. */
type Script = Pick<Scenario, 'refuse' | 'timeline'>;

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
  if (expected.record) checkRecordFields(expected.record, lifecycle, report);
  if (!script) return;
  const { refuse, timeline } = script;
  checkRefused(expected, refuse, ['expect'], report);
  if (refuse.some(({ times }) => times === undefined)) {
    for (const field of ['statuses', 'events', 'record'] as const) {
      if (expected[field] !== undefined) report(['expect', field], 'cannot happen: every request is refused');
    }
    return;
  }
  const [statuses, events] = [complete(expected.statuses), complete(expected.events)];
  if (!areKnown || (expected.statuses && !statuses)) return;
  const ways = waysOf(lifecycle, timeline);
  const fitting = statuses ? fittingStatuses(statuses, ways, lifecycle, report) : ways;
  if (fitting.length === 0) return;
  if (events) checkEvents(events, fitting, lifecycle, ['expect', 'events'], report);
  if (expected.record) checkRecordValues(expected.record, statuses, fitting, lifecycle, report);
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

/** The ways with these statuses. If there is none, reports where the nearest one differs. */
function fittingStatuses(
  expected: readonly string[],
  ways: readonly Way[],
  lifecycle: NamedLifecycle,
  report: Report,
): readonly Way[] {
  // After its timeline, a record can go on by other causes: a job completes when its calls have ended.
  const canFollow = (status: string, before: string): boolean =>
    Object.values(lifecycle.transitions[before] ?? {}).some((transition) => transition?.to === status);
  const fitting = ways.filter(({ statuses }) => differenceAt(expected, statuses, canFollow) === undefined);
  if (fitting.length === 0)
    reportNearest(
      expected,
      ways.map(({ statuses }) => statuses),
      canFollow,
      ['expect', 'statuses'],
      report,
    );
  return fitting;
}

function checkEvents(
  expected: readonly EventType[],
  ways: readonly Way[],
  lifecycle: NamedLifecycle,
  path: Path,
  report: Report,
): void {
  const rows = Object.values(lifecycle.transitions);
  const later = new Set(rows.flatMap((row) => Object.values(row).flatMap((each) => (each ? eventsOf(each, {}) : []))));
  const fits = ({ statuses, events }: Way): boolean => {
    const isOver = isTerminal(lifecycle, statuses.at(-1)?.name ?? '');
    return differenceAt(expected, events, (event) => !isOver && later.has(event)) === undefined;
  };
  if (!ways.some(fits))
    reportNearest(
      expected,
      ways.map(({ events }) => events),
      () => false,
      path,
      report,
    );
}

/** The first position at which a way differs; undefined if it fits. `canFollow` judges what comes after its end. */
function differenceAt<Name extends string>(
  expected: readonly Name[],
  way: readonly Happening<Name>[],
  canFollow: (name: Name, before: Name) => boolean,
): number | undefined {
  const at = Array.from({ length: Math.max(expected.length, way.length) }, (_, index) => index).find((index) => {
    const [name, happens, before] = [expected[index], way[index]?.name, expected[index - 1]];
    if (happens !== undefined || name === undefined) return name !== happens;
    return before === undefined || !canFollow(name, before);
  });
  return at;
}

function reportNearest<Name extends string>(
  expected: readonly Name[],
  ways: readonly (readonly Happening<Name>[])[],
  canFollow: (name: Name, before: Name) => boolean,
  path: Path,
  report: Report,
): void {
  const differences = ways.map((way) => ({ way, at: differenceAt(expected, way, canFollow) ?? expected.length }));
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
