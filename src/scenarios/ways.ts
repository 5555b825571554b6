// The ways that a scenario's timeline can take, one for each choice among its branches: what happens to the record in each.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import type { EventType } from '../events/catalogue.ts';
import { eventsOf, type NamedLifecycle, type NamedTransition } from '../lifecycles/lifecycle.ts';
import type { TimelineEntry } from './scenario.ts';

/** Values of assumptions under which the same timeline emits its events differently. */
const worldsThatDiffer: readonly AssumptionValues[] = [{}, { event_order: 'disposition_first' }];

/** A status, an event or the value of a field, and the step that leads to it. */
export interface Happening<Name> {
  readonly name: Name;
  readonly cause: string;
}

/** One of the ways that a timeline can take. */
export interface Way {
  readonly statuses: readonly Happening<string>[];
  readonly events: readonly Happening<EventType>[];
  /** The fields of the record that its steps set to a constant. */
  readonly fields: ReadonlyMap<string, Happening<unknown>>;
}

/** Every way that a timeline can take. */
export function waysOf(lifecycle: NamedLifecycle, timeline: readonly TimelineEntry[]): readonly Way[] {
  return worldsThatDiffer.flatMap((assumptions) => waysUnder(assumptions, lifecycle, timeline));
}

function waysUnder(
  assumptions: AssumptionValues,
  lifecycle: NamedLifecycle,
  timeline: readonly TimelineEntry[],
): Way[] {
  const { created, initial, playedFrom = initial } = lifecycle;
  // A function decides by the record, and emits nothing for one that plays a scenario.
  const first = Array.isArray(created) && playedFrom === initial ? created : [];
  const cause = 'the request';
  const start: Way = {
    statuses: [{ name: playedFrom, cause }],
    events: first.map((name: EventType) => ({ name, cause })),
    fields: new Map(),
  };
  return continued(start, timeline, 1);

  function continued(way: Way, entries: readonly TimelineEntry[], number: number): Way[] {
    const [entry, ...rest] = entries;
    if (!entry) return [way];
    if ('branch' in entry) return entry.branch.flatMap((option) => continued(way, option.timeline, number));
    const transition = transitionFrom(lifecycle, way, entry.trigger);
    return transition ? continued(after(way, transition, `step ${number} (${entry.trigger})`), rest, number + 1) : [];
  }

  function after({ statuses, events, fields }: Way, transition: NamedTransition, cause: string): Way {
    const changes = transition.to !== statuses.at(-1)?.name;
    const set = Object.entries(transition.fields ?? {}).map(([name, value]) => [name, { name: value, cause }] as const);
    return {
      statuses: changes ? [...statuses, { name: transition.to, cause }] : statuses,
      events: [...events, ...eventsOf(transition, assumptions).map((name) => ({ name, cause }))],
      fields: new Map([...fields, ...set]),
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
