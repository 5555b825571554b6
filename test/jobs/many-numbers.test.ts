// The list of a job can have thousands of numbers. They are judged in slices, between which requests are answered.
import { expect, it } from 'vitest';
import { noFiles } from '../../src/engine/operation.ts';
import { createJob } from '../../src/operations/jobs.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';

it('judges some numbers at a time, and names those that nobody can be called on', async () => {
  const { loop, afterRequests } = watchedLoop();
  const turns = turnsOn(afterRequests, 1);
  const to_numbers = [...Array.from({ length: 1000 }, (_, n) => `+4930${1_000_000 + n}`), '+911'];
  const problems = await createJob.prepare({ to_numbers }, noFiles, (pieces) => turns.workThrough('w', pieces));
  expect(problems).toEqual({ 'to_numbers.1000': expect.stringContaining('cannot be called') });
  expect(loop.rounds).toBeGreaterThanOrEqual(40);
});
