// Answers of the routes of scenarios and of active scenarios.
import { z } from 'zod';
import { synchronousCodes } from '../../errors/catalogue.ts';
import type { scenarioFile } from '../../scenarios/scenario.ts';
import { resource } from './fields.ts';

/** A file has steps and branches; without a union, every generator makes a class of an entry that people can use. */
export const TimelineEntry = z
  .strictObject({
    after: z.string().optional().describe('A step: how long after the one before, such as `2s`, `2s..4s` or `$ring`.'),
    trigger: z.string().optional().describe('A step: the trigger that it fires.'),
    with: z.record(z.string(), z.unknown()).optional().describe("A step: the trigger's input."),
    get branch() {
      return z.array(TimelineBranch).optional().describe('A branch: its timelines, one of which is drawn by weight.');
    },
  })
  .describe('A step of a timeline (`after`, `trigger`, `with`), or a branch (`branch`), which ends it.');

export const TimelineBranch = z
  .strictObject({
    weight: z.number().describe('How likely it is, relative to the others.'),
    get timeline() {
      return z.array(TimelineEntry).describe('What happens.');
    },
  })
  .describe('One of the timelines of a branch.');

export const RefusalCode = z.enum(synchronousCodes).describe('The codes that a response of the platform can have.');

export const Refusal = z
  .strictObject({
    code: RefusalCode.describe('The code of the error.'),
    times: z.int().min(1).optional().describe('How often it applies before what follows does; without it, always.'),
    fields: z.record(z.string(), z.string()).optional().describe('The `fields` of the error.'),
  })
  .describe('An error response that the scenario gives instead of running the operation.');

export const TranscriptLine = z
  .strictObject({
    role: z.enum(['agent', 'user']).describe('Who speaks.'),
    text: z.string().describe('What is said; `{greeting}` and `{business_name}` are the values of the agent.'),
    interrupted: z.boolean().describe('Whether the other side cut it short.'),
  })
  .describe('A line spoken on a call.');

export const ExpectedRefusal = z
  .strictObject({
    status: z.int().describe('The HTTP status.'),
    code: RefusalCode.describe('The code of the error.'),
  })
  .describe('A refusal that a scenario expects of itself.');

export const Expectation = z
  .strictObject({
    refused: z.array(ExpectedRefusal).optional().describe('The refusals before the request that starts it.'),
    statuses: z.array(z.string()).optional().describe('The statuses of the record, in order.'),
    events: z.array(resource('EventType')).optional().describe('The events, in order.'),
    record: z.record(z.string(), z.unknown()).optional().describe('Fields of the record at the end.'),
  })
  .describe('What a scenario says that happens.');

const choices = z
  .record(z.string(), z.array(TimelineEntry))
  .describe('What a person who watches can choose, by name: what happens then, in place of the rest.');
const parameters = z.record(z.string(), z.string()).describe('Its parameters with their defaults, such as `ring: 2s`.');
const numbers = z.array(z.string()).describe('The last two digits of its magic numbers, such as `03`.');

/** As `TimelineEntry`: without a union, for generators. */
export const DrawnEntry = z
  .strictObject({
    after: z.string().optional().describe('A step: how long after the one before.'),
    trigger: z.string().optional().describe('A step: the trigger that it fires.'),
    to: z.string().optional().describe('A step: the status that it leads to.'),
    events: z.array(resource('EventType')).optional().describe('A step: the events that it emits, in order.'),
    get branch() {
      return z.array(DrawnBranch).optional().describe('A branch: its timelines, one of which is drawn by weight.');
    },
  })
  .describe('A step of a timeline with what follows from it, or a branch.');

export const DrawnBranch = z
  .strictObject({
    weight: z.number().describe('How likely it is, relative to the others.'),
    get timeline() {
      return z.array(DrawnEntry).describe('What happens.');
    },
  })
  .describe('One of the timelines of a branch.');

