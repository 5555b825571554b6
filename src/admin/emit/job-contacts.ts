// The contact on a job's list that a `workflow_contact_completed` emitted by hand is about: one that has finished with
// the given job, contact and call, or else a new one with whatever was not given.
import { addToList } from '../../domain/jobs/list.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers } from '../../fixtures/past-triggers.ts';
import { jobContactLifecycle } from '../../lifecycles/job-contact.ts';
import type { Row } from '../../model.ts';
import { contradicted } from './agreement.ts';
import type { Draft, Firing, RecordSource } from './firing.ts';
import { idOf, orNull, phoneNumber } from './forms.ts';
import { type Call, type End, endsOf, type Parties, partiesOf, partiesOfEntry, storedJob } from './job-parties.ts';

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
    return call || typeof data.job_id !== 'string' ? undefined : onList(firing, data.job_id);
  },
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: (_, entry) => entry,
  drafts: (firing, base) => (base ? endingsOfEntry(firing, base) : newEntries(firing)),
};

/**
 * The contact that `data` names on the list of a job, by its id, by its number, or not at all: one that has finished as
 * `data` says, else one that has not yet.
 */
function onList(firing: Firing, job_id: string): JobContact | undefined {
  const { tx, data } = firing;
  const says = (name: 'contact_id' | 'phone_number', entry: JobContact): boolean =>
    !Object.hasOwn(data, name) || data[name] === entry[name];
  const list = tx.page('job_contacts', 'job', job_id).filter((e) => says('contact_id', e) && says('phone_number', e));
  const isDone = (entry: JobContact): boolean => isAbout(firing.type, entry, tx.state('assumptions'));
  const fitting = list.findLast((entry) => isDone(entry) && contradicted(firing, entry).length === 0);
  const open = fitting ?? list.find((entry) => !isDone(entry));
  return open ?? (typeof data.contact_id === 'string' ? list[0] : undefined);
}

/** How a contact on a list can finish. Its call may be new, and is stored so that it can be read. */
function endingsOfEntry(firing: Firing, base: JobContact): Draft<'job_contacts'>[] {
  const { tx } = firing;
  const parties = partiesOfEntry(firing, base);
  const outline: JobContact = { ...base, status: 'pending', call_id: null, outcome: null, failure_code: null };
  return endsOf(firing, parties).map((end) => {
    const record = finished(outline, end, tx.at);
    return {
      record,
      store() {
        if (end.call && !parties.call) tx.put('calls', placedBy(base, end.call));
        return record;
      },
    };
  });
}

function newEntries(firing: Firing): Draft<'job_contacts'>[] {
  const parties = partiesOf(firing);
  return endsOf(firing, parties).map((end) => newEntry(firing, parties, end));
}

function newEntry({ tx }: Firing, parties: Parties, end: End): Draft<'job_contacts'> {
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
      // If the given call has not ended so, its contact has not finished either, and no job is going to call it.
      const isSo = end.call === parties.call || !parties.call;
      const its = job ?? storedJob(tx, parties, isSo ? 'complete' : 'cancel');
      const [entry] = isSo || !job ? addToList(tx, its, [listed]) : [];
      const record = finished(entry ?? outline, end, tx.at);
      if (isSo) tx.put('job_contacts', record);
      if (end.call && !parties.call) tx.put('calls', placedBy(record, end.call));
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
function placedBy({ id, private: { job_id } }: JobContact, call: Call): Call {
  return { ...call, private: { ...call.private, job_id, job_contact_id: id } };
}
