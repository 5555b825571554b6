// Checks a scenario at loading: kind and triggers exist, the lifecycle allows the transitions, parameters are declared,
// and what it expects can happen. The valid parts of an invalid file are checked too, so that all problems are reported
// at once.
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Parts } from '../errors/valid-parts.ts';
import { lifecycleOfKind, scenarioKinds } from '../lifecycles/index.ts';
import type { Report } from '../yaml-with-locations.ts';
import { checkChoice, checkTimeline, parametersUsedIn, type TimelineContext } from './check-timeline.ts';
import { checkExpectation } from './expectation.ts';
import type { Refusal, Scenario, ScenarioData } from './scenario.ts';

export interface ScenarioDraft {
  /** What fits of its own file. */
  readonly own: Parts<ScenarioData>;
  /** The scenario that it extends. */
  readonly parent: Scenario | undefined;
  /** The fields of its file in which something does not fit. */
  readonly broken: ReadonlySet<PropertyKey | undefined>;
}

/** Reports every fault of a scenario, apart from those of the form of its file. */
export function checkScenario(draft: ScenarioDraft, report: Report): void {
  const { own, parent } = draft;
  checkExtends(draft, report);
  checkRefusals(own.refuse ?? [], report);
  checkParameterNames(draft, report);
  if (own.kind === undefined) return;
  const lifecycle = lifecycleOfKind(own.kind);
  if (!lifecycle) {
    const allowed = `allowed: ${scenarioKinds.join(', ')}${didYouMean(own.kind, scenarioKinds)}`;
    report(['kind'], `"${own.kind}" is not a kind; ${allowed}`);
    return;
  }
  const timeline = timelineOf(draft);
  let sound = timeline !== undefined && !draft.broken.has('timeline') && !draft.broken.has('refuse');
  const noting: Report = (path, reason) => {
    sound = false;
    report(path, reason);
  };
  const parameters = { ...parent?.parameters, ...own.parameters };
  const context = { lifecycle, parameters, own: own.parameters ?? {} };
  checkTimeline(context, timeline ?? [], noting);
  checkChoices(context, own, report);
  if (!own.expect) return;
  const given = Object.fromEntries(Object.entries(parameters).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
  // Nothing can be said of what a broken timeline leads to; no part of a sound one is missing.
  const script =
    sound && timeline
      ? { timeline: timeline as Scenario['timeline'], refuse: refusalsOf(draft), parameters: given }
      : undefined;
  checkExpectation(own.expect, script, lifecycle, report);
}

/** Only calls show somebody what can be chosen. */
function checkChoices(context: TimelineContext, { kind, choices = {} }: ScenarioDraft['own'], report: Report): void {
  for (const [name, timeline] of Object.entries(choices)) {
    if (kind === 'call') checkChoice(context, name, timeline ?? [], report);
    else report(['choices'], `is for scenarios of the kind call alone, not ${kind}`);
  }
}

function checkExtends({ own, parent }: ScenarioDraft, report: Report): void {
  if (own.extends !== undefined && !parent)
    report(['extends'], `the scenario "${own.extends}" does not exist, has faults of its own, or extends this one`);
  else if (parent && own.kind !== undefined && parent.kind !== own.kind)
    report(['kind'], `must be ${parent.kind}, the kind of "${parent.name}"`);
}

/** Undefined if it cannot be known. */
function timelineOf({ own, parent, broken }: ScenarioDraft): Parts<Scenario['timeline']> | undefined {
  if (own.timeline || broken.has('timeline')) return own.timeline;
  if (own.extends === undefined) return broken.has('extends') ? undefined : [];
  return parent?.kind === own.kind ? parent?.timeline : undefined;
}

/** The refusals of a scenario whose own ones fit. */
function refusalsOf({ own, parent }: ScenarioDraft): readonly Refusal[] {
  // No part of them is missing.
  return (own.refuse as readonly Refusal[] | undefined) ?? parent?.refuse ?? [];
}

/** A refusal without `times` always applies, so none can follow it. */
function checkRefusals(refusals: Parts<readonly Refusal[]>, report: Report): void {
  const lasting = refusals.findIndex((refusal) => refusal?.code !== undefined && refusal.times === undefined);
  if (lasting >= 0 && lasting < refusals.length - 1) {
    report(['refuse', lasting, 'times'], 'is required: only the last refusal can be without it');
  }
}

/** A parameter that neither the extended scenario nor the timeline has would change nothing: its name is misspelt. */
function checkParameterNames(draft: ScenarioDraft, report: Report): void {
  const { own, parent } = draft;
  if (!parent) return;
  const choices = Object.values(own.choices ?? parent.choices ?? {});
  const used = parametersUsedIn([...(timelineOf(draft) ?? []), ...choices.flatMap((timeline) => timeline ?? [])]);
  const inherited = Object.keys(parent.parameters);
  const given = Object.keys(own.parameters ?? {});
  const free = inherited.filter((name) => !given.includes(name));
  for (const name of given) {
    if (used.has(name) || inherited.includes(name) || draft.broken.has('timeline')) continue;
    const allowed = inherited.length > 0 ? `; allowed: ${inherited.join(', ')}` : ', which has none';
    report(['parameters', name], `is not a parameter of ${parent.name}${allowed}${didYouMean(name, free)}`);
  }
}
