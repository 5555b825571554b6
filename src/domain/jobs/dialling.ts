// How a running job calls the contacts on its list: it places calls while it has free lines, under the same calling
// rules and caps as every other call (assumption job_dialling).
import { assumed } from '../../assumptions/catalogue.ts';
import type { TaskContext, TaskHandler } from '../../engine/run-task.ts';
import { transition } from '../../engine/transition.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type AnyCode, allErrors, type ErrorRow } from '../../errors/catalogue.ts';
import { jobLifecycle } from '../../lifecycles/job.ts';
import { jobContactLifecycle } from '../../lifecycles/job-contact.ts';
import type { Row } from '../../model.ts';
import { refusalOf } from '../../scenarios/refusal.ts';
import { selectScenario } from '../../scenarios/select.ts';
import type { Tx } from '../../store/store.ts';
import { checkEnabled } from '../agents/agent-state.ts';
import { callingRulesOf, checkCallingRules, nextPermitted } from '../calls/calling-rules.ts';
import { countCall } from '../calls/calls-today.ts';
import { checkDestination } from '../calls/destination.ts';
import { checkCaps, usableNumber } from '../calls/number-to-call-from.ts';
import { placeCall } from '../calls/place-call.ts';
import { checkPlan } from '../calls/plan.ts';
import { heldNumber } from '../numbers/held-numbers.ts';

/** How long a job first waits for a free line; the same as `Retry-After` of a refused dial. It doubles with each wait. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** On a fast clock, it waits at least so long in real time: a thousand jobs that wait must not keep the server busy. */
const LEAST_REAL_WAIT_MS = 100;
/** For refusals by a scenario: the wait before the next attempt. */
const RETRY_WAIT_MS = 60_000;
/** Contacts that one task tries to call, so that a list of thousands of refusals does not block the world. */
const MAX_CONTACTS_PER_TASK = 25;

type Attempt = 'called' | 'no line' | 'not called';

/** Calls the next contacts of a running job while it has free lines; completes the job after the last contact. */
export const callNextContact: TaskHandler<'call_next_contact'> = (tx, { subject }, context) => {
  const job = tx.get('jobs', subject.id);
  if (job?.status !== 'running') return;
  const usableLines = job.concurrency - tx.count('job_contacts', 'status', `${job.id} calling`);
  let freeLines = usableLines;
  for (let tried = 0; freeLines > 0; tried++) {
    const [next] = tx.page('job_contacts', 'status', `${job.id} pending`, { limit: 1 });
    if (!next) break;
    if (tried === MAX_CONTACTS_PER_TASK) return scheduleNext(tx, job, tx.at);
    const attempt = tryCall(tx, job, next, context);
    if (attempt === 'no line') return waitForLine(tx, job, freeLines < usableLines);
    if (attempt === 'called') freeLines -= 1;
  }
  const unfinished = ['pending', 'calling', 'deferred'].some(
    (status) => tx.count('job_contacts', 'status', `${job.id} ${status}`) > 0,
  );
  if (!unfinished) transition(tx, jobLifecycle, job, 'complete', {});
};

/**
 * No event announces a free line of another job or caller, so the job polls, with one scheduled task at most: less and
 * less often, until it has placed a call again.
 */
function waitForLine(tx: Tx, job: Row<'jobs'>, hasCalled: boolean): void {
  const { next_poll_at, poll_wait } = job.private;
  if (next_poll_at !== null && next_poll_at > tx.at) return;
  const longer = hasCalled || poll_wait === undefined ? FIRST_WAIT_MS : Math.min(2 * poll_wait, LONGEST_WAIT_MS);
  const at = tx.at + Math.max(longer, tx.state('clock').speed * LEAST_REAL_WAIT_MS);
  tx.put('jobs', { ...job, private: { ...job.private, next_poll_at: at, poll_wait: longer } });
  scheduleNext(tx, job, at);
}