export const ScenarioDrawing = z
  .strictObject({
    begins: z
      .strictObject({
        status: z.string().describe('The status before the first step.'),
        events: z.array(resource('EventType')).describe('The events when the record is made.'),
      })
      .describe('Where its timeline begins.'),
    timeline: z.array(DrawnEntry).describe('Its steps, in order.'),
    choices: z.record(z.string(), z.array(DrawnEntry)).describe('What can be chosen, by name.'),
  })
  .describe('What the steps of a scenario lead to.');

export const Scenario = z
  .strictObject({
    name: z.string().describe('Its name, which is that of its file.'),
    origin: z
      .enum(['bundled', 'folder', 'world'])
      .describe('Where it comes from: the package, --scenarios or the world.'),
    error: z.string().nullable().describe('Why the last edit of its file was not accepted.'),
    kind: z.string().optional().describe('What it applies to, such as `call`.'),
    summary: z.string().optional().describe('What happens, in a sentence.'),
    extends: z.string().optional().describe('The scenario whose missing parts it has taken.'),
    default: z.boolean().optional().describe('Whether it is the default of its kind.'),
    numbers: numbers.optional(),
    parameters: parameters.optional(),
    refuse: z.array(Refusal).optional().describe('The refusals before its timeline, in order.'),
    timeline: z.array(TimelineEntry).optional().describe('What happens, in order.'),
    choices: choices.optional(),
    transcript: z.array(TranscriptLine).optional().describe('What is said on the call.'),
    expect: Expectation.optional().describe('What must follow from it, which is checked.'),
    source: z.string().optional().describe('The text of its file; only where one scenario is read.'),
    drawing: ScenarioDrawing.optional().describe('What its steps lead to; only where one scenario is read.'),
  })
  .describe('A scenario. One whose file was never valid has only `name`, `origin` and `error`.');

/** A scenario file as JSON; `scenarioFile` checks it. */
export const ScenarioFile = z
  .strictObject({
    kind: z.string().describe('What it applies to, such as `call`.'),
    summary: z.string().min(1).describe('What happens, in a sentence.'),
    extends: z.string().optional().describe('The scenario whose missing parts it takes.'),
    default: z.boolean().optional().describe('Whether it becomes the default of its kind.'),
    numbers: numbers.optional(),
    parameters: parameters.optional(),
    refuse: z.array(Refusal).optional().describe('The refusals before its timeline, in order.'),
    timeline: z.array(TimelineEntry).optional().describe('What happens, in order.'),
    choices: choices.optional(),
    transcript: z
      .array(TranscriptLine.partial({ interrupted: true }))
      .optional()
      .describe('What is said on the call.'),
    expect: Expectation.optional().describe('What must follow from it, which is checked.'),
  })
  .describe('A scenario file.') satisfies z.ZodType<z.input<typeof scenarioFile>>;

export const ScenarioFault = z
  .strictObject({
    line: z.int().describe('Counts from 1.'),
    column: z.int().describe('Counts from 1; 0 for the line as a whole.'),
    field: z.string().describe('The path of the field, such as `timeline.0.trigger`; empty for the file as a whole.'),
    reason: z.string().describe('What is wrong, and what is allowed.'),
  })
  .describe('Something that is wrong with a scenario file.');

export const ScenarioCheck = z
  .strictObject({
    faults: z.array(ScenarioFault).describe('Everything that is wrong with it, in the order of the file.'),
    scenario: Scenario.nullable().describe('The scenario that it would be; null if anything is wrong.'),
  })
  .describe('What is wrong with a scenario file, if anything.');

export const ActiveScenario = z
  .strictObject({
    kind: z.string().describe('The kind of scenario, such as `call`.'),
    use: z
      .union([z.string(), z.array(z.string())])
      .nullable()
      .describe('One scenario that stays, those left of a list, or null if none is set.'),
  })
  .describe('What a world plays for a kind unless a request names a scenario.');
