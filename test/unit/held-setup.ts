// A world in a memory store with subscriptions and deliveries, for tests of delivery plans without a server.
import { createBudget } from '../../src/budget/budget.ts';
import type { DeliveryEntry, DeliveryPlan, Row, Subject } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import { base, delivery, ORGANIZATION } from '../store/setup.ts';

export const WORLD = 'w';
export const START = Date.UTC(2026, 0, 5, 15);
const URL = 'http://127.0.0.1:9/hook';

export interface PlannedWorld {
  readonly store: Store;
  readonly transaction: <Result>(body: (tx: Tx) => Result) => Promise<Result>;
  /** Moves the clock to an instant after the start, in seconds. */
  readonly at: (seconds: number) => Promise<void>;
}

/** `memory` in bytes. */
export async function plannedWorld(assumptions = {}, memory = 1e9): Promise<PlannedWorld> {
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, budget: createBudget(memory) });
  const clock = { mode: 'manual', speed: 0, systemTime: 0, at: START, frozen: false, waited: 0 } as const;
  const facts = { name: WORLD, seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  await store.addWorld({ ...facts, clock, assumptions, epoch: 1 });
  const transaction = <Result>(body: (tx: Tx) => Result): Promise<Result> => store.transaction(WORLD, body);
  const at = (seconds: number): Promise<void> =>
    transaction((tx) => tx.setState('clock', { ...tx.state('clock'), at: START + seconds * 1000 }));
  return { store, transaction, at };
}

/** A subscription, stored with its plan. */
export function subscriptionOf(tx: Tx, id: string, plan?: DeliveryPlan): Row<'subscriptions'> {
  const subscription = {
    id,
    webhook_url: URL,
    event_type: 'new_call',
    private: { organization_id: ORGANIZATION, rank: 1, signing_secret: null, ...(plan && { plan }) },
  } as Row<'subscriptions'>;
  tx.put('subscriptions', subscription);
  return subscription;
}

/** A delivery to be placed, about a record unless that is null. */
export const pendingOf = (
  id: string,
  subscription_id: string,
  subject: Subject | null = { table: 'calls', id: 'call-1' },
  more: Partial<DeliveryEntry> = {},
): DeliveryEntry => ({
  ...delivery(id, 'pending'),
  at: '2026-01-05T15:00:00.000Z',
  event_id: `event of ${id}`,
  subscription_id,
  organization_id: ORGANIZATION,
  url: URL,
  subject,
  ...more,
});

/** The deliveries by id: status, why each is held, when it is sent (in seconds after the start), and what the plan did. */
export function placed(tx: Tx): Record<string, string> {
  const shown = ({ id, status, held_by, next_attempt_at, next }: DeliveryEntry): [string, string] => {
    const due = next_attempt_at === null ? '' : `in ${(Date.parse(next_attempt_at) - START) / 1000}`;
    return [id, [status, held_by, due, next?.effects?.join('+')].filter(Boolean).join(' ')];
  };
  return Object.fromEntries(tx.journal('deliveries').entries.map(shown));
}
