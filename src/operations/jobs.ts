// Jobs, the outbound campaigns that replace workflows: an agent calls all contacts on a list, a limited number at a time.
// Their shape and states are the ledger's (jobs, job_states).
import { assumed } from '../assumptions/catalogue.ts';
import type { Schemas } from '../contract/document.ts';
import { checkEnabled } from '../domain/agents/agent-state.ts';
import { numberToCallFrom } from '../domain/calls/number-to-call-from.ts';
import { addToList, checkContacts, checkList, problemsInList } from '../domain/jobs/list.ts';
import { newJob } from '../domain/jobs/new-job.ts';
import { create } from '../engine/create.ts';
import { type Caller, created, type Operation, ok, type ScenarioOperation } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { findRecord, findReferenced } from '../engine/records.ts';
import { transition } from '../engine/transition.ts';
import { ApiError } from '../errors/api-error.ts';
import { callLifecycle } from '../lifecycles/call.ts';
import { jobLifecycle } from '../lifecycles/job.ts';
import { statusAfter } from '../lifecycles/lifecycle.ts';
import { type Row, wireOf } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const createJob: ScenarioOperation<'createJob', Readonly<Record<string, string>>> = {
  plays: { kind: 'job' },
  prepare: problemsInList,
  precheck: { fields: [], check: checkList },
  handle({ body, caller, selection }, tx) {
    const agent = findReferenced(tx, 'agents', body.agent_id, caller, 'agent_id');
    const contacts = (body.contact_ids ?? []).map((id, position) =>
      findReferenced(tx, 'contacts', id, caller, `contact_ids.${position}`),
    );
    checkContacts(contacts);
    checkEnabled(tx, agent);
    const from_number = numberToCallFrom(tx, caller, body.from_number, agent);
    const { name, concurrency } = body;
    const job = newJob(tx, caller, { name, agent_id: agent.id, from_number, concurrency });
    addToList(tx, job, [
      ...contacts.map((contact) => ({ contact_id: contact.id, phone_number: contact.phone_number })),
      ...(body.to_numbers ?? []).map((phone_number) => ({ contact_id: null, phone_number })),
    ]);
    create(tx, jobLifecycle, job, selection);
    return created(serializeJob(tx, job));
  },
};

export const listJobs: Operation<'listJobs'> = {
  handle({ caller, query }, tx) {
    const options = { ...query, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'jobs', 'organization', caller.organization_id, options);
    return ok(
      rows.map((job) => serializeJob(tx, job)),
      counted,
    );
  },
};

export const getJob: Operation<'getJob'> = {
  handle({ params, caller }, tx) {
    return ok(serializeJob(tx, findRecord(tx, 'jobs', params.id, caller)));
  },
};

export const pauseJob: Operation<'pauseJob'> = {
  handle: ({ params, caller }, tx) => ok(serializeJob(tx, act(tx, params.id, caller, 'pause'))),
};

export const resumeJob: Operation<'resumeJob'> = {
  handle: ({ params, caller }, tx) => ok(serializeJob(tx, act(tx, params.id, caller, 'resume'))),
};

export const cancelJob: Operation<'cancelJob'> = {
  handle({ params, caller }, tx) {
    const job = act(tx, params.id, caller, 'cancel');
    if (assumed(tx.state('assumptions'), 'job_cancellation') === 'hangup') hangUpCalls(tx, job);
    return ok(serializeJob(tx, job));
  },
};

/** Hangs up the calls of a job that are in progress, which finishes their contacts. */
function hangUpCalls(tx: Tx, job: Row<'jobs'>): void {
  for (const { call_id } of tx.page('job_contacts', 'status', `${job.id} calling`)) {
    const call = call_id === null ? undefined : tx.get('calls', call_id);
    if (call) transition(tx, callLifecycle, call, 'hangup', {});
  }
}

/** What clients can do to a job, with the past participle that messages use. */
const actions = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;

/** Fires a trigger of the job that a path names; `conflict` if the job's status does not allow it. */
function act(tx: Tx, id: string, caller: Caller, trigger: keyof typeof actions): Row<'jobs'> {
  const job = findRecord(tx, 'jobs', id, caller);
  const changed = transition(tx, jobLifecycle, job, trigger, {});
  if (changed) return changed;
  const states = Object.keys(jobLifecycle.transitions).filter((state) => statusAfter(jobLifecycle, state, trigger));
  const possible = Object.keys(actions).filter((action) => statusAfter(jobLifecycle, job.status, action));
  throw new ApiError('conflict', {
    message: `The job is ${job.status}; only a ${states.join(' or ')} job can be ${actions[trigger]}.`,
    hint: possible.length > 0 ? `Possible now: ${possible.join(', ')}.` : 'Create another job; this one has ended.',
    assumption: 'job_states',
  });
}

/** A job with its progress, which is counted and not stored. */
function serializeJob(tx: Tx, job: Row<'jobs'>): Schemas['Job'] {
  const { id, name, status, agent_id, from_number, concurrency, ...times } = wireOf(job);
  return { id, name, status, agent_id, from_number, concurrency, progress: progressOf(tx, id), ...times };
}

function progressOf(tx: Tx, job: string): Schemas['JobProgress'] {
  const count = (status: Row<'job_contacts'>['status']): number =>
    tx.count('job_contacts', 'status', `${job} ${status}`);
  const ended = (outcome: Schemas['JobOutcome']): number => tx.count('job_contacts', 'outcome', `${job} ${outcome}`);
  return {
    total: tx.count('job_contacts', 'job', job),
    pending: count('pending') + count('deferred'),
    in_progress: count('calling'),
    completed: count('completed'),
    outcomes: {
      answered: ended('answered'),
      busy: ended('busy'),
      no_answer: ended('no_answer'),
      voicemail: ended('voicemail'),
      failed: ended('failed'),
      canceled: ended('canceled'),
      refused: ended('refused'),
    },
  };
}
