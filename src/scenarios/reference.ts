// References to scenarios as text: `busy`, or with parameters `busy;ring=2s`. Control headers, active scenarios and the
// simulation of inbound calls share this form.
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { fieldErrorsOf } from '../errors/schema-errors.ts';
import { lifecycleOfKind } from '../lifecycles/index.ts';
import { inputForm } from '../lifecycles/lifecycle.ts';
import type { ScenarioReference } from '../model.ts';
import { ownText } from '../own-text.ts';
import { fill, parameterIn, type Scenario, type TimelineEntry, type TimelineStep } from './scenario.ts';

/** In characters. */
const MAX_VALUE_LENGTH = 200;

/** Parses the form alone; returns what is wrong with a malformed reference. */
export function parseScenarioReference(text: string): ScenarioReference | string {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim());
  if (!/^[\w.-]{1,64}$/.test(name))
    return `${quote(name)} is not a valid scenario name; write name or name;parameter=value`;
  const parameters: Record<string, string> = {};
  for (const part of rest) {
    const [, key, value] = /^([a-z][a-z0-9_]*)=(\S.*)$/.exec(part) ?? [];
    if (key === undefined || value === undefined) {
      return `${quote(part)} is not a parameter with a value; write name;parameter=value`;
    }
    const length = [...value].length;
    if (length > MAX_VALUE_LENGTH)
      return `the value of ${key} has ${length} characters; the limit is ${MAX_VALUE_LENGTH}`;
    if (Object.hasOwn(parameters, key)) return `the parameter ${key} appears more than once`;
    parameters[key] = ownText(value);
  }
  return { name: ownText(name), parameters };
}

export function formatScenarioReference({ name, parameters }: ScenarioReference): string {
  return [name, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)].join(';');
}

/** What is wrong with the parameters given to a scenario; undefined if nothing is. */
export function parameterProblem(scenario: Scenario, { parameters }: ScenarioReference): string | undefined {
  const names = Object.keys(scenario.parameters);
  for (const [key, value] of Object.entries(parameters)) {
    const defaultValue = Object.hasOwn(scenario.parameters, key) ? scenario.parameters[key] : undefined;
    if (defaultValue === undefined) {
      const allowed = names.length > 0 ? `allowed: ${names.join(', ')}` : 'it has none';
      return `${scenario.name} has no parameter ${key}; ${allowed}${didYouMean(key, names)}`;
    }
    if (parseDurationRange(defaultValue) && !parseDurationRange(value)) {
      return `${key} is "${value}"; it must be ${durationForm}, or a range such as 2s..4s`;
    }
  }
  return inputProblem(scenario, parameters);
}

/** What is wrong with a parameter as the input of a trigger. The values of the file itself have been checked. */
function inputProblem({ kind, timeline, choices = {}, ...scenario }: Scenario, given: ScenarioReference['parameters']) {
  const lifecycle = lifecycleOfKind(kind);
  if (!lifecycle) return undefined;
  const parameters = { ...scenario.parameters, ...given };
  for (const step of stepsOf([...timeline, ...Object.values(choices).flat()])) {
    const taken = Object.entries(step.with).filter(([, value]) => Object.hasOwn(given, parameterIn(value) ?? ''));
    const form = taken.length > 0 ? inputForm(lifecycle, step.trigger) : undefined;
    const [fault] = form ? fieldErrorsOf(form, fill(step.with, parameters)) : [];
    const [, value] = taken.find(([field]) => field === fault?.path[0]) ?? [];
    const name = parameterIn(value);
    if (fault && name !== undefined)
      return `${name} ${fault.reason.startsWith('is ') ? '' : `is "${given[name]}"; `}${fault.reason}`;
  }
  return undefined;
}

const stepsOf = (timeline: readonly TimelineEntry[]): readonly TimelineStep[] =>
  timeline.flatMap((entry) => ('branch' in entry ? entry.branch.flatMap((option) => stepsOf(option.timeline)) : entry));
