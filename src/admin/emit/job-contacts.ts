// The contact on a job's list that `workflow_contact_completed` fired by hand is about: one that has finished with the job,
// the contact and the call that were given, else a new one with those that were not.
import { addToList } from '../../domain/jobs/list.ts';
import { applyTriggers } from '../../fixtures/past-triggers.ts';
import { jobContactLifecycle } from '../../lifecycles/job-contact.ts';
import type { Row } from '../../model.ts';
import { contradicted } from './agreement.ts';
import type { Draft, Firing, RecordSource } from './firing.ts';
import { idOf, orNull, phoneNumber } from './forms.ts';
import { type Call, type End, endsOf, type Parties, partiesOf, storedJob } from './job-parties.ts';

type JobContact = Row<'job_contacts'>;

export const jobContacts: RecordSource<'job_contacts'> = {
  forms: () => ({
    job_id: idOf('a job'),
    contact_id: orNull(idOf('a contact')),
    call_id: orNull(idOf('a call')),
    phone_number: phoneNumber,
  }),
  named(firing) {
    const { tx, data } = firing;
    const call = typeof data.call_id === 'string' ? tx.get('calls', data.call_id) : undefined;
    const called = call?.private.job_contact_id;
    if (called) return tx.get('job_contacts', called);
    if (typeof data.job_id !== 'string' || typeof data.contact_id !== 'string') return undefined;
    const entries = tx
      .page('job_contacts', 'job', data.job_id)
      .filter(({ contact_id }) => contact_id === data.contact_id);
    return entries.find((entry) => contradicted(firing, entry).length === 0) ?? entries[0];
  },
  among: ({ data, owner }) =>
    typeof data.job_id === 'string' ? ['job', data.job_id] : ['organization', owner.organization_id],
  asOf: (_, entry) => entry,
  drafts(firing) {
    const parties = partiesOf(firing);
    return endsOf(firing, parties).map((end) => draft(firing, parties, end));
  },
};

function draft({ tx }: Firing, parties: Parties, end: End): Draft<'job_contacts'> {
  const { owner, contact, phone_number, job } = parties;
  const listed = { contact_id: contact?.record.id ?? null, phone_number };
  const outline: JobContact = {
    ...listed,
    id: '',
    status: 'pending',
    call_id: null,
    outcome: null,
    failure_code: null,
    private: { ...owner, rank: 0, job_id: job?.id ?? '', refusals: 0 },
  };
  return {
    record: finished(outline, end, tx.at),
    store() {
      contact?.store();
      const its = storedJob(tx, parties);
      const [entry = outline] = addToList(tx, its, [listed]);
      const record = finished(entry, end, tx.at);
      tx.put('job_contacts', record);
      if (end.call) tx.put('calls', placedBy(its, entry, end.call));
      return record;
    },
  };
}

function finished(entry: JobContact, { call, failure_code }: End, at: number): JobContact {
  if (!call) {
    return applyTriggers(jobContactLifecycle, entry, [
      { trigger: 'refuse', at, input: { outcome: 'refused', failure_code: failure_code ?? '' } },
    ]);
  }
  return applyTriggers(jobContactLifecycle, entry, [
    { trigger: 'call', at, input: { call_id: call.id } },
    { trigger: 'finish', at, input: { outcome: call.call_outcome ?? 'answered', failure_code: call.failure_code } },
  ]);
}

/** The call as one that a job has placed to a contact on its list. */
function placedBy(job: Row<'jobs'>, entry: JobContact, call: Call): Call {
  return { ...call, private: { ...call.private, job_id: job.id, job_contact_id: entry.id } };
}