function scheduleNext(tx: Tx, job: Row<'jobs'>, at: number): void {
  tx.schedule({ type: 'call_next_contact', subject: { table: 'jobs', id: job.id } }, at);
}

/**
 * Places the call to one contact, under the checks of a dial. A calling rule defers the contact until the rule permits
 * the call, a temporary refusal is retried, and any other refusal completes the contact.
 */
function tryCall(tx: Tx, job: Row<'jobs'>, entry: Row<'job_contacts'>, context: TaskContext): Attempt {
  const number = heldNumber(tx, job.private, job.from_number) ?? null;
  const capped = resultOrError(() => checkCaps(tx, context.settings, number));
  if (capped instanceof ApiError) return 'no line';
  const to_number = resultOrError(() => checkDestination(entry.phone_number));
  if (to_number instanceof ApiError) return refuse(tx, entry, to_number.code);
  const agent = tx.get('agents', job.agent_id);
  if (!agent) throw new Error(`the job ${job.id} has lost its agent ${job.agent_id}`);
  const blocked = checkRules(tx, job, agent, entry, to_number);
  if (blocked) return blocked;
  const selection = selectScenario(tx, context.scenarios, 'call', null, to_number);
  const scripted = refusalOf(tx, selection.scenario, to_number);
  if (scripted) {
    const refusals = entry.private.refusals + 1;
    const retries = isRetryable(scripted.code) && refusals < assumed(tx.state('assumptions'), 'job_attempts');
    return retries ? defer(tx, entry, tx.at + RETRY_WAIT_MS, refusals) : refuse(tx, entry, scripted.code);
  }
  const { organization_id } = job.private;
  const rules = callingRulesOf(tx);
  if (rules) countCall(tx, rules, organization_id, to_number);
  const parties = { from_number: job.from_number, to_number, number, agent, jobContact: entry };
  const call = placeCall(tx, organization_id, selection, { direction: 'outbound', ...parties });
  transition(tx, jobContactLifecycle, entry, 'call', { call_id: call.id });
  return 'called';
}

/** Refuses or defers a contact that the job may not call now; undefined if it may. */
function checkRules(
  tx: Tx,
  job: Row<'jobs'>,
  agent: Row<'agents'>,
  entry: Row<'job_contacts'>,
  to_number: string,
): Attempt | undefined {
  const { organization_id } = job.private;
  const rules = callingRulesOf(tx);
  const refusal = resultOrError(() => {
    checkEnabled(tx, agent);
    usableNumber(tx, job.private, job.from_number);
    if (rules) checkCallingRules(tx, rules, organization_id, to_number);
    checkPlan(tx, organization_id);
  });
  if (!(refusal instanceof ApiError)) return undefined;
  const { code } = refusal;
  const until =
    rules && isRetryable(code) ? nextPermitted(rules, to_number, tx.at, code === 'frequency_exceeded') : undefined;
  return until === undefined ? refuse(tx, entry, code) : defer(tx, entry, until, entry.private.refusals);
}

function refuse(tx: Tx, entry: Row<'job_contacts'>, code: AnyCode): Attempt {
  transition(tx, jobContactLifecycle, entry, 'refuse', { outcome: 'refused', failure_code: code });
  return 'not called';
}

function defer(tx: Tx, entry: Row<'job_contacts'>, until: number, refusals: number): Attempt {
  transition(tx, jobContactLifecycle, entry, 'defer', { refusals });
  const subject = { table: 'job_contacts', id: entry.id } as const;
  tx.schedule({ type: 'fire', subject, trigger: 'due', input: {} }, until);
  return 'not called';
}

function isRetryable(code: AnyCode): boolean {
  const { retryable }: ErrorRow = allErrors[code];
  return retryable;
}

/** What a check returns, or the error that it throws for clients. */
function resultOrError<Result>(check: () => Result): Result | ApiError {
  try {
    return check();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
