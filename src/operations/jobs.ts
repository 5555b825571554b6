// Jobs, the outbound campaigns that replace workflows: an agent calls everyone on a list, at most so many at a time, under
// the calling rules and caps of every other call. The shape and what it does are the ledger's (jobs, job_dialling).
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { disabledAgent } from '../domain/agents/agent-state.ts';
import { checkCallingRules, countCall, nextPermitted } from '../domain/calls/calling-rules.ts';
import { checkDestination } from '../domain/calls/destination.ts';
import { checkCaps, numberToCallFrom, placeCall, usableNumber } from '../domain/calls/place-call.ts';
import { create, type PlayedScenario } from '../engine/create.ts';
import {
  created,
  findAll,
  findRecord,
  findReferenced,
  type Operation,
  type OperationRequest,
  type OperationResult,
  ok,
  ownedBy,
  pageOf,
} from '../engine/operation.ts';
import type { TaskContext, TaskHandler } from '../engine/run-task.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { allErrors, type ErrorRow } from '../errors/catalogue.ts';
import { uuid } from '../identity/seeded.ts';
import { jobLifecycle } from '../lifecycles/job.ts';
import { jobContactLifecycle } from '../lifecycles/job-contact.ts';
import { statusAfter } from '../lifecycles/lifecycle.ts';
import { type Row, wireOf } from '../model.ts';
import { refusalOf } from '../scenarios/refusal.ts';
import { selectScenario } from '../scenarios/select.ts';
import type { Tx } from '../store/store.ts';

const CONCURRENCY = 5;
/** How long it waits for a free line, as `Retry-After` of a dial says. */
const LINE_WAIT_MS = 1000;
/** How long, and how often in all, a refusal is tried again that is neither a cap nor a calling rule. */
const RETRY_WAIT_MS = 60_000;
const MOST_TRIES = 3;
/** Refusals that are worked off in one turn; the world is not held up for a list of thousands. */
const MOST_A_TURN = 100;
/** Places on all lists of a world, which stay when their jobs have ended; each takes a kilobyte. */
const MOST_LISTED = 100_000;

export const createJob: Operation<'createJob'> = {
  plays: { kind: 'job' },
  precheck: { fields: [], check: checkList },
  handle({ body, caller, selection }, tx) {
    const agent = findReferenced(tx, 'agents', body.agent_id, caller, 'agent', 'agent_id');
    const contacts = (body.contact_ids ?? []).map((id, index) =>
      findReferenced(tx, 'contacts', id, caller, 'contact', `contact_ids.${index}`),
    );
    if (!agent.enabled) throw disabledAgent(agent);
    const from_number = numberToCallFrom(tx, caller, body.from_number, agent);
    const { seed, name } = tx.world;
    const job: Row<'jobs'> = {
      id: uuid(seed, name, 'jobs', tx.ordinal('jobs')),
      name: body.name ?? null,
      status: 'queued',
      agent_id: agent.id,
      from_number,
      concurrency: body.concurrency ?? CONCURRENCY,
      created_at: timestamp(tx.at),
      started_at: null,
      ended_at: null,
      private: { ...ownedBy(tx, caller), look_again_at: null },
    };
    const listed = [
      ...contacts.map(({ id, phone_number }) => ({ contact_id: id, phone_number })),
      ...(body.to_numbers ?? []).map((phone_number) => ({ contact_id: null, phone_number })),
    ];
    checkRoom(tx, listed.length);
    for (const each of listed) {
      tx.put('job_contacts', {
        ...each,
        id: uuid(seed, name, 'job_contacts', tx.ordinal('job_contacts')),
        status: 'pending',
        call_id: null,
        outcome: null,
        failure_code: null,
        private: { ...ownedBy(tx, caller), job_id: job.id, refusals: 0 },
      });
    }
    create(tx, jobLifecycle, job, selection as PlayedScenario);
    return created(serializeJob(tx, job));
  },
};

function checkRoom(tx: Tx, more: number): void {
  // Nobody is taken off a list, so that the ordinal of the latest place is their number.
  const listed = tx.counter('job_contacts');
  if (listed + more <= MOST_LISTED) return;
  throw new ApiError('conflict', {
    message: `The jobs of this world list ${listed} contacts; ${more} more would be over ${MOST_LISTED}, the most it keeps.`,
    hint: 'Start anew with POST /_sandbox/reset, or in another world.',
    assumption: 'jobs',
  });
}

