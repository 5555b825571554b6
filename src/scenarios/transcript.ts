// The lines that a scenario scripts for a call. A call stores them only if they can be edited or deleted while the
// server runs.
import type { Row } from '../model.ts';
import type { WorldScenarios } from './library.ts';
import type { Scenario } from './scenario.ts';

type Script = Scenario['transcript'];

/** The script that a call stores: that of any scenario but a bundled one. */
export function scriptToKeep({ bundled, transcript }: Scenario): Script | null {
  return bundled ? null : transcript;
}

/** The script that a call played; empty if its scenario has none. */
export function scriptOf({ private: { script, scenario } }: Row<'calls'>, scenarios: WorldScenarios): Script {
  const { transcript } =
    scenarios.bundled(scenario.name) ?? scenarios.get(scenario.name) ?? scenarios.defaultOf('call');
  return script ?? transcript;
}
