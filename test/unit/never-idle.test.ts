// What an advance that cannot end says of its world, to whom: it takes 100,000 steps to come to that, so here it has.
import { describe, expect, it } from 'vitest';
import { advance } from '../../src/admin/clock.ts';
import type { Reader } from '../../src/admin/reader.ts';
import type { ScheduledTask } from '../../src/lifecycles/tasks.ts';
import type { StepEntry } from '../../src/model.ts';
import { NeverIdle } from '../../src/scheduler/advance.ts';
import { contact, ORGANIZATION } from '../store/setup.ts';
import { schedulerWith, WORLD } from './scheduler-setup.ts';

const CHILD = '00000000-0000-4000-8000-00000000000b';
const OTHER = '00000000-0000-4000-8000-00000000000c';

const step = (id: string, trigger: StepEntry['trigger']): StepEntry => ({
  id: `step of ${id}`,
  at: '',
  subject: { table: 'contacts', id },
  trigger,
  from: null,
  to: '',
  cause: null,
});

// Tasks are about other records, which have more fields.
const scheduled = (id: string): ScheduledTask => ({
  at: 1,
  order: 1,
  task: { type: 'fire', subject: { table: 'contacts' as 'calls', id }, trigger: 'ring', input: {} },
  cause: null,
});

/** The message for a reader of an advance that ends with this evidence. */
async function messageFor(reader: Reader, evidence: readonly StepEntry[] | ScheduledTask): Promise<string> {
  const { store } = await schedulerWith();
  await store.transaction(WORLD, (tx) => {
    for (const id of [ORGANIZATION, CHILD]) {
      tx.put('contacts', { ...contact(id, 1), private: { organization_id: id, rank: 1 } });
    }
  });
  const scheduler = { advance: () => Promise.reject(new NeverIdle(evidence)) };
  // An advance asks these parts for nothing else.
  const parts = { store, scheduler } as never;
  const error = await advance(parts, WORLD, { until: 'idle', timeoutMs: 1000, ...reader }).catch((thrown) => thrown);
  expect(error.code).toBe('conflict');
  return error.message;
}

describe('an advance that cannot end', () => {
  it.each([
    ['the whole world', {}],
    ['its organization', { organization: ORGANIZATION }],
    ['the child whose record it is', { organization: CHILD }],
  ])('names the task that is scheduled again and again to %s', async (_, reader) => {
    expect(await messageFor(reader, scheduled(CHILD))).toMatch(
      `the task ring of contacts ${CHILD} was scheduled 100000`,
    );
  });

  it.each([CHILD, OTHER])('names no task of another organization to a child', async (organization) => {
    const message = await messageFor({ organization }, scheduled(ORGANIZATION));
    expect(message).toMatch('a task of another organization was scheduled 100000 times');
    expect(message).not.toMatch(ORGANIZATION);
  });

  it('counts the latest steps that its reader may see', async () => {
    const steps = [
      ...Array(5000).fill(step(ORGANIZATION, 'cancel')),
      ...Array(600).fill(step(ORGANIZATION, 'ring')),
      ...Array(400).fill(step(CHILD, 'answer')),
    ];
    expect(await messageFor({}, steps)).toMatch('the most frequent: ring of contacts, answer of contacts.');
    expect(await messageFor({ organization: CHILD }, steps)).toMatch('the most frequent: answer of contacts.');
    const others = await messageFor({ organization: OTHER }, steps);
    expect(others).toMatch('after 100000 steps; the latest are of another organization.');
  });
});