/** Whom to call is said in one of two ways. */
function checkList(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const given = ['contact_ids', 'to_numbers'].filter((name) => Object.hasOwn(body, name));
  if (given.length === 1) return;
  const explanation = given.length === 0 ? 'is required, unless to_numbers is given' : 'cannot stand beside to_numbers';
  throw new ApiError('validation_error', { fields: { contact_ids: explanation }, assumption: 'jobs' });
}

export const listJobs: Operation<'listJobs'> = {
  handle(request, tx) {
    const { rows, counted } = pageOf(tx, 'jobs', request, true);
    return { status: 200, body: { data: rows.map((job) => serializeJob(tx, job)), meta: counted } };
  },
};

export const getJob: Operation<'getJob'> = {
  handle(request, tx) {
    return ok(serializeJob(tx, findRecord(tx, 'jobs', request.params.id, request.caller, 'job')));
  },
};

export const pauseJob: Operation<'pauseJob'> = {
  handle: (request, tx) => move(request, tx, 'pause'),
};

export const resumeJob: Operation<'resumeJob'> = {
  handle: (request, tx) => move(request, tx, 'resume'),
};

export const cancelJob: Operation<'cancelJob'> = {
  handle: (request, tx) => move(request, tx, 'cancel'),
};

type Move = 'pause' | 'resume' | 'cancel';

/** Pulls a trigger of the job that the path names; `conflict` where its state does not allow it. */
function move(
  request: Pick<OperationRequest<'pauseJob'>, 'params' | 'caller'>,
  tx: Tx,
  trigger: Move,
): OperationResult {
  const job = findRecord(tx, 'jobs', request.params.id, request.caller, 'job');
  const moved = transition(tx, jobLifecycle, job, trigger, {});
  if (moved) return ok(serializeJob(tx, moved));
  const states = Object.keys(jobLifecycle.transitions).filter((state) => statusAfter(jobLifecycle, state, trigger));
  const possible = Object.keys(pastOf).filter((each) => statusAfter(jobLifecycle, job.status, each));
  throw new ApiError('conflict', {
    message: `The job is ${job.status}; only one that is ${states.join(' or ')} can be ${pastOf[trigger]}.`,
    hint: possible.length > 0 ? `Possible now: ${possible.join(', ')}.` : 'It has ended; start another one.',
    assumption: 'job_states',
  });
}

const pastOf: Record<Move, string> = { pause: 'paused', resume: 'resumed', cancel: 'canceled' };

/** A job with its progress, which is counted and not stored. */
function serializeJob(tx: Tx, job: Row<'jobs'>): Schemas['Job'] {
  const at = (status: Row<'job_contacts'>['status']): number =>
    tx.count('job_contacts', 'status', `${job.id} ${status}`);
  const ended = (outcome: Schemas['JobOutcome']): number => tx.count('job_contacts', 'outcome', `${job.id} ${outcome}`);
  const progress = {
    total: tx.count('job_contacts', 'job', job.id),
    pending: at('pending') + at('deferred'),
    in_progress: at('calling'),
    completed: at('completed'),
    outcomes: {
      answered: ended('answered'),
      busy: ended('busy'),
      no_answer: ended('no_answer'),
      voicemail: ended('voicemail'),
      failed: ended('failed'),
      canceled: ended('canceled'),
      refused: ended('refused'),
    } satisfies Record<Schemas['JobOutcome'], number>,
  };
  const { id, name, status, agent_id, from_number, concurrency, ...times } = wireOf(job) as Omit<
    Schemas['Job'],
    'progress'
  >;
  return { id, name, status, agent_id, from_number, concurrency, progress, ...times };
}

