// The lifecycle of a contact on a job's list: called, deferred for a while, and finished once, by the end of the call or by a
// refusal. No scenario plays it; the scenario of the call decides how a contact reacts.
import { noInput } from './forms.ts';
import { callNextContact } from './job.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

const finish: Transition<'job_contacts', 'finish' | 'refuse'> = {
  to: 'completed',
  set: (_, { input: { outcome, failure_code } }) => ({ outcome, failure_code }),
};

export const jobContactLifecycle: Lifecycle<'job_contacts'> = {
  table: 'job_contacts',
  kind: null,
  schemas: [],
  initial: 'pending',
  status: (contact) => contact.status,
  withStatus: (contact, status) => ({ ...contact, status }),
  inputs: { due: noInput },
  transitions: {
    pending: {
      call: { to: 'calling', set: (_, { input: { call_id } }) => ({ call_id }) },
      refuse: { ...finish, emits: ['workflow_contact_completed'] },
      defer: {
        to: 'deferred',
        set: (contact, { input: { refusals } }) => ({ private: { ...contact.private, refusals } }),
      },
    },
    calling: {
      finish: {
        ...finish,
        emits: ['workflow_contact_completed'],
        effects: ({ private: { job_id } }) => [callNextContact(job_id)],
      },
    },
    deferred: { due: { to: 'pending', effects: ({ private: { job_id } }) => [callNextContact(job_id)] } },
    completed: {},
  },
};
