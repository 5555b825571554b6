// Every job ends with its whole list, and tells of each contact once.
import { expect } from 'vitest';
import type { ModelWorld } from './model.ts';

/** To be called when nothing is pending any more, and no job is paused. */
export async function checkJobs(world: ModelWorld): Promise<void> {
  const completed = (await world.must('GET', '/_sandbox/events?event_type=workflow_contact_completed&page_size=1000'))
    .data;
  for (const { id, listed } of world.jobs) {
    const { data } = await world.must('GET', `/v1/jobs/${id}`);
    const where = `the job ${id} of ${world.name}: ${JSON.stringify(data)}`;
    expect(['completed', 'canceled'], where).toContain(data.status);
    const told = completed.filter(({ payload }: { payload: { job_id: string } }) => payload.job_id === id);
    if (data.status === 'completed') expect(told, where).toHaveLength(listed);
    expect(told.length, where).toBeLessThanOrEqual(listed);
  }
}