/** Calls whoever is next on the list of a running job, until its lines are taken; ends it behind the last one. */
export const callNextContact: TaskHandler<'call_next_contact'> = (tx, { subject }, around) => {
  const job = tx.get('jobs', subject.id);
  if (job?.status !== 'running') return;
  const standing = (status: string): string => `${job.id} ${status}`;
  let free = job.concurrency - tx.count('job_contacts', 'status', standing('calling'));
  for (let turn = 0; free > 0; turn++) {
    const [next] = tx.page('job_contacts', 'status', standing('pending'), { limit: 1 });
    if (!next) break;
    if (turn === MOST_A_TURN) return planCalls(tx, job, tx.at);
    const came = tryCall(tx, job, next, around);
    if (came === 'no line') return lookAgain(tx, job);
    if (came === 'called') free -= 1;
  }
  const left = ['pending', 'calling', 'deferred'].some(
    (status) => tx.count('job_contacts', 'status', standing(status)) > 0,
  );
  if (!left) transition(tx, jobLifecycle, job, 'complete', {});
};

/** No line is free, which no event of this job may tell: it looks again, with one row on the agenda at most. */
function lookAgain(tx: Tx, job: Row<'jobs'>): void {
  const { look_again_at } = job.private;
  if (look_again_at !== null && look_again_at > tx.at) return;
  const at = tx.at + LINE_WAIT_MS;
  tx.put('jobs', { ...job, private: { ...job.private, look_again_at: at } });
  planCalls(tx, job, at);
}

function planCalls(tx: Tx, job: Row<'jobs'>, at: number): void {
  tx.schedule({ type: 'call_next_contact', subject: { table: 'jobs', id: job.id } }, at);
}

/**
 * Places the call to someone on the list, under the checks of a dial. What only a rule keeps back is deferred until
 * the rule lets it, what may pass is tried again, and any other refusal finishes them.
 */
function tryCall(
  tx: Tx,
  job: Row<'jobs'>,
  entry: Row<'job_contacts'>,
  { settings, scenarios }: TaskContext,
): 'called' | 'no line' | 'not called' {
  const owner = { organization_id: job.private.organization_id };
  const [number = null] = findAll(tx, 'phone_numbers', 'phone_number', job.from_number, owner);
  if (refusalBy(() => checkCaps(tx, settings, job.from_number, number))) return 'no line';
  const rules = tx.get('organizations', owner.organization_id)?.private.calling_rules;
  const to_number = entry.phone_number as string;
  const agent = tx.get('agents', job.agent_id) as Row<'agents'>;
  const refusal = refusalBy(() => {
    checkDestination(entry.phone_number);
    if (!agent.enabled) throw disabledAgent(agent);
    usableNumber(tx, owner, job.from_number);
    if (rules) checkCallingRules(tx, rules, owner.organization_id, to_number);
  });
  if (refusal) {
    const { code } = refusal;
    const waits = rules && isRetryable(code);
    const until = waits ? nextPermitted(rules, to_number, tx.at, code === 'frequency_exceeded') : undefined;
    if (until === undefined) refuse(tx, entry, code);
    else defer(tx, entry, until, entry.private.refusals);
    return 'not called';
  }
  const chosen = selectScenario(tx, scenarios, 'call', null, to_number);
  const scripted = refusalOf(tx, chosen.scenario, to_number);
  if (scripted) {
    const tries = entry.private.refusals + 1;
    if (isRetryable(scripted.code) && tries < MOST_TRIES) defer(tx, entry, tx.at + RETRY_WAIT_MS, tries);
    else refuse(tx, entry, scripted.code);
    return 'not called';
  }
  if (rules) countCall(tx, rules, owner.organization_id, to_number);
  const call = placeCall(tx, owner.organization_id, chosen, {
    direction: 'outbound',
    from_number: job.from_number,
    to_number,
    number,
    agent,
    listed: entry,
  });
  transition(tx, jobContactLifecycle, entry, 'call', { call_id: call.id });
  return 'called';
}

function refuse(tx: Tx, entry: Row<'job_contacts'>, code: string): void {
  transition(tx, jobContactLifecycle, entry, 'refuse', { outcome: 'refused', failure_code: code });
}

function defer(tx: Tx, entry: Row<'job_contacts'>, until: number, refusals: number): void {
  transition(tx, jobContactLifecycle, entry, 'defer', { refusals });
  const subject = { table: 'job_contacts', id: entry.id } as const;
  tx.schedule({ type: 'fire', subject, trigger: 'due', input: {} }, until);
}

const isRetryable = (code: keyof typeof allErrors): boolean => (allErrors[code] as ErrorRow).retryable;

/** What a check refuses with; undefined where it passes. */
function refusalBy(check: () => void): ApiError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
