// Makes a scenario of its file and of the scenario that the file extends.
import { FileProblem } from '../file-problem.ts';
import { refuseFaults } from '../yaml-with-locations.ts';
import { checkScenario } from './check-scenario.ts';
import { type Scenario, type ScenarioFile, scenarioName } from './scenario.ts';

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
    throw FileProblem.at(
      fileName,
      1,
      '',
      `"${name}" is not a valid scenario name; it must match ${scenarioName.source}`,
    );
  }
  const file = read(fileName, source);
  const { data: own } = file;
  const parent = own.extends === undefined ? undefined : base(own.extends);
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
  refuseFaults(file, (report) => {
    if (own.extends !== undefined && !parent)
      report(['extends'], `the scenario "${own.extends}" does not exist, has faults of its own, or extends this one`);
    else if (parent && parent.kind !== own.kind)
      report(['kind'], `must be ${parent.kind}, the kind of "${parent.name}"`);
    else checkScenario(scenario, own.expect, report);
  });
  // What was expected of the scenario that it extends holds only if it still can happen.
  return own.expect || !scenario.expect || fits(scenario) ? scenario : { ...scenario, expect: undefined };
}

function fits(scenario: Scenario): boolean {
  let fits = true;
  checkScenario(scenario, scenario.expect, () => {
    fits = false;
  });
  return fits;
}
