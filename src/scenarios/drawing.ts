// A scenario as data to draw: the statuses that its steps lead to and the events that they emit, before any record
// plays it.
import type { EventType } from '../events/catalogue.ts';
import { lifecycleOfKind } from '../lifecycles/index.ts';
import { eventsOf, type NamedLifecycle, statusAfter } from '../lifecycles/lifecycle.ts';
import type { Scenario, TimelineEntry } from './scenario.ts';

/** A step with what it leads to, or a branch. */
export type DrawnEntry =
  | { readonly after: string; readonly trigger: string; readonly to: string; readonly events: readonly EventType[] }
  | { readonly branch: readonly { readonly weight: number; readonly timeline: readonly DrawnEntry[] }[] };

export interface Drawing {
  /** The status before the timeline, and the events of the creation. */
  readonly begins: { readonly status: string; readonly events: readonly EventType[] };
  readonly timeline: readonly DrawnEntry[];
  readonly choices: Readonly<Record<string, readonly DrawnEntry[]>>;
}

/** A scenario that has been checked; ranges and parameters stay as they are written. */
export function drawingOf({ kind, timeline, choices = {} }: Scenario): Drawing {
  const lifecycle = lifecycleOfKind(kind);
  if (!lifecycle) throw new Error(`the kind ${kind} should have been refused with its scenario`);
  const status = lifecycle.playedFrom ?? lifecycle.initial;
  const { created } = lifecycle;
  const events: readonly EventType[] = Array.isArray(created) && status === lifecycle.initial ? created : [];
  return {
    begins: { status, events },
    timeline: drawn(lifecycle, timeline, status),
    choices: Object.fromEntries(
      Object.entries(choices).map(([name, entries]) => [
        name,
        drawn(lifecycle, entries, firstStatus(lifecycle, entries)),
      ]),
    ),
  };
}

function drawn(lifecycle: NamedLifecycle, timeline: readonly TimelineEntry[], from: string): DrawnEntry[] {
  let status = from;
  return timeline.map((entry) => {
    if ('branch' in entry) {
      const options = entry.branch.map(({ weight, timeline: inner }) => ({
        weight,
        timeline: drawn(lifecycle, inner, status),
      }));
      return { branch: options };
    }
    const { after, trigger } = entry;
    const transition = lifecycle.transitions[status]?.[trigger];
    status = transition?.to ?? status;
    return { after, trigger, to: status, events: transition ? eventsOf(transition, {}) : [] };
  });
}

/** The first status that allows the first step. */
function firstStatus(lifecycle: NamedLifecycle, [first]: readonly TimelineEntry[]): string {
  const allows = (status: string): boolean =>
    first !== undefined && 'trigger' in first && statusAfter(lifecycle, status, first.trigger) !== undefined;
  return Object.keys(lifecycle.transitions).find(allows) ?? lifecycle.initial;
}
