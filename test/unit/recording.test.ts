// What the answer of an advance lists and counts: what commits of its world have appended since it began.
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../src/clock/clock.ts';
import type { DeliveryAttempt, DeliveryEntry, DeliveryStatus, StepEntry } from '../../src/model.ts';
import type { MayList } from '../../src/scheduler/advance.ts';
import { MAX_LISTED, Recording } from '../../src/scheduler/recording.ts';
import type { Appended } from '../../src/store/history.ts';
import type { Store, Tx, WorldListener } from '../../src/store/store.ts';
import { delivery as pending } from '../store/setup.ts';

const WORLD = 'w';
const START = Date.UTC(2026, 0, 5, 15);

/** As much of a store as a recording uses; transactions are counted. */
function recorded(mayList?: MayList) {
  const listeners = new Set<readonly [string, WorldListener]>();
  const counted = { transactions: 0 };
  const store: Pick<Store, 'watch' | 'transaction'> = {
    watch(watched, listener) {
      const entry = [watched, listener] as const;
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    async transaction(_, body) {
      counted.transactions += 1;
      return body({} as Tx);
    },
  };
  // A recording asks the store for nothing else.
  const recording = new Recording(store as Store, WORLD, mayList);
  recording.startedAt = timestamp(START);
  const commit = (appended: readonly Appended[], world = WORLD): void => {
    for (const [watched, listener] of listeners) {
      if (watched === world) listener({ world, epoch: 1, appended, schedule: null });
    }
  };
  return { recording, commit, counted, listeners };
}

const place = { amended: false, position: 0 };
const step = (id: string): Appended => {
  const entry: StepEntry = {
    id,
    at: timestamp(START),
    subject: { table: 'calls', id },
    trigger: 'ring',
    from: null,
    to: 'RINGING',
    cause: null,
  };
  return { journal: 'steps', entry, ...place };
};

/** Attempts by when they were made, in seconds after the start; reasons other than the event follow a slash. */
function delivery(id: string, status: DeliveryStatus, ...attempts: string[]): Appended {
  const made = attempts.map((text, n): DeliveryAttempt => {
    const [at, reason] = text.split('/');
    const rest = { request_headers: {}, status: 200, response_headers: {}, response_body: '', latency_ms: 0 };
    const own = reason === undefined ? {} : { reason: reason as 'retry' };
    return { number: n + 1, at: timestamp(START + Number(at) * 1000), ...rest, error_class: null, error: null, ...own };
  });
  const entry: DeliveryEntry = { ...pending(id, status), attempts: made };
  return { journal: 'deliveries', entry, ...place };
}

const tick = (amended: boolean): Appended => ({ journal: 'ticks', entry: {} as never, amended, position: 0 });

describe('a recording', () => {
  it('counts every step and tick of its world, and lists the first thousand steps', () => {
    const { recording, commit, listeners } = recorded();
    const ids = Array.from({ length: MAX_LISTED + 1 }, (_, n) => `step-${n}`);
    commit(ids.map(step));
    commit([step('elsewhere'), tick(false)], 'another');
    expect(recording.steps.map(({ id }) => id)).toEqual(ids.slice(0, MAX_LISTED));
    expect([recording.ran, recording.totals]).toEqual([ids.length, { steps: ids.length, deliveries: 0 }]);
    commit([tick(false), tick(true), tick(false)]);
    expect(recording.totals.ticks).toBe(2);
    recording.end();
    expect(listeners.size).toBe(0);
  });

  it('keeps the latest steps, as evidence, and never more than two thousand', () => {
    const { recording, commit } = recorded();
    const lengths = Array.from({ length: 2 * MAX_LISTED }, (_, n) => {
      commit([step(`step-${n}`)]);
      return recording.latestSteps.length;
    });
    expect(Math.max(...lengths)).toBe(2 * MAX_LISTED - 1);
    expect(recording.latestSteps.map(({ id }) => id)).toEqual(
      Array.from({ length: MAX_LISTED }, (_, n) => `step-${MAX_LISTED + n}`),
    );
  });

  it.each<[string, Appended[], number | undefined]>([
    ['that is sent', [delivery('d', 'pending'), delivery('d', 'in_flight'), delivery('d', 'delivered', '1')], 1],
    ['that is never attempted', [delivery('d', 'pending'), delivery('d', 'canceled')], undefined],
    ['that is still open', [delivery('d', 'in_flight', '1')], undefined],
    ['that is sent twice', [delivery('d', 'in_flight', '1'), delivery('d', 'delivered', '1', '1/duplicate')], 2],
    ['that fails and is tried again', [delivery('d', 'failed', '1'), delivery('d', 'delivered', '1', '5/retry')], 2],
    ['that failed and is canceled', [delivery('d', 'failed', '1'), delivery('d', 'canceled', '1')], 1],
    ['that is being sent again', [delivery('d', 'delivered', '1'), delivery('d', 'in_flight', '1')], 1],
    ['of before, sent again by hand', [delivery('d', 'delivered', '-1', '1/redelivery')], 2],
    ['of before, at the instant of the beginning', [delivery('d', 'delivered', '0')], 1],
    ['that is of no plan any more', [delivery('d', 'canceled', '1')], undefined],
    ['that was counted, whose retry alone is left', [delivery('d', 'delivered', '1', '2/retry')], undefined],
    ['that was sent twice and tried before', [delivery('d', 'delivered', '1', '2', '2/duplicate')], undefined],
  ])('lists a delivery %s as it was when its last attempt had ended', (_, entries, attempts) => {
    const { recording, commit } = recorded();
    for (const each of entries) commit([each]);
    expect(recording.deliveries().map((each) => each.attempts.length)).toEqual(
      attempts === undefined ? [] : [attempts],
    );
    expect(recording.totals.deliveries).toBe(attempts === undefined ? 0 : 1);
  });

  it('takes every delivery for one of before until it knows when it began', () => {
    const { recording, commit } = recorded();
    recording.startedAt = new Recording({ watch: () => () => {} } as never, WORLD).startedAt;
    commit([delivery('a', 'delivered', '1', '2/redelivery'), delivery('a', 'delivered', '1', '2/redelivery')]);
    expect(recording.totals.deliveries).toBe(1);
  });

  it('lists for one who may not see everything what that one may, once it is decided, and counts no more', async () => {
    const mayList: MayList = (_, { entry }) => entry.id.startsWith('own');
    const { recording, commit, counted } = recorded(mayList);
    commit([step('own-1'), step('other'), tick(false), delivery('own-2', 'delivered', '1')]);
    commit([delivery('other', 'delivered', '1')]);
    expect([recording.steps, recording.totals, recording.ran]).toEqual([[], { steps: 0, deliveries: 0, ticks: 1 }, 2]);
    await recording.decide();
    await recording.decide();
    expect(counted.transactions).toBe(1);
    expect(recording.totals).toEqual({ steps: 1, deliveries: 1, ticks: 1 });
    expect([...recording.steps, ...recording.deliveries()].map(({ id }) => id)).toEqual(['own-1', 'own-2']);
    expect(recording.latestSteps.map(({ id }) => id)).toEqual(['own-1', 'other']);
  });

  it('asks for nothing where everything may be listed', async () => {
    const { recording, commit, counted } = recorded();
    commit([step('a')]);
    await recording.decide();
    expect(counted.transactions).toBe(0);
  });
});
