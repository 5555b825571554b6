// How a job comes through with someone on its list: called, kept back for a while, and finished once, by the end of the
// call or by a refusal. No scenario plays it; what happens to them is the business of their calls.
import type { Row } from '../model.ts';
import { callNext } from './job.ts';
import type { Lifecycle, TriggerContext } from './lifecycle.ts';

type JobContact = Row<'job_contacts'>;

const finished = {
  to: 'completed',
  set: (_: JobContact, { with: given }: TriggerContext): Partial<JobContact> => ({
    outcome: given.outcome as JobContact['outcome'],
    failure_code: given.failure_code as string | null,
  }),
  emits: ['workflow_contact_completed'],
} as const;
const next = { schedules: ({ private: { job_id } }: JobContact) => [callNext(job_id)] };

export const jobContactLifecycle: Lifecycle<'job_contacts'> = {
  kind: 'job_contact',
  table: 'job_contacts',
  initial: 'pending',
  created: [],
  terminal: ['completed'],
  status: (entry) => entry.status,
  withStatus: (entry, status) => ({ ...entry, status: status as JobContact['status'] }),
  triggers: {},
  transitions: {
    pending: {
      call: { to: 'calling', set: (_, { with: given }) => ({ call_id: given.call_id as string }) },
      refuse: finished,
      defer: {
        to: 'deferred',
        set: (entry, { with: given }) => ({ private: { ...entry.private, refusals: given.refusals as number } }),
      },
    },
    calling: { finish: { ...finished, ...next } },
    deferred: { due: { to: 'pending', ...next } },
    completed: {},
  },
};
