// Creates jobs, the outbound campaigns, not yet started; their shape is an assumption (jobs).
import { assumed } from '../../assumptions/catalogue.ts';
import { timestamp } from '../../clock/clock.ts';
import { allocateId } from '../../engine/create.ts';
import type { Owner } from '../../engine/records.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** A queued job; not stored yet. */
export function newJob(
  tx: Tx,
  { organization_id }: Owner,
  { name, agent_id, from_number, concurrency }: JobFields,
): Row<'jobs'> {
  const { id, rank } = allocateId(tx, 'jobs');
  return {
    id,
    name: name ?? null,
    status: 'queued',
    agent_id,
    from_number,
    concurrency: concurrency ?? assumed(tx.state('assumptions'), 'job_concurrency'),
    created_at: timestamp(tx.at),
    started_at: null,
    ended_at: null,
    private: { organization_id, rank, next_poll_at: null },
  };
}

interface JobFields extends Pick<Row<'jobs'>, 'agent_id' | 'from_number'> {
  readonly name?: string | null | undefined;
  readonly concurrency?: number | null | undefined;
}
