// Which scenario a request plays: `interface.md` section 3. Header over the world's active one over the number called
// over the kind's default; the winner and what it outranked go to the journal.
import type { Row, ScenarioReference, SelectionRecord } from '../model.ts';
import type { Tx } from '../store/store.ts';
import type { WorldScenarios } from './library.ts';
import { parseScenarioReference } from './reference.ts';
import type { Scenario } from './scenario.ts';

export interface ScenarioSelection {
  readonly scenario: Scenario;
  readonly choice: SelectionRecord;
}

/**
 * Chooses, and consumes what the choice uses up. `header` has been checked against the library and the kind;
 * `destination` is the number that a magic number would be read from.
 */
export function selectScenario(
  tx: Tx,
  scenarios: WorldScenarios,
  kind: string,
  header: ScenarioReference | null,
  destination: string | null,
): ScenarioSelection {
  const isThere = ({ name }: ScenarioReference): boolean => scenarios.get(name)?.kind === kind;
  const candidates: { source: SelectionRecord['source']; use: ScenarioReference }[] = [];
  if (header) candidates.push({ source: 'header', use: header });
  const active = tx.get('active_scenarios', kind);
  if (active) {
    // A name can have left the library since it was made active; the next of the list has its turn then.
    const at = active.use.findIndex((text) => isThere(parseScenarioReference(text) as ScenarioReference));
    if (at >= 0)
      candidates.push({ source: 'active', use: parseScenarioReference(active.use[at] as string) as ScenarioReference });
    if (active.consumed && !header) consume(tx, active, at < 0 ? active.use.length : at + 1);
  }
  const magic = destination === null ? undefined : scenarios.byNumber(kind, destination);
  if (magic) candidates.push({ source: 'number', use: { name: magic.name, parameters: {} } });
  candidates.push({ source: 'default', use: { name: scenarios.defaultOf(kind).name, parameters: {} } });

  const [winner, ...rest] = candidates as [(typeof candidates)[number], ...typeof candidates];
  const outranked = rest.map(({ source, use }) => ({ source, name: use.name }));
  return {
    scenario: scenarios.get(winner.use.name) as Scenario,
    choice: { ...winner.use, source: winner.source, outranked },
  };
}

/** Takes the first of a list away, what has left the library before them included. */
function consume(tx: Tx, active: Row<'active_scenarios'>, count: number): void {
  const use = active.use.slice(count);
  if (use.length > 0) tx.put('active_scenarios', { ...active, use });
  else tx.remove('active_scenarios', active.id);
}
