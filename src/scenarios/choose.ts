// Which scenario a request plays: `interface.md` section 3. Header over the world's active one over the number called
// over the kind's default; the winner and what it outranked go to the journal.
import type { ScenarioChoice, ScenarioUse } from '../model.ts';
import type { Tx } from '../store/store.ts';
import type { WorldScenarios } from './library.ts';
import type { Scenario } from './scenario.ts';
import { readUse } from './use.ts';

export interface Chosen {
  readonly scenario: Scenario;
  readonly choice: ScenarioChoice;
}

/**
 * Chooses, and consumes what the choice uses up. `header` has been checked against the library and the kind;
 * `destination` is the number that a magic number would be read from.
 */
export function choose(
  tx: Tx,
  scenarios: WorldScenarios,
  kind: string,
  header: ScenarioUse | null,
  destination: string | null,
): Chosen {
  const candidates: { source: ScenarioChoice['source']; use: ScenarioUse }[] = [];
  if (header) candidates.push({ source: 'header', use: header });
  const active = tx.get('active_scenarios', kind);
  const next = active?.use[0];
  if (next !== undefined) candidates.push({ source: 'active', use: readUse(next) as ScenarioUse });
  const magic = destination === null ? undefined : scenarios.byNumber(kind, destination);
  if (magic) candidates.push({ source: 'number', use: { name: magic.name, parameters: {} } });
  candidates.push({ source: 'default', use: { name: scenarios.defaultOf(kind).name, parameters: {} } });

  // A name can have left the library since it was made active; the next candidate has its turn then.
  const at = candidates.findIndex(({ use }) => scenarios.get(use.name)?.kind === kind);
  const winner = candidates[at] as (typeof candidates)[number];
  if (winner.source === 'active' && active?.consumed) {
    const use = active.use.slice(1);
    if (use.length > 0) tx.put('active_scenarios', { ...active, use });
    else tx.remove('active_scenarios', kind);
  }
  const outranked = candidates.slice(at + 1).map(({ source, use }) => ({ source, name: use.name }));
  return {
    scenario: scenarios.get(winner.use.name) as Scenario,
    choice: { ...winner.use, source: winner.source, outranked },
  };
}
