// The format of scenario files. `make-scenario.ts` builds scenarios from them.
import { z } from 'zod';
import { durationForm, durationRangePattern, parseDurationRange } from '../clock/duration.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { eventTypes } from '../events/catalogue.ts';
import { transcriptLine } from '../lifecycles/call.ts';
import type { TranscriptLine } from '../model.ts';
import { type LocatedFile, readYamlFile, readYamlInPieces } from '../yaml-with-locations.ts';

const duration = z
  .string()
  .refine((text) => text.startsWith('$') || parseDurationRange(text) !== undefined, {
    error: `must be ${durationForm}, a range such as 2s..4s, or the name of a parameter such as $ring`,
  })
  .meta({
    description: 'The time since the step before, or since the start: a duration, a range, or a parameter.',
    pattern: `^\\$|^${durationRangePattern}$`,
    examples: ['2s', '2s..4s', '$ring'],
  });

const step = z.strictObject({
  after: duration,
  trigger: z.string().describe('What happens. The kind, and the status before it, decide what is allowed.'),
  with: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .default({})
    .describe('What the trigger takes, if anything. A value such as $text stands for that parameter.'),
});
export type TimelineStep = z.infer<typeof step>;

/** One of several timelines, drawn by weight; a branch is the last entry of its timeline. */
export interface TimelineBranch {
  readonly branch: readonly { readonly weight: number; readonly timeline: readonly TimelineEntry[] }[];
}
export type TimelineEntry = TimelineStep | TimelineBranch;

const entry: z.ZodType<TimelineEntry> = z.lazy(() =>
  z.union([step, branch], {
    error: 'must be a step (after, trigger, with) or a branch of two or more options (weight, timeline)',
  }),
);
const option = z.strictObject({
  weight: z.number().positive().describe('How likely it is, beside the weights of the others.'),
  timeline: z.array(entry).describe('What happens in this alternative.'),
});
const branch = z.strictObject({
  branch: z
    .array(option)
    .min(2)
    .describe('Alternatives, of which one is drawn from the seed. The last entry of its timeline.'),
});

const code = z
  .enum(synchronousCodes)
  .describe('The code of an error that a response can have; see the error reference.');

const refusal = z.strictObject({
  code,
  times: z
    .int()
    .positive()
    .optional()
    .describe('How often, before the next refusal or the timeline applies; without it, always.'),
  fields: z.record(z.string(), z.string()).optional().describe('What is added to the `fields` of the error.'),
});
export type Refusal = z.infer<typeof refusal>;

const expectation = z.strictObject({
  refused: z
    .array(z.strictObject({ status: z.int().describe('The HTTP status.'), code }))
    .optional()
    .describe('The responses before the one that starts the timeline.'),
  statuses: z.array(z.string()).optional().describe('The statuses of the record, in order.'),
  events: z.array(z.enum(eventTypes)).optional().describe('The events about the record, in order.'),
  record: z.record(z.string(), z.unknown()).optional().describe('Fields of the record at the end.'),
});

export type Expectation = z.output<typeof expectation>;

/** The format of a scenario file. */
export const scenarioFile = z.strictObject({
  kind: z.string().describe('What the scenario applies to; it decides which triggers there are.'),
  summary: z.string().min(1).describe('What happens, in one sentence, for lists.'),
  extends: z
    .string()
    .optional()
    .describe('A scenario of the same kind, whose timeline, parameters, refusals and so on this one takes over.'),
  default: z
    .boolean()
    .default(false)
    .describe('Whether it plays when no header, active scenario or number selects one of this kind.'),
  numbers: z
    .array(z.string().regex(/^\d\d$/, { error: 'must be two digits in quotes, such as "03"' }))
    .default([])
    .meta({
      description: 'The magic numbers that it claims, +1 NPA 555 01XX, each as two digits in quotes.',
      examples: [['77']],
    }),
  parameters: z
    .record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.string())
    .default({})
    .meta({
      description: 'What a reference such as busy;ring=2s can change, with the defaults.',
      examples: [{ ring: '2s..4s' }],
    }),
  refuse: z
    .array(refusal)
    .min(1)
    .optional()
    .describe('Errors with which requests are refused, before or in place of the timeline.'),
  timeline: z.array(entry).optional().describe('What happens, in order.'),
  choices: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, { error: 'must be a word such as answer or hang_up' }),
      z.array(entry).min(1, { error: 'must have a step' }),
    )
    .optional()
    .describe(
      'For calls: what a person who watches can choose while the timeline runs, by name. What is chosen replaces the rest.',
    ),
  transcript: z.array(transcriptLine).optional().describe('What is said on the call.'),
  expect: expectation
    .optional()
    .describe('What the scenario promises. A file that expects what cannot happen is refused.'),
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

/**
 * How many words, spaces, line ends and marks a file is made of at most. One that is uploaded is read in turns, which take 15
 * to 50 ms for so many; the bundled ones have 26 to 200.
 */
export const MAX_SCENARIO_SIZE = 5000;

/** Reads a scenario file from YAML or JSON, which may have faults. Throws FileProblem if it is neither. */
export function readScenarioFile(fileName: string, source: string): ScenarioFile {
  return readYamlFile(fileName, source, scenarioFile, MAX_SCENARIO_SIZE);
}

/** The same in pieces of work. */
export function readScenarioInPieces(fileName: string, source: string): Generator<void, ScenarioFile> {
  return readYamlInPieces(fileName, source, scenarioFile, MAX_SCENARIO_SIZE);
}

/** The name of the parameter that stands for a value. */
export const parameterIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('$') ? value.slice(1) : undefined;

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
