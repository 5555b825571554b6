// The format of scenario files. `make-scenario.ts` makes scenarios of them.
import { z } from 'zod';
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { eventTypes } from '../events/catalogue.ts';
import { transcriptLine } from '../lifecycles/call.ts';
import type { TranscriptLine } from '../model.ts';
import { type LocatedFile, readYamlFile } from '../yaml-with-locations.ts';

const duration = z.string().refine((text) => text.startsWith('$') || parseDurationRange(text) !== undefined, {
  error: `must be ${durationForm}, a range such as 2s..4s, or the name of a parameter such as $ring`,
});

const step = z.strictObject({
  after: duration,
  trigger: z.string(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).default({}),
});
export type TimelineStep = z.infer<typeof step>;

/** One of several timelines, drawn by weight; a branch is the last entry of its timeline. */
export interface TimelineBranch {
  readonly branch: readonly { readonly weight: number; readonly timeline: readonly TimelineEntry[] }[];
}
export type TimelineEntry = TimelineStep | TimelineBranch;

const entry: z.ZodType<TimelineEntry> = z.lazy(() =>
  z.union([step, z.strictObject({ branch: z.array(option).min(2) })], {
    error: 'must be a step (after, trigger, with) or a branch of two or more options (weight, timeline)',
  }),
);
const option = z.strictObject({ weight: z.number().positive(), timeline: z.array(entry) });

const code = z.enum(synchronousCodes);

const refusal = z.strictObject({
  code,
  /** How often it applies before the next entry or the timeline does; without it, always. */
  times: z.int().positive().optional(),
  fields: z.record(z.string(), z.string()).optional(),
});
export type Refusal = z.infer<typeof refusal>;

const expectation = z.strictObject({
  /** Responses before the one that starts the scenario. */
  refused: z.array(z.strictObject({ status: z.int(), code })).optional(),
  /** The statuses of the record, in order. */
  statuses: z.array(z.string()).optional(),
  events: z.array(z.enum(eventTypes)).optional(),
  /** Fields of the record at the end. */
  record: z.record(z.string(), z.unknown()).optional(),
});

export type Expectation = z.output<typeof expectation>;

/** The format of a scenario file. */
export const scenarioFile = z.strictObject({
  kind: z.string(),
  summary: z.string().min(1),
  extends: z.string().optional(),
  default: z.boolean().default(false),
  numbers: z.array(z.string().regex(/^\d\d$/, { error: 'must be two digits in quotes, such as "03"' })).default([]),
  parameters: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.string()).default({}),
  refuse: z.array(refusal).min(1).optional(),
  timeline: z.array(entry).optional(),
  transcript: z.array(transcriptLine).optional(),
  expect: expectation.optional(),
});

/** What one file says, without the scenario that it extends. */
export type ScenarioData = z.output<typeof scenarioFile>;

export interface Scenario extends Omit<ScenarioData, 'extends' | 'timeline' | 'refuse' | 'transcript'> {
  readonly name: string;
  readonly timeline: readonly TimelineEntry[];
  readonly refuse: readonly Refusal[];
  readonly transcript: readonly TranscriptLine[];
  /** Whether it is part of the package, and so does not change while the server runs. */
  readonly bundled: boolean;
  /** The text of its file. */
  readonly source: string;
}

export const scenarioName = /^[a-z][a-z0-9_-]{0,63}$/;

export type ScenarioFile = LocatedFile<ScenarioData>;

/** Reads a scenario file from YAML or JSON, which may have faults. Throws FileProblem if it is neither. */
export function readScenarioFile(fileName: string, source: string): ScenarioFile {
  return readYamlFile(fileName, source, scenarioFile);
}

/** The `with` of a step, with every `$name` replaced by the parameter's value. */
export function fill(
  values: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, unknown>> {
  let filled: Record<string, unknown> | undefined;
  for (const key in values) {
    const value = values[key];
    if (typeof value !== 'string' || !value.startsWith('$')) continue;
    filled ??= { ...values };
    filled[key] = parameters[value.slice(1)];
  }
  return filled ?? values;
}
