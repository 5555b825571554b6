// Checks the timeline of a scenario: its triggers and their input, the transitions, the parameters.
import { durationForm, parseDurationRange } from '../clock/duration.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { fieldErrorsOf } from '../errors/schema-errors.ts';
import type { Parts } from '../errors/valid-parts.ts';
import { inputForm, type NamedLifecycle, statusAfter } from '../lifecycles/lifecycle.ts';
import type { Path, Report } from '../yaml-with-locations.ts';
import { fill, parameterIn, type TimelineBranch, type TimelineEntry, type TimelineStep } from './scenario.ts';

type Timeline = Parts<readonly TimelineEntry[]>;
type Step = Parts<TimelineStep>;
/** By name; undefined for a value that does not fit. */
type Parameters = Readonly<Record<string, string | undefined>>;

export interface TimelineContext {
  readonly lifecycle: NamedLifecycle;
  /** All parameters, with their values. */
  readonly parameters: Parameters;
  /** Those that the file gives itself, where a fault of their values is reported. */
  readonly own: Parameters;
}

/** Follows a timeline through the lifecycle; reports each step that cannot happen. */
export function checkTimeline(context: TimelineContext, timeline: Timeline, report: Report): void {
  const { lifecycle } = context;
  checkFrom(context, timeline, lifecycle.playedFrom ?? lifecycle.initial, ['timeline'], once(report));
}

/** Follows what can be chosen, from the first status that allows its first step: whether it does is known only then. */
export function checkChoice(context: TimelineContext, name: string, timeline: Timeline, report: Report): void {
  const { lifecycle } = context;
  const path = ['choices', name];
  const [first] = timeline;
  if (first && isBranch(first)) return report([...path, 0], 'must begin with a step, not a branch');
  const from = Object.keys(lifecycle.transitions).find(
    (status) => first?.trigger !== undefined && statusAfter(lifecycle, status, first.trigger) !== undefined,
  );
  checkFrom(context, timeline, from, path, once(report));
}

/** Two steps can take one parameter. */
function once(report: Report): Report {
  const reported = new Set<string>();
  return (path, reason) => {
    const place = path.join('.');
    if (!reported.has(place)) report(path, reason);
    reported.add(place);
  };
}

/** `from` is the status before the timeline, undefined if it is not known. */
function checkFrom(
  context: TimelineContext,
  timeline: Timeline,
  from: string | undefined,
  path: Path,
  report: Report,
): void {
  let status = from;
  for (const [index, item] of timeline.entries()) {
    const here = [...path, index];
    if (!item) {
      status = undefined;
    } else if (isBranch(item)) {
      if (index < timeline.length - 1) report(here, 'a branch must be the last entry of its timeline');
      for (const [n, option] of (item.branch ?? []).entries()) {
        checkFrom(context, option?.timeline ?? [], status, [...here, 'branch', n, 'timeline'], report);
      }
      status = undefined;
    } else {
      checkAfter(context, item, here, report);
      checkInput(context, item, here, report);
      status = checkTrigger(context.lifecycle, item.trigger, status, here, report);
    }
  }
}

const isBranch = (item: Parts<TimelineEntry>): item is Parts<TimelineBranch> => 'branch' in item;

/** Returns the status that the trigger leads to, undefined if it cannot be known. */
function checkTrigger(
  lifecycle: NamedLifecycle,
  trigger: string | undefined,
  from: string | undefined,
  here: Path,
  report: Report,
): string | undefined {
  if (trigger === undefined) return undefined;
  const triggers = Object.keys(lifecycle.inputs);
  if (!inputForm(lifecycle, trigger)) {
    const allowed = `allowed: ${triggers.join(', ')}${didYouMean(trigger, triggers)}`;
    report([...here, 'trigger'], `"${trigger}" is not a trigger of ${lifecycle.kind}; ${allowed}`);
    return undefined;
  }
  if (from === undefined) return undefined;
  const next = statusAfter(lifecycle, from, trigger);
  if (next === undefined) {
    const possible = triggers.filter((other) => statusAfter(lifecycle, from, other) !== undefined);
    const reason = possible.length > 0 ? `allowed: ${possible.join(', ')}` : 'no trigger follows it';
    report([...here, 'trigger'], `${trigger} is not possible in the status ${from}; ${reason}`);
  }
  return next;
}

function checkAfter(context: TimelineContext, { after }: Step, here: Path, report: Report): void {
  if (!after?.startsWith('$')) return;
  const name = after.slice(1);
  const { parameters } = context;
  const value = parameters[name];
  if (!Object.hasOwn(parameters, name)) report([...here, 'after'], undeclared(after, parameters));
  else if (value !== undefined && !parseDurationRange(value))
    reportValue(context, name, [...here, 'after'], `must be ${durationForm}, or a range such as 2s..4s`, report);
}

function checkInput(context: TimelineContext, { trigger, with: given = {} }: Step, here: Path, report: Report): void {
  const { lifecycle, parameters } = context;
  const unknown = new Set<string>();
  for (const [key, value] of Object.entries(given)) {
    const name = parameterIn(value);
    if (value !== undefined && (name === undefined || parameters[name] !== undefined)) continue;
    unknown.add(key);
    if (name !== undefined && !Object.hasOwn(parameters, name))
      report([...here, 'with', key], undeclared(`$${name}`, parameters));
  }
  const form = trigger === undefined ? undefined : inputForm(lifecycle, trigger);
  if (!form) return;
  for (const { path, reason } of fieldErrorsOf(form, fill(given, parameters))) {
    const [key] = path;
    const place = [...here, 'with', ...path];
    const name = typeof key === 'string' ? parameterIn(given[key]) : undefined;
    if (typeof key === 'string' && unknown.has(key)) continue;
    if (name === undefined) report(place, reason);
    else reportValue(context, name, place, reason, report);
  }
}

/** The value of a parameter is wrong where it is written: in this file, or else at the step that takes it. */
function reportValue(
  { own, parameters }: TimelineContext,
  name: string,
  step: Path,
  reason: string,
  report: Report,
): void {
  const isOwn = Object.hasOwn(own, name);
  // A wrong type says what was given, everything else what is allowed alone.
  const fault = reason.startsWith('is ') ? reason : `is "${parameters[name]}"; ${reason}`;
  report(isOwn ? ['parameters', name] : step, `${isOwn ? '' : `$${name} `}${fault}`);
}

function undeclared(given: string, parameters: Parameters): string {
  const declared = Object.keys(parameters).map((name) => `$${name}`);
  const allowed = declared.length > 0 ? `allowed: ${declared.join(', ')}` : 'the scenario has none';
  return `${given} is not a parameter; ${allowed}${didYouMean(given, declared)}`;
}

/** The names of the parameters that a timeline takes. */
export function parametersUsedIn(timeline: Timeline): ReadonlySet<string> {
  const values = timeline.flatMap((item) => {
    if (!item) return [];
    if (isBranch(item)) return (item.branch ?? []).flatMap((option) => [...parametersUsedIn(option?.timeline ?? [])]);
    return [item.after, ...Object.values(item.with ?? {})].flatMap((value) => parameterIn(value) ?? []);
  });
  return new Set(values);
}
