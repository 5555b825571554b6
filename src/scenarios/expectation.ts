// Whether what a scenario expects can happen: its refusals, and the statuses and events of one of the ways that its
// timeline can take. The bundled scenarios are also played by the tests.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { errors } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { EventType } from '../events/catalogue.ts';
import { eventsOf, isTerminal, type NamedLifecycle, type NamedTransition } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import type { Expectation, Refusal, Scenario, TimelineEntry } from './scenario.ts';

/** Reports what a scenario expects and cannot happen. Its timeline must be valid. */
export function checkExpectation(
  expected: Expectation,
  { refuse, timeline }: Scenario,
  lifecycle: NamedLifecycle,
  report: Report,
): void {
  const path = ['expect'];
  checkRefused(expected, refuse, path, report);
  const { statuses, events } = expected;
  if (refuse.some(({ times }) => times === undefined)) {
    for (const field of ['statuses', 'events', 'record'] as const) {
      if (expected[field] !== undefined) report([...path, field], 'cannot happen: every request is refused');
    }
    return;
  }
  const ways = worldsThatDiffer.flatMap((assumptions) => waysOf(lifecycle, timeline, assumptions));
  const fitting = statuses ? fittingStatuses(statuses, ways, lifecycle, [...path, 'statuses'], report) : ways;
  if (events && fitting.length > 0) checkEvents(events, fitting, lifecycle, [...path, 'events'], report);
}

function checkRefused(
  { refused, statuses }: Expectation,
  refuse: readonly Refusal[],
  path: Path,
  report: Report,
): void {
  const scripted = refuse.flatMap(({ code, times = 1 }) =>
    new Array<Refusal['code']>(Math.min(times, 1000)).fill(code),
  );
  const always = refuse.find(({ times }) => times === undefined)?.code;
  for (const [index, { code, status }] of (refused ?? []).entries()) {
    const next = scripted[index] ?? always;
    const here = [...path, 'refused', index];
    if (next === undefined) report(here, `cannot happen: ${counted(scripted.length, 'request')} refused`);
    else if (code !== next)
      report([...here, 'code'], `"${code}" differs: request ${index + 1} is refused with ${next}`);
    else if (status !== errors[code].status)
      report([...here, 'status'], `must be ${errors[code].status}, the status of ${code}`);
  }
  const starts = always === undefined && (refused !== undefined || statuses !== undefined);
  if (starts && (refused?.length ?? 0) < scripted.length) {
    report(
      [...path, 'refused'],
      `must list every refusal: ${counted(scripted.length, 'request')} refused before the timeline starts`,
    );
  }
}

/** Values of assumptions under which the same timeline emits its events differently. */
const worldsThatDiffer: readonly AssumptionValues[] = [{}, { event_order: 'disposition_first' }];

/** A status or an event, and the step that leads to it. */
interface Happening<Name> {
  readonly name: Name;
  readonly cause: string;
}

/** One of the ways that a timeline can take. */
interface Way {
  readonly statuses: readonly Happening<string>[];
  readonly events: readonly Happening<EventType>[];
}

function waysOf(lifecycle: NamedLifecycle, timeline: readonly TimelineEntry[], assumptions: AssumptionValues): Way[] {
  const { created, initial, playedFrom = initial } = lifecycle;
  // A function decides by the record, and emits nothing for one that plays a scenario.
  const first = Array.isArray(created) && playedFrom === initial ? created : [];
  const cause = 'the request';
  const start: Way = {
    statuses: [{ name: playedFrom, cause }],
    events: first.map((name: EventType) => ({ name, cause })),
  };
  return continued(start, timeline, 1);

  function continued(way: Way, entries: readonly TimelineEntry[], number: number): Way[] {
    const [entry, ...rest] = entries;
    if (!entry) return [way];
    if ('branch' in entry) return entry.branch.flatMap((option) => continued(way, option.timeline, number));
    const transition = transitionFrom(lifecycle, way, entry.trigger);
    return transition ? continued(after(way, transition, `step ${number} (${entry.trigger})`), rest, number + 1) : [];
  }

  function after({ statuses, events }: Way, transition: NamedTransition, cause: string): Way {
    const changes = transition.to !== statuses.at(-1)?.name;
    return {
      statuses: changes ? [...statuses, { name: transition.to, cause }] : statuses,
      events: [...events, ...eventsOf(transition, assumptions).map((name) => ({ name, cause }))],
    };
  }
}

function transitionFrom(
  { transitions }: NamedLifecycle,
  { statuses }: Way,
  trigger: string,
): NamedTransition | undefined {
  return transitions[statuses.at(-1)?.name ?? '']?.[trigger];
}

/** The ways with these statuses. If there is none, reports where the nearest one differs. */
function fittingStatuses(
  expected: readonly string[],
  ways: readonly Way[],
  lifecycle: NamedLifecycle,
  path: Path,
  report: Report,
): readonly Way[] {
  const known = Object.keys(lifecycle.transitions);
  const unknown = expected.findIndex((status) => !known.includes(status));
  if (unknown >= 0) {
    const status = expected[unknown] ?? '';
    const allowed = `allowed: ${known.join(', ')}${didYouMean(status, known)}`;
    report([...path, unknown], `"${status}" is not a status of ${lifecycle.kind}; ${allowed}`);
    return [];
  }
  // After its timeline, a record can go on by other causes: a job completes when its calls have ended.
  const canFollow = (status: string, before: string): boolean =>
    Object.values(lifecycle.transitions[before] ?? {}).some((transition) => transition?.to === status);
  const fitting = ways.filter(({ statuses }) => differenceAt(expected, statuses, canFollow) === undefined);
  if (fitting.length === 0)
    reportNearest(
      expected,
      ways.map(({ statuses }) => statuses),
      canFollow,
      path,
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
