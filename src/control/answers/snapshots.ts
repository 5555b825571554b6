// Answers of the routes of snapshots.
import { z } from 'zod';
import { count, instant } from './fields.ts';

export const Snapshot = z
  .strictObject({
    name: z.string().describe('The name of the snapshot.'),
    created_at: instant,
    clock: z.string().describe('The mode of the clock, such as `manual` or `20x`.'),
    records: count.describe('The records beside those of the fixture.'),
    tasks: count.describe('The scheduled tasks.'),
    entries: count.describe('The entries of its journals.'),
    bytes: count.describe('What it takes of the memory for records, roughly.'),
  })
  .describe('A world as it stood.');

export const SnapshotContent = z
  .strictObject({
    ...Snapshot.shape,
    content: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('The records beside those of the fixture, by table; secrets are redacted.'),
  })
  .describe('A world as it stood, with its records.');
