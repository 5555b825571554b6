// Why a record has its outcome: which scenario it plays, what selected it, and why the others lost. `interface.md`
// section 3.
import type { OutrankedScenario, ScenarioReference, SelectionRecord } from '../../model.ts';
import { type ChainLink, subjectOf } from './chain.ts';
import type { TimelineSubject } from './subject.ts';

/** A scenario that was selected. */
export interface ChosenScenario extends ScenarioReference {
  readonly source: SelectionRecord['source'];
  readonly reason: string;
}

export interface ShownSelection {
  readonly winner: ChosenScenario;
  readonly losers: readonly OutrankedScenario[];
}

const reasons: Readonly<Record<SelectionRecord['source'], string>> = {
  header: 'the X-Sandbox-Scenario header of the request names it',
  active: "it is the world's active scenario of its kind",
  number: 'it is the scenario of the number that was called',
  named: 'the control request names it',
  default: 'it is the default scenario of its kind',
  rules: 'a calling rule refused the request before any scenario was played',
};

export function choiceOf({ name, parameters, source, outranked }: SelectionRecord): ShownSelection {
  return { winner: { name, parameters, source, reason: reasons[source] }, losers: outranked };
}

/** The scenario that the record plays: the latest one that was chosen for it, by its own steps or their requests. */
export function choiceIn(chain: readonly ChainLink[], of: TimelineSubject): ShownSelection | null {
  if (of.kind === 'request') return of.request.scenario && choiceOf(of.request.scenario);
  const { table, id } = of.subject;
  const causes = new Set<string | null>();
  let latest: SelectionRecord | null = null;
  for (const { link } of [...chain].reverse()) {
    const { journal, entry } = link;
    const subject = subjectOf(link);
    if (subject?.table === table && subject.id === id && 'cause' in entry) causes.add(entry.cause);
    if (journal === 'steps' && subject?.table === table && subject.id === id) latest ??= entry.scenario ?? null;
    // A request without a step of the record did not choose what the record plays.
    if (journal === 'requests' && causes.has(entry.id)) latest ??= entry.scenario;
  }
  return latest && choiceOf(latest);
}
