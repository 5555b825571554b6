// The ways through a scenario's timeline, one for each combination of its branches, and what happens to the record in
// each.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { parseDurationRange } from '../clock/duration.ts';
import type { EventType } from '../events/catalogue.ts';
import { eventsOf, type NamedLifecycle, type NamedTransition } from '../lifecycles/lifecycle.ts';
import type { PlayedStep } from './play.ts';
import { fill, type Scenario, type TimelineEntry } from './scenario.ts';

/** Values of assumptions under which the same timeline emits its events differently. */
const worldsThatDiffer: readonly AssumptionValues[] = [{}, { event_order: 'disposition_first' }];

/** How long what follows a timeline by itself can take. */
const anyTime = { min: 0, max: 86_400_000 };

/** A status or an event, and the step that leads to it. */
export interface Happening<Name> {
  readonly name: Name;
  readonly cause: string;
}

/** One of the ways that a timeline can take. */
export interface Way {
  readonly statuses: readonly Happening<string>[];
  readonly events: readonly Happening<EventType>[];
  readonly steps: readonly PlayedStep[];
}

/** Every way that a timeline can take, with and without what can follow it by itself. */
export function waysOf(
  lifecycle: NamedLifecycle,
  { timeline, parameters }: Pick<Scenario, 'timeline' | 'parameters'>,
): readonly Way[] {
  return worldsThatDiffer.flatMap((assumptions) => waysUnder(assumptions, lifecycle, timeline, parameters));
}

function waysUnder(
  assumptions: AssumptionValues,
  lifecycle: NamedLifecycle,
  timeline: readonly TimelineEntry[],
  parameters: Scenario['parameters'],
): Way[] {
  const { created, initial, playedFrom = initial, follows = [] } = lifecycle;
  // A function decides by the record, and emits nothing for one that plays a scenario.
  const first = Array.isArray(created) && playedFrom === initial ? created : [];
  const cause = 'the request';
  const start: Way = {
    statuses: [{ name: playedFrom, cause }],
    events: first.map((name: EventType) => ({ name, cause })),
    steps: [],
  };
  return continued(start, timeline, 1);

  function continued(way: Way, entries: readonly TimelineEntry[], number: number): Way[] {
    const [entry, ...rest] = entries;
    if (!entry) return [way, ...followed(way)];
    if ('branch' in entry) return entry.branch.flatMap((option) => continued(way, option.timeline, number));
    const { trigger } = entry;
    const after = entry.after.startsWith('$') ? (parameters[entry.after.slice(1)] ?? '') : entry.after;
    const step: PlayedStep = {
      trigger,
      inputs: [fill(entry.with, parameters)],
      after: parseDurationRange(after) ?? anyTime,
      cause: `step ${number} (${trigger})`,
    };
    const next = afterStep(way, step);
    return next ? continued(next, rest, number + 1) : [];
  }

  function followed(way: Way): Way[] {
    return following(way, follows).flatMap((step) => afterStep(way, step) ?? []);
  }

  function afterStep({ statuses, events, steps }: Way, step: PlayedStep): Way | undefined {
    const { trigger, cause } = step;
    const from = statuses.at(-1)?.name ?? '';
    const transition: NamedTransition | undefined = lifecycle.transitions[from]?.[trigger];
    if (!transition) return undefined;
    return {
      statuses: transition.to === from ? statuses : [...statuses, { name: transition.to, cause }],
      events: [...events, ...eventsOf(transition, assumptions).map((name) => ({ name, cause }))],
      steps: [...steps, step],
    };
  }
}

function following({ steps }: Way, follows: NonNullable<NamedLifecycle['follows']>): PlayedStep[] {
  const last = steps.at(-1)?.trigger;
  return follows
    .filter(({ after = last }) => after === last)
    .map(({ trigger, inputs }) => ({ trigger, inputs, after: anyTime, cause: 'what follows the timeline' }));
}
