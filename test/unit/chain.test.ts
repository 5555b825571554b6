// The chain of what happened to a record, as a pure function over the journals: `src/admin/timeline/chain.ts`.
import { expect, it } from 'vitest';
import { chainOf } from '../../src/admin/timeline/chain.ts';
import type { StepEntry } from '../../src/model.ts';
import { requestEntry } from '../support/journal-entries.ts';

const at = '2026-01-05T15:00:00.000Z';
const request = requestEntry({ id: 'req', at, path: '/v1/jobs', operation: 'createJob', status: 201 });
const step = (nth: number): StepEntry => ({
  id: `stp_${nth}`,
  at,
  subject: { table: 'calls', id: `call-${nth}` },
  trigger: 'ring',
  from: 'QUEUED',
  to: 'RINGING',
  cause: nth === 0 ? 'req' : `stp_${nth - 1}`,
});

it('can be as long as the journals', () => {
  const steps = Array.from({ length: 30_000 }, (_, nth) => step(nth));
  const journals = { requests: [request], steps, events: [], deliveries: [] };
  const pieces = chainOf(journals, { owners: [], isOwnRequest: () => true, origins: [] });
  let piece = pieces.next();
  let count = 0;
  for (; !piece.done; count++) piece = pieces.next();
  // It goes through all entries to know what has caused what, to find its own, and to find which of these comes first.
  expect(count).toBe(3 * 30_001);
  const chain = piece.value;
  expect(chain).toHaveLength(30_001);
  expect(chain.at(-1)).toMatchObject({ link: { entry: { id: 'stp_29999' } }, depth: 30_000 });
});
