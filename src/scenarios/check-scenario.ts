// What is checked of a scenario at loading: existing kind and triggers, only transitions that the lifecycle allows,
// declared parameters, and that what it expects can happen.
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { fieldErrorsOf } from '../errors/schema-errors.ts';
import { lifecycleOfKind, scenarioKinds } from '../lifecycles/index.ts';
import { inputForm, type NamedLifecycle, statusAfter } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import { checkExpectation } from './expectation.ts';
import {
  type Expectation,
  fill,
  type Refusal,
  type Scenario,
  type TimelineEntry,
  type TimelineStep,
} from './scenario.ts';

/** Reports every fault of a scenario. `expected` is what its own file expects, if anything. */
export function checkScenario(scenario: Scenario, expected: Expectation | undefined, report: Report): void {
  const lifecycle = lifecycleOfKind(scenario.kind);
  if (!lifecycle) {
    report(
      ['kind'],
      `"${scenario.kind}" is not a kind; allowed: ${scenarioKinds.join(', ')}${didYouMean(scenario.kind, scenarioKinds)}`,
    );
    return;
  }
  let faults = 0;
  const counted: Report = (path, reason) => {
    faults += 1;
    report(path, reason);
  };
  const start = lifecycle.playedFrom ?? lifecycle.initial;
  checkTimeline(scenario, lifecycle, scenario.timeline, start, ['timeline'], counted);
  checkRefusals(scenario.refuse, counted);
  // Nothing can be said of what a broken timeline leads to.
  if (expected && faults === 0) checkExpectation(expected, scenario, lifecycle, report);
}

/** A refusal without `times` always applies, so none can follow it. */
function checkRefusals(refusals: readonly Refusal[], report: Report): void {
  const lasting = refusals.findIndex(({ times }) => times === undefined);
  if (lasting >= 0 && lasting < refusals.length - 1) {
    report(['refuse', lasting, 'times'], 'is required: only the last refusal can be without it');
  }
}

/** Follows the timeline through the lifecycle, up to the first trigger that the status before it does not allow. */
function checkTimeline(
  scenario: Scenario,
  lifecycle: NamedLifecycle,
  timeline: readonly TimelineEntry[],
  from: string,
  path: Path,
  report: Report,
): void {
  let status: string | undefined = from;
  for (const [index, item] of timeline.entries()) {
    const here = [...path, index];
    if ('branch' in item) {
      if (index < timeline.length - 1) report(here, 'a branch must be the last entry of its timeline');
      for (const [n, { timeline: next }] of item.branch.entries()) {
        checkTimeline(scenario, lifecycle, next, status, [...here, 'branch', n, 'timeline'], report);
      }
      return;
    }
    checkParameters(scenario, item, here, report);
    checkInput(scenario, lifecycle, item, here, report);
    status = checkTrigger(lifecycle, item.trigger, status, here, report);
    if (status === undefined) return;
  }
}

/** Returns the status that the trigger leads to, undefined if it cannot be fired. */
function checkTrigger(
  lifecycle: NamedLifecycle,
  trigger: string,
  from: string,
  here: Path,
  report: Report,
): string | undefined {
  const triggers = Object.keys(lifecycle.inputs);
  if (!inputForm(lifecycle, trigger)) {
    const allowed = `allowed: ${triggers.join(', ')}${didYouMean(trigger, triggers)}`;
    report([...here, 'trigger'], `"${trigger}" is not a trigger of ${lifecycle.kind}; ${allowed}`);
    return undefined;
  }
  const next = statusAfter(lifecycle, from, trigger);
  if (next === undefined) {
    const possible = triggers.filter((other) => statusAfter(lifecycle, from, other) !== undefined);
    const reason = possible.length > 0 ? `allowed: ${possible.join(', ')}` : 'no trigger follows it';
    report([...here, 'trigger'], `${trigger} is not possible in the status ${from}; ${reason}`);
  }
  return next;
}

function checkInput(
  { parameters }: Scenario,
  lifecycle: NamedLifecycle,
  item: TimelineStep,
  here: Path,
  report: Report,
): void {
  const form = inputForm(lifecycle, item.trigger);
  if (!form) return;
  for (const { path, reason } of fieldErrorsOf(form, fill(item.with, parameters)))
    report([...here, 'with', ...path], reason);
}

function checkParameters({ parameters }: Scenario, item: TimelineStep, here: Path, report: Report): void {
  const isDeclared = (text: string): boolean => Object.hasOwn(parameters, text.slice(1));
  const undeclared = (text: string): string => {
    const declared = Object.keys(parameters).map((name) => `$${name}`);
    return `${text} is not a parameter; ${declared.length > 0 ? `allowed: ${declared.join(', ')}` : 'the scenario has none'}`;
  };
  if (item.after.startsWith('$')) {
    const value = parameters[item.after.slice(1)] ?? '';
    if (!isDeclared(item.after)) report([...here, 'after'], undeclared(item.after));
    else if (!parseDurationRange(value)) report([...here, 'after'], `${item.after} is "${value}", not ${durationForm}`);
  }
  for (const [key, value] of Object.entries(item.with)) {
    if (typeof value === 'string' && value.startsWith('$') && !isDeclared(value)) {
      report([...here, 'with', key], undeclared(value));
    }
  }
}
