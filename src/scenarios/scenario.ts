// The format of scenario files and the checks at loading: existing kind and triggers, only transitions that the lifecycle
// allows, declared parameters. Problems name file and line.
import { z } from 'zod';
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { parseWith } from '../errors/schema-errors.ts';
import { eventTypes } from '../events/catalogue.ts';
import { transcriptLine } from '../lifecycles/call.ts';
import { lifecycleOfKind, scenarioKinds } from '../lifecycles/index.ts';
import { inputForm, type NamedLifecycle, statusAfter } from '../lifecycles/lifecycle.ts';
import type { TranscriptLine } from '../model.ts';
import { FileProblem, type LocatedFile, type Path, readYamlFile } from '../yaml-with-locations.ts';

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

export interface Scenario
  extends Omit<z.output<typeof scenarioFile>, 'extends' | 'timeline' | 'refuse' | 'transcript'> {
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

/** The content of one file, without the scenario that it extends. */
export type ScenarioFile = LocatedFile<z.output<typeof scenarioFile>>;

/** Reads a scenario file from YAML or JSON. Throws FileProblem. */
export function readScenarioFile(fileName: string, source: string): ScenarioFile {
  return readYamlFile(fileName, source, scenarioFile);
}

/**
 * Makes a scenario from a file. `read` reads the text (see `readScenarioFile`), `base` finds the scenario that it
 * extends. Throws FileProblem.
 */
export function makeScenario(
  name: string,
  fileName: string,
  source: string,
  read: (fileName: string, source: string) => ScenarioFile,
  base: (name: string) => Scenario | undefined,
): Scenario {
  if (!scenarioName.test(name)) {
    throw new FileProblem(
      fileName,
      1,
      '',
      `"${name}" is not a valid scenario name; it must match ${scenarioName.source}`,
    );
  }
  const { data: own, problem } = read(fileName, source);
  const parent = own.extends === undefined ? undefined : base(own.extends);
  if (own.extends !== undefined && !parent) throw problem(['extends'], `the scenario "${own.extends}" does not exist`);
  if (parent && parent.kind !== own.kind)
    throw problem(['kind'], `must be ${parent.kind}, the kind of "${parent.name}"`);
  const scenario: Scenario = {
    ...own,
    name,
    bundled: false,
    source,
    parameters: { ...parent?.parameters, ...own.parameters },
    timeline: own.timeline ?? parent?.timeline ?? [],
    refuse: own.refuse ?? parent?.refuse ?? [],
    transcript: own.transcript ?? parent?.transcript ?? [],
    expect: own.expect ?? parent?.expect,
  };
  const lifecycle = lifecycleOfKind(own.kind);
  if (!lifecycle) {
    throw problem(
      ['kind'],
      `"${own.kind}" is not a kind; allowed: ${scenarioKinds.join(', ')}${didYouMean(own.kind, scenarioKinds)}`,
    );
  }
  checkTimeline(
    scenario,
    lifecycle,
    scenario.timeline,
    lifecycle.playedFrom ?? lifecycle.initial,
    ['timeline'],
    problem,
  );
  checkStatuses(own.expect?.statuses ?? [], lifecycle, problem);
  checkRefusals(scenario.refuse, problem);
  return scenario;
}

type Problem = (path: Path, reason: string) => FileProblem;

/** A refusal without `times` always applies, so none can follow it. */
function checkRefusals(refusals: readonly Refusal[], problem: Problem): void {
  const lasting = refusals.findIndex(({ times }) => times === undefined);
  if (lasting >= 0 && lasting < refusals.length - 1) {
    throw problem(['refuse', lasting, 'times'], 'is required: only the last refusal can be without it');
  }
}

/** Follows the timeline through the lifecycle: each trigger must be allowed in the status before it. */
function checkTimeline(
  scenario: Scenario,
  lifecycle: NamedLifecycle,
  timeline: readonly TimelineEntry[],
  from: string,
  path: Path,
  problem: Problem,
): void {
  let state = from;
  for (const [index, item] of timeline.entries()) {
    const here = [...path, index];
    if ('branch' in item) {
      if (index < timeline.length - 1) throw problem(here, 'a branch must be the last entry of its timeline');
      for (const [n, { timeline: next }] of item.branch.entries()) {
        checkTimeline(scenario, lifecycle, next, state, [...here, 'branch', n, 'timeline'], problem);
      }
      return;
    }
    const triggers = Object.keys(lifecycle.inputs);
    const schema = inputForm(lifecycle, item.trigger);
    if (!schema) {
      throw problem(
        [...here, 'trigger'],
        `"${item.trigger}" is not a trigger of ${lifecycle.kind}; allowed: ${triggers.join(', ')}${didYouMean(item.trigger, triggers)}`,
      );
    }
    const next = statusAfter(lifecycle, state, item.trigger);
    if (next === undefined) {
      const possible = triggers.filter((trigger) => statusAfter(lifecycle, state, trigger) !== undefined);
      const reason = possible.length > 0 ? `allowed: ${possible.join(', ')}` : 'no trigger follows it';
      throw problem([...here, 'trigger'], `${item.trigger} is not possible in the status ${state}; ${reason}`);
    }
    checkParameters(scenario, item, here, problem);
    parseWith(schema, fill(item.with, scenario.parameters), ([{ path, reason }]) =>
      problem([...here, 'with', ...path], reason),
    );
    state = next;
  }
}

/** Checks the expected statuses here, because only tests play a scenario and compare them. */
function checkStatuses(expected: readonly string[], lifecycle: NamedLifecycle, problem: Problem): void {
  const statuses = Object.keys(lifecycle.transitions);
  for (const [index, status] of expected.entries()) {
    if (statuses.includes(status)) continue;
    const reason = `"${status}" is not a status of ${lifecycle.kind}; allowed: ${statuses.join(', ')}${didYouMean(status, statuses)}`;
    throw problem(['expect', 'statuses', index], reason);
  }
}

function checkParameters({ parameters }: Scenario, item: TimelineStep, here: Path, problem: Problem): void {
  const isDeclared = (text: string): boolean => Object.hasOwn(parameters, text.slice(1));
  const undeclared = (text: string): string => {
    const declared = Object.keys(parameters).map((name) => `$${name}`);
    return `${text} is not a parameter; ${declared.length > 0 ? `allowed: ${declared.join(', ')}` : 'the scenario has none'}`;
  };
  if (item.after.startsWith('$')) {
    if (!isDeclared(item.after)) throw problem([...here, 'after'], undeclared(item.after));
    const value = parameters[item.after.slice(1)] ?? '';
    if (!parseDurationRange(value))
      throw problem([...here, 'after'], `${item.after} is "${value}", not ${durationForm}`);
  }
  for (const [key, value] of Object.entries(item.with)) {
    if (typeof value === 'string' && value.startsWith('$') && !isDeclared(value)) {
      throw problem([...here, 'with', key], undeclared(value));
    }
  }
}

/** The `with` of a step, with every `$name` replaced by the parameter's value. */
export function fill(
  values: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
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
