// What a person who watches a call can choose, and what follows: the `choices` of the scenario that the call plays. The
// rest of its timeline is unscheduled, and the chosen one is scheduled from now on the world's clock.
import { scheduleTimeline } from '../../engine/create.ts';
import { callLifecycle } from '../../lifecycles/call.ts';
import { statusAfter } from '../../lifecycles/lifecycle.ts';
import type { Row } from '../../model.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { fixedSelection } from '../../scenarios/select.ts';
import type { WorldScenarios } from '../../scenarios/world-scenarios.ts';
import type { Tx } from '../../store/store.ts';

type Call = Row<'calls'>;

/** All choices of the scenario that a call plays, by name. */
const choicesOf = (call: Call, scenarios: WorldScenarios): Scenario['choices'] =>
  scenarios.get(call.private.scenario.name)?.choices;

/** The names of those that the status of the call allows. */
export function choicesNow(call: Call, scenarios: WorldScenarios): string[] {
  return Object.entries(choicesOf(call, scenarios) ?? {}).flatMap(([name, [first]]) => {
    if (!first || 'branch' in first) return [];
    return statusAfter(callLifecycle, call.status, first.trigger) === undefined ? [] : [name];
  });
}

/** Schedules what was chosen in place of what was to come; returns whether the call has that choice now. */
export function choose(tx: Tx, call: Call, choice: string, scenarios: WorldScenarios): boolean {
  const { name, parameters } = call.private.scenario;
  const scenario = scenarios.get(name);
  const timeline = scenario?.choices?.[choice];
  if (!scenario || !timeline || !choicesNow(call, scenarios).includes(choice)) return false;
  tx.unschedule({ table: 'calls', id: call.id });
  scheduleTimeline(tx, callLifecycle, call.id, fixedSelection({ ...scenario, timeline }, parameters));
  return true;
}
