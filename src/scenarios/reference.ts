// How a request names a scenario: `busy`, or with parameters `busy;ring=2s`. The same form stands in the control
// header and in a world's active scenarios.
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { ScenarioReference } from '../model.ts';
import type { Scenario } from './scenario.ts';

/** In characters. */
const LONGEST_VALUE = 200;

/** Reads the form alone; a sentence where it is malformed. */
export function parseScenarioReference(text: string): ScenarioReference | string {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim());
  if (!/^[\w.-]{1,64}$/.test(name)) return `${quote(name)} is no scenario's name; write name or name;parameter=value`;
  const parameters: Record<string, string> = {};
  for (const part of rest) {
    const match = /^([a-z][a-z0-9_]*)=(\S.*)$/.exec(part);
    if (!match) return `${quote(part)} is no parameter with a value; write name;parameter=value`;
    const [, key, value] = match as unknown as [string, string, string];
    const length = [...value].length;
    if (length > LONGEST_VALUE)
      return `the value of ${key} has ${length} characters; at most ${LONGEST_VALUE} are taken`;
    if (Object.hasOwn(parameters, key)) return `the parameter ${key} stands twice`;
    parameters[key] = value;
  }
  return { name, parameters };
}

export function formatScenarioReference({ name, parameters }: ScenarioReference): string {
  return [name, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)].join(';');
}

/** What is wrong with the parameters given to a scenario; undefined where nothing is. */
export function parameterProblem(scenario: Scenario, { parameters }: ScenarioReference): string | undefined {
  const known = Object.keys(scenario.parameters);
  for (const [key, value] of Object.entries(parameters)) {
    const usual = Object.hasOwn(scenario.parameters, key) ? scenario.parameters[key] : undefined;
    if (usual === undefined) {
      const allowed = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
      return `${scenario.name} has no parameter ${key}; ${allowed}${didYouMean(key, known)}`;
    }
    if (parseDurationRange(usual) && !parseDurationRange(value)) {
      return `${key} is "${value}"; it takes ${durationForm}, or a range such as 2s..4s`;
    }
  }
  return undefined;
}
