// Builds a scenario from its file and from the scenario that the file extends, its parent.
import { lifecycleOfKind } from '../lifecycles/index.ts';
import { checkFile } from '../yaml-with-locations.ts';
import { checkScenario } from './check-scenario.ts';
import { checkExpectation } from './expectation.ts';
import { type Scenario, type ScenarioFile, scenarioName } from './scenario.ts';

/** The scenario that a file extends, which `find` finds by its name; undefined if it extends none, or none is found. */
export const parentOf = (
  { parts }: ScenarioFile,
  find: (name: string) => Scenario | undefined,
): Scenario | undefined => (parts.extends === undefined ? undefined : find(parts.extends));

/** Makes a scenario from a file, its text and its parent. Throws FileProblem. */
export function makeScenario(name: string, source: string, file: ScenarioFile, parent: Scenario | undefined): Scenario {
  const broken = new Set(file.faults.map(({ path }) => path[0]));
  const own = checkFile(file, (parts, report) => {
    if (!scenarioName.test(name))
      report([], `"${name}" is not a valid scenario name; it must match ${scenarioName.source}`);
    checkScenario({ own: parts, parent, broken }, report);
  });
  const scenario: Scenario = {
    ...own,
    name,
    bundled: false,
    source,
    parameters: { ...parent?.parameters, ...own.parameters },
    timeline: own.timeline ?? parent?.timeline ?? [],
    choices: own.choices ?? parent?.choices,
    refuse: own.refuse ?? parent?.refuse ?? [],
    transcript: own.transcript ?? parent?.transcript ?? [],
    expect: own.expect ?? parent?.expect,
  };
  // What was expected of the scenario that it extends holds only if it still can happen.
  return own.expect || !scenario.expect || fits(scenario) ? scenario : { ...scenario, expect: undefined };
}

function fits(scenario: Scenario): boolean {
  const lifecycle = lifecycleOfKind(scenario.kind);
  let fits = true;
  if (scenario.expect && lifecycle)
    checkExpectation(scenario.expect, scenario, lifecycle, () => {
      fits = false;
    });
  return fits;
}
