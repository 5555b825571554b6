// Computes what a scenario's steps make of a record, without a world: the steps are played on the lifecycle's sample
// records, each as fast and as slow as possible, at two instants. What differs between these plays is not decided by
// the scenario.
import { isDeepStrictEqual } from 'node:util';
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import type { DurationRange } from '../clock/duration.ts';
import type { NamedLifecycle } from '../lifecycles/lifecycle.ts';

/** A step with its parameters filled in. */
export interface PlayedStep {
  readonly trigger: string;
  /** More than one where the request decides; at least one. */
  readonly inputs: readonly unknown[];
  readonly after: DurationRange;
  /** How messages name it. */
  readonly cause: string;
}

export interface Played {
  /** By assumptions that change what is shown, the record at the end of each play. */
  readonly shown: readonly (readonly Readonly<Record<string, unknown>>[])[];
  /** The step that set a field last. */
  readonly causes: ReadonlyMap<string, string>;
}

/** Assumptions under which the same record is shown differently. */
const worldsThatDiffer: readonly AssumptionValues[] = [
  {},
  { unanswered_duration: 'null', disconnection_reason: 'null', call_started_at: 'answered' },
];

const paces = [
  { pace: 'min', start: Date.UTC(2026, 0, 5) },
  { pace: 'max', start: Date.UTC(2027, 5, 6, 7, 8, 9) },
] as const;

/** Plays steps that the lifecycle allows. */
export function play(lifecycle: NamedLifecycle, steps: readonly PlayedStep[]): Played {
  const causes = new Map<string, string>();
  const { samples = () => [] } = lifecycle;
  const inputs = Math.max(1, ...steps.map((step) => step.inputs.length));
  const records = paces.flatMap(({ pace, start }) =>
    samples(timestamp(start)).flatMap((sample) =>
      Array.from({ length: inputs }, (_, nth) => playOn(lifecycle, steps, { sample, start, pace, nth }, causes)),
    ),
  );
  return {
    shown: worldsThatDiffer.map((world) => records.map((record) => serializeFor(world, lifecycle, record))),
    causes,
  };
}

interface OnePlay {
  readonly sample: object;
  readonly start: number;
  readonly pace: keyof DurationRange;
  /** Which of its inputs each step has. */
  readonly nth: number;
}

function playOn(
  lifecycle: NamedLifecycle,
  steps: readonly PlayedStep[],
  { sample, start, pace, nth }: OnePlay,
  causes: Map<string, string>,
): object {
  let status = lifecycle.playedFrom ?? lifecycle.initial;
  let record = lifecycle.withStatus(ownOf(sample), ownOf(status));
  let at = start;
  for (const { trigger, inputs, after, cause } of steps) {
    const transition = lifecycle.transitions[status]?.[trigger];
    if (!transition) continue;
    at = Math.min(LATEST_INSTANT, at + after[pace]);
    const context = { at, time: timestamp(at), input: inputs[nth % inputs.length], assumptions: {} };
    const changes = { ...transition.fields, ...transition.set?.(ownOf(record), ownOf(context)) };
    const before = serializeFor({}, lifecycle, record);
    status = transition.to;
    record = lifecycle.withStatus(ownOf({ ...record, ...changes }), ownOf(status));
    for (const [name, value] of Object.entries(serializeFor({}, lifecycle, record))) {
      if (!isDeepStrictEqual(value, before[name])) causes.set(name, cause);
    }
  }
  return record;
}

function serializeFor(
  world: AssumptionValues,
  { serialize }: NamedLifecycle,
  record: object,
): Readonly<Record<string, unknown>> {
  return { ...(serialize?.(world, ownOf(record)) ?? record) };
}

/** A record, status or context of a lifecycle that was found by its name, as its functions take it. */
function ownOf(value: unknown): never {
  // The type of such a lifecycle cannot express that these are its own.
  return value as never;
}
