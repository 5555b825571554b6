// The contact on a job's list that `workflow_contact_completed` fired by hand is about: one that has ended with the job,
// the contact and the call that were given, else a new one with those that were not.
import { addToList } from '../../domain/jobs/list.ts';
import { newJob } from '../../domain/jobs/new-job.ts';
import { ApiError } from '../../errors/api-error.ts';
import { applyTriggers, type CallEnding, callEndings } from '../../fixtures/past-triggers.ts';
import { jobLifecycle } from '../../lifecycles/job.ts';
import { jobContactLifecycle } from '../../lifecycles/job-contact.ts';
import type { Row } from '../../model.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { ended, endedCall } from './calls.ts';
import { contacts } from './contacts.ts';
import { type Firing, newestContact, type RecordSource, textIn } from './firing.ts';

type JobContact = Row<'job_contacts'>;

export const jobContacts: RecordSource<'job_contacts'> = {
  index: () => 'organization',
  asOf: (_, entry) => entry,
  make(firing) {
    const { tx } = firing;
    const contact = contactOf(firing);
    const call = callOf(firing, contact);
    const job = jobOf(firing, call);
    const number = call?.to_number ?? contact?.phone_number ?? textIn(firing, 'phone_number') ?? fictionalNumber(tx);
    addToList(tx, job, [{ contact_id: contact?.id ?? null, phone_number: number }]);
    const entries = tx.page('job_contacts', 'job', job.id, { limit: 1, newestFirst: true });
    const [entry] = entries;
    if (!entry) throw new Error(`the job ${job.id} has lost its contact`);
    const finished = finishedEntry(firing, entry, call);
    tx.put('job_contacts', finished);
    if (call && call.private.job_id === null) {
      tx.put('calls', { ...call, private: { ...call.private, job_id: job.id, job_contact_id: entry.id } });
    }
    return finished;
  },
};

function finishedEntry({ tx: { at }, data }: Firing, entry: JobContact, call: Row<'calls'> | undefined): JobContact {
  if (!call) {
    const failure_code = typeof data.failure_code === 'string' ? data.failure_code : 'dnc_suppressed';
    return applyTriggers(jobContactLifecycle, entry, [
      { trigger: 'refuse', at, input: { outcome: 'refused', failure_code } },
    ]);
  }
  const { call_outcome, failure_code } = call.call_outcome === null ? ended(call, 'answered', at) : call;
  return applyTriggers(jobContactLifecycle, entry, [
    { trigger: 'call', at, input: { call_id: call.id } },
    { trigger: 'finish', at, input: { outcome: call_outcome ?? 'answered', failure_code } },
  ]);
}

/** The given contact, else the one with the number that was given or called, else the newest; none if null was given. */
function contactOf(firing: Firing): Row<'contacts'> | undefined {
  const { tx, owner, data } = firing;
  if (data.contact_id === null) return undefined;
  const given = textIn(firing, 'contact_id');
  if (given !== undefined) return tx.get('contacts', given);
  const number = textIn(firing, 'phone_number') ?? tx.get('calls', textIn(firing, 'call_id') ?? '')?.to_number;
  if (number === undefined) return newestContact(firing) ?? contacts.make(firing);
  const all = tx.page('contacts', 'organization', owner.organization_id, { newestFirst: true });
  return all.find(({ phone_number }) => phone_number === number);
}

/** The given call, else a new one that has ended as the outcome says; none for a contact that was refused. */
function callOf(firing: Firing, contact: Row<'contacts'> | undefined): Row<'calls'> | undefined {
  const given = textIn(firing, 'call_id');
  if (given !== undefined) return firing.tx.get('calls', given);
  const outcome = textIn(firing, 'outcome') ?? 'answered';
  if (outcome === 'refused' || firing.data.call_id === null) return undefined;
  const ending: CallEnding = callEndings.find((each) => each === outcome) ?? 'call_declined';
  const call = endedCall(firing, ending, textIn(firing, 'phone_number') ?? contact?.phone_number ?? undefined);
  firing.tx.put('calls', call);
  return call;
}

/** The given job, else a new one that has completed. */
function jobOf(firing: Firing, call: Row<'calls'> | undefined): Row<'jobs'> {
  const { tx, owner } = firing;
  const given = tx.get('jobs', textIn(firing, 'job_id') ?? call?.private.job_id ?? '');
  if (given) return given;
  const [agent] = tx.page('agents', 'organization', owner.organization_id, { limit: 1 });
  if (!agent) {
    throw new ApiError('conflict', {
      message: 'This organization has no agent, which a job needs.',
      hint: 'Use a fixture with an agent, or name a job in data.job_id.',
    });
  }
  const from_number = call?.from_number ?? agent.phone_number?.phone_number ?? fictionalNumber(tx);
  const job = applyTriggers(jobLifecycle, newJob(tx, owner, { agent_id: agent.id, from_number }), [
    { trigger: 'start', at: tx.at, input: {} },
    { trigger: 'complete', at: tx.at, input: {} },
  ]);
  tx.put('jobs', job);
  return job;
}
