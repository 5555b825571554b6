// The life of a job, the outbound campaign of `spec.md` "jobs"; its states are the ledger's (job_states). Whenever it
// begins to run or goes on, it has its list called; who is called when is not its lifecycle's business.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle, Trigger } from './lifecycle.ts';

type Job = Row<'jobs'>;

/** The row at which a job calls whoever is next. */
export const callNext = (id: string): Trigger => ({ subject: { table: 'jobs', id }, trigger: 'call_next' });

const runs = {
  to: 'running',
  set: ({ started_at }: Job, { time }: { time: string }) => ({ started_at: started_at ?? time }),
  schedules: ({ id }: Job) => [callNext(id)],
};
const pause = { to: 'paused' };
const ended = { set: (_: Job, { time }: { time: string }) => ({ ended_at: time }) };
const cancel = { to: 'canceled', ...ended };

export const jobLifecycle: Lifecycle<'jobs'> = {
  kind: 'job',
  table: 'jobs',
  initial: 'queued',
  created: [],
  terminal: ['completed', 'canceled'],
  status: (job) => job.status,
  withStatus: (job, status) => ({ ...job, status: status as Job['status'] }),
  triggers: { start: z.strictObject({}) },
  transitions: {
    queued: { start: runs, pause, cancel },
    running: { complete: { to: 'completed', ...ended }, pause, cancel },
    paused: { resume: runs, cancel },
    completed: {},
    canceled: {},
  },
};
