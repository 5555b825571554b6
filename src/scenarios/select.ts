// Selects the scenario that a request plays: `interface.md` section 3. In order of rank: the control header, the
// world's active scenario, the magic number called, the kind's default. The journal keeps the winner, and why each
// other candidate lost.
import { played } from '../coverage/facts.ts';
import type { OutrankedScenario, Row, ScenarioReference, SelectionRecord } from '../model.ts';
import type { Tx } from '../store/store.ts';
import type { WorldScenarios } from './library.ts';
import { parseScenarioReference } from './reference.ts';
import type { Scenario } from './scenario.ts';

/** The scenario that a record plays, its parameters, the rule that selected it, and what that rule outranked. */
export interface ScenarioSelection {
  readonly scenario: Scenario;
  readonly parameters: ScenarioReference['parameters'];
  readonly source: SelectionRecord['source'];
  readonly outranked: SelectionRecord['outranked'];
}

type Candidate = Omit<ScenarioSelection, 'outranked'>;

/** Why a scenario loses to one of this source. */
const ranksHigher: Readonly<Record<SelectionRecord['source'], string>> = {
  header: 'the X-Sandbox-Scenario header of the request ranks higher',
  active: "the world's active scenario ranks higher",
  number: 'the scenario of the number that was called ranks higher',
  named: 'the control request names another one',
  default: 'the default scenario ranks higher',
  rules: 'a calling rule refused the request',
};

/**
 * Selects a scenario, and removes it from the active list if that list is consumed. `header` has been checked against
 * the library and the kind; `destination` is the number called, which may be a magic number.
 */
export function selectScenario(
  tx: Tx,
  scenarios: WorldScenarios,
  kind: string,
  header: ScenarioReference | null,
  destination: string | null,
): ScenarioSelection {
  const candidates: Candidate[] = [];
  const unfit: OutrankedScenario[] = [];
  const propose = (source: Candidate['source'], { name, parameters }: ScenarioReference): boolean => {
    const scenario = scenarios.get(name);
    if (scenario?.kind !== kind) {
      unfit.push({ source, name, reason: whyUnfit(scenario, kind) });
      return false;
    }
    candidates.push({ scenario, parameters, source });
    return true;
  };
  if (header) propose('header', header);
  const active = tx.get('active_scenarios', kind);
  if (active) {
    // A scenario may have been deleted since it was activated; then the next one of the list is played.
    const position = active.references.findIndex((text) => {
      const reference = parseScenarioReference(text);
      return typeof reference !== 'string' && propose('active', reference);
    });
    if (active.consumed && !header) consume(tx, active, position < 0 ? active.references.length : position + 1);
  }
  const magic = destination === null ? undefined : scenarios.byNumber(destination);
  if (magic?.kind === kind) candidates.push({ scenario: magic, parameters: {}, source: 'number' });
  else if (magic) unfit.push({ source: 'number', name: magic.name, reason: whyUnfit(magic, kind) });
  candidates.push({ scenario: scenarios.defaultOf(kind), parameters: {}, source: 'default' });
  const [winner, ...losers] = candidates;
  if (!winner) throw new Error(`no scenario of the kind ${kind} was proposed`);
  coverPlayed(tx, scenarios, winner.scenario.name);
  const reason = ranksHigher[winner.source];
  const outranked = losers.map(({ source, scenario: { name } }) => ({ source, name, reason }));
  return { ...winner, outranked: unfit.length === 0 ? outranked : [...outranked, ...unfit] };
}

const whyUnfit = (scenario: Scenario | undefined, kind: string): string =>
  scenario ? `it is a scenario of the kind ${scenario.kind}, not ${kind}` : 'the scenario no longer exists';

/** Counts the scenarios of the server; a world can make any number of its own. */
function coverPlayed(tx: Tx, scenarios: WorldScenarios, name: string): void {
  if (scenarios.origin(name) !== 'world' || scenarios.bundled(name)) tx.cover(played(name));
}

/** A selection without competitors. */
export function fixedSelection(
  scenario: Scenario,
  parameters: ScenarioReference['parameters'] = {},
  source: SelectionRecord['source'] = 'default',
): ScenarioSelection {
  return { scenario, parameters, source, outranked: [] };
}

/** What the journal and the idempotency records keep of a selection. */
export function selectionRecord({ scenario, parameters, source, outranked }: ScenarioSelection): SelectionRecord {
  return { name: scenario.name, parameters, source, outranked };
}

/** What the journal keeps of a call that a calling rule refused: the rule outranks the scenario that was selected. */
export function refusedByRule(rule: string, { source, name, outranked }: SelectionRecord): SelectionRecord {
  const refused = { source, name, reason: `${ranksHigher.rules}: ${rule}` };
  return { name: 'rules', parameters: { rule }, source: 'rules', outranked: [refused, ...outranked] };
}

/** Removes the first references from an active list, including those to deleted scenarios. */
function consume(tx: Tx, active: Row<'active_scenarios'>, count: number): void {
  const references = active.references.slice(count);
  if (references.length > 0) tx.put('active_scenarios', { ...active, references });
  else tx.remove('active_scenarios', active.id);
}
