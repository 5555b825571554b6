// The lifecycle of a job, the outbound campaign of `spec.md` "jobs"; its states are the assumption job_states. When it
// starts or resumes, it begins to call its list; `domain/jobs/dialling.ts` decides who is called when.
import type { Effect } from './effects.ts';
import { noInput } from './forms.ts';
import type { Lifecycle, Transition } from './lifecycle.ts';

/** Makes a job call its next contact, at the same instant. */
export function callNextContact(job: string) {
  const subject = { table: 'jobs', id: job } as const;
  return { type: 'schedule', task: { type: 'call_next_contact', subject } } as const satisfies Effect;
}

const run: Transition<'jobs', 'start' | 'resume'> = {
  to: 'running',
  set: ({ started_at }, { time }) => ({ started_at: started_at ?? time }),
  effects: ({ id }) => [callNextContact(id)],
};

const pause: Transition<'jobs', 'pause'> = { to: 'paused' };

/** Deferred contacts are no longer called. */
const cancel: Transition<'jobs', 'cancel'> = {
  to: 'canceled',
  set: (_, { time }) => ({ ended_at: time }),
  effects: ({ id }) => [{ type: 'cancel_tasks', table: 'job_contacts', index: 'status', value: `${id} deferred` }],
};

export const jobLifecycle: Lifecycle<'jobs'> = {
  table: 'jobs',
  kind: 'job',
  schemas: ['Job'],
  samples: (created_at) => [{ created_at, started_at: null, ended_at: null }],
  // Its last call has ended.
  follows: [{ trigger: 'complete', inputs: [{}] }],
  initial: 'queued',
  status: (job) => job.status,
  withStatus: (job, status) => ({ ...job, status }),
  inputs: { start: noInput },
  transitions: {
    queued: { start: run, pause, cancel },
    running: { complete: { to: 'completed', set: (_, { time }) => ({ ended_at: time }) }, pause, cancel },
    paused: { resume: run, cancel },
    completed: {},
    canceled: {},
  },
};
