// Creation, transitions and tasks on a store in memory: what is stored, journaled, emitted and scheduled, and by what.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import { create } from '../../src/engine/create.ts';
import { createTaskRunner, type TaskHandlers } from '../../src/engine/run-task.ts';
import type { PlatformSettings } from '../../src/engine/settings.ts';
import { fire, transition } from '../../src/engine/transition.ts';
import { lifecycles } from '../../src/lifecycles/index.ts';
import type { Row } from '../../src/model.ts';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { base, ORGANIZATION } from '../store/setup.ts';
import { isTwice } from '../support/thorough.ts';

const WORLD = 'w';
const START = Date.UTC(2026, 0, 5, 15);

async function storeWithWorld(): Promise<MemoryStore> {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(1e9) });
  const clock = { mode: 'manual', speed: 0, systemTime: 0, at: START, frozen: false, waited: 0 } as const;
  const facts = { name: WORLD, seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
  return store;
}

const contactOf = (job: string, id: string, owner = ORGANIZATION): Row<'job_contacts'> => ({
  id,
  contact_id: null,
  phone_number: '+12125550150',
  status: 'deferred',
  call_id: null,
  outcome: null,
  failure_code: null,
  private: { organization_id: owner, rank: 1, job_id: job, refusals: 0 },
});

const jobOf = (status: Row<'jobs'>['status']): Row<'jobs'> => ({
  id: 'job-1',
  name: null,
  status,
  agent_id: 'agent-1',
  from_number: '+14155550190',
  concurrency: 1,
  created_at: '2026-01-05T15:00:00.000Z',
  started_at: null,
  ended_at: null,
  private: { organization_id: ORGANIZATION, rank: 1, next_poll_at: null },
});

const stepsOf = (tx: Tx) =>
  tx.journal('steps').entries.map(({ trigger, from, to, cause }) => [trigger, from, to, cause]);

describe('a record that is created', () => {
  it('is stored and journaled, with the entry that caused it', async () => {
    const store = await storeWithWorld();
    await store.transaction(WORLD, (tx) => create(tx, lifecycles.jobs, jobOf('queued')), 'req_1');
    const [job, steps] = await store.transaction(WORLD, (tx) => [tx.get('jobs', 'job-1'), stepsOf(tx)] as const);
    expect(job?.status).toBe('queued');
    expect(steps).toEqual([['create', null, 'queued', 'req_1']]);
  });
});

describe('a transition', () => {
  it('schedules its tasks for the same instant, caused by its own step', async () => {
    const store = await storeWithWorld();
    const scheduled = await store.transaction(
      WORLD,
      (tx) => {
        tx.put('jobs', jobOf('queued'));
        transition(tx, lifecycles.jobs, jobOf('queued'), 'start', {});
        return [tx.nextTask(), tx.journal('steps').entries[0]?.id, tx.cause];
      },
      'req_1',
    );
    const [task, step, cause] = scheduled;
    expect(task).toMatchObject({ at: START, task: { type: 'call_next_contact' }, cause: step });
    expect(cause).toBe('req_1');
  });

  it("to a terminal status cancels the record's own tasks, and those that its effects name in its organization", async () => {
    const store = await storeWithWorld();
    const left = await store.transaction(WORLD, (tx) => {
      tx.put('jobs', jobOf('running'));
      tx.schedule({ type: 'call_next_contact', subject: { table: 'jobs', id: 'job-1' } }, START + 1);
      for (const contact of [
        contactOf('job-1', 'own'),
        contactOf('job-2', 'other'),
        contactOf('job-1', 'foreign', 'o'),
      ]) {
        tx.put('job_contacts', contact);
        const subject = { table: 'job_contacts', id: contact.id } as const;
        tx.schedule({ type: 'fire', subject, trigger: 'due', input: {} }, START + 2);
      }
      transition(tx, lifecycles.jobs, jobOf('running'), 'cancel', {});
      const ids: (string | undefined)[] = [];
      while (tx.taskCount() > 0) ids.push(tx.takeTask(START + 10)?.task.subject.id);
      return ids;
    });
    expect(left).toEqual(['other', 'foreign']);
  });

  it('that the status does not allow does nothing at all', async () => {
    const store = await storeWithWorld();
    const [result, steps] = await store.transaction(WORLD, (tx) => {
      tx.put('jobs', jobOf('completed'));
      return [transition(tx, lifecycles.jobs, jobOf('completed'), 'pause', {}), stepsOf(tx)] as const;
    });
    expect(result).toBeUndefined();
    expect(steps).toEqual([]);
  });
});

describe('a scheduled task', () => {
  const idle = (): void => {};
  const failures: unknown[] = [];
  const handlers: { -readonly [Type in keyof TaskHandlers]: TaskHandlers[Type] } = {
    fire,
    call_next_contact: idle,
    receive_reply: idle,
    assess_remediation: idle,
    send_delivery: idle,
    follow_plans: idle,
    cancel_deliveries: idle,
    tick: idle,
  };
  const runner = createTaskRunner(new ScenarioLibrary(), {} as PlatformSettings, handlers, (step) =>
    failures.push(step.error),
  );
  const due = (id: string) =>
    ({ type: 'fire', subject: { table: 'job_contacts', id }, trigger: 'due', input: {} }) as const;

  it('runs at its own instant and with its own cause', async () => {
    const store = await storeWithWorld();
    const [step, tasks] = await store.transaction(
      WORLD,
      (tx) => {
        tx.put('job_contacts', contactOf('job-1', 'c'));
        runner(tx, { task: due('c'), at: START - 60_000, order: 1, cause: 'stp_before' });
        return [tx.journal('steps').entries[0], tx.nextTask()] as const;
      },
      'req_1',
    );
    expect(step).toMatchObject({ trigger: 'due', at: '2026-01-05T14:59:00.000Z', cause: 'stp_before' });
    expect(tasks).toMatchObject({ at: START - 60_000, task: { type: 'call_next_contact' } });
  });

  it('does nothing if its record is gone, or has moved on', async () => {
    const store = await storeWithWorld();
    const steps = await store.transaction(WORLD, (tx) => {
      runner(tx, { task: due('gone'), at: START, order: 1, cause: null });
      tx.put('job_contacts', { ...contactOf('job-1', 'c'), status: 'completed' });
      runner(tx, { task: due('c'), at: START, order: 2, cause: null });
      return stepsOf(tx);
    });
    expect(steps).toEqual([]);
  });

  // It counts the failures that it is told of.
  it.skipIf(isTwice)('that fails is a step with the error, and what it did is undone', async () => {
    const store = await storeWithWorld();
    const run = (task: object) =>
      store.transaction(WORLD, (tx) => {
        tx.put('job_contacts', contactOf('job-1', 'c'));
        runner(tx, { task: { ...due('c'), ...task } as never, at: START - 1000, order: 1, cause: 'stp_before' });
        return tx.journal('steps').entries.at(-1);
      });
    expect(await run({ type: 'call_nxt' })).toMatchObject({
      at: '2026-01-05T14:59:59.000Z',
      trigger: 'call_nxt',
      cause: 'stp_before',
      error: 'There is no handler for tasks of the type "call_nxt".',
    });
    const { error } = (await run({ trigger: 'deu' })) ?? {};
    expect(error).toMatch('"deu" is not a trigger of job_contacts; it has call,');
    const failing = (tx: Tx): never => {
      tx.schedule(due('other'), START);
      throw new Error('a bug');
    };
    handlers.call_next_contact = failing;
    expect(await run({ type: 'call_next_contact' })).toMatchObject({ trigger: 'call_next_contact', error: 'a bug' });
    expect(await store.transaction(WORLD, (tx) => tx.taskCount())).toBe(0);
    expect(failures).toEqual(['There is no', '"deu" is not', 'a bug'].map((text) => expect.stringContaining(text)));
  });
});
