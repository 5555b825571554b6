import { expect } from 'vitest';
import type { Task } from '../../src/lifecycles/tasks.ts';
import type { DeliveryEntry, DeliveryStatus, JournalName, Row } from '../../src/model.ts';
import type { Appended } from '../../src/store/history.ts';
import type { FixtureView, NewWorld, Store, Tx } from '../../src/store/store.ts';

export const ORGANIZATION = '00000000-0000-4000-8000-00000000000a';

/** A delivery of `new_call`. */
export const delivery = (id: string, status: DeliveryStatus, body = ''): DeliveryEntry => ({
  id,
  at: '',
  event_id: 'evt',
  event_type: 'new_call',
  subscription_id: 'whk',
  organization_id: ORGANIZATION,
  url: '',
  body,
  status,
  schema_violations: [],
  attempts: [],
  next_attempt_at: null,
  subject: null,
  epoch: 1,
  cause: 'evt',
});
export const WORLD = 'w';
export const START = 1_000_000;

export const contact = (id: string, rank: number, name = id): Row<'contacts'> => ({
  id,
  name,
  phone_number: null,
  email: null,
  status: null,
  source: null,
  metadata: null,
  created_at: '2026-01-05T15:00:00.000Z',
  updated_at: '2026-01-05T15:00:00.000Z',
  private: { organization_id: ORGANIZATION, rank },
});

/** Only what indexes, bounds and usage read. */
export const callOf = (id: string, rank: number, status: Row<'calls'>['status'] = 'COMPLETED'): Row<'calls'> =>
  ({
    id,
    status,
    direction: 'outbound',
    from_number: 'f',
    to_number: 't',
    started_at: '2026-01-05T15:00:00.000Z',
    duration_seconds: status === 'COMPLETED' ? 61 : null,
    private: { organization_id: ORGANIZATION, rank },
  }) as Row<'calls'>;

export const ring = (id: string): Task => ({
  type: 'fire',
  subject: { table: 'calls', id },
  trigger: 'ring',
  input: {},
});

/** A fixture of three contacts, under every world of the stores that are tested. */
export const fixture = ['base-1', 'base-2', 'base-3'].map((id, index) => contact(id, index - 3));
export const base: FixtureView = {
  bytes: 0,
  isUnmade: false,
  make: () => [].values(),
  get: (table, id) =>
    (table === 'contacts' ? fixture.find((row) => row.id === id) : undefined) as Row<typeof table> | undefined,
  list: (table, index, value) =>
    table === 'contacts' && index === 'organization' && value === ORGANIZATION
      ? fixture.map(({ id, private: { rank } }) => ({ id, rank }))
      : [],
};

export const appendStep = (tx: Tx, id: string, trigger = ''): void =>
  tx.append('steps', {
    id,
    at: '',
    subject: { table: 'contacts', id: 'x' },
    trigger,
    from: null,
    to: '',
    cause: null,
  });

export const newWorld: NewWorld = {
  name: WORLD,
  seed: 1,
  origin: 'posted',
  organization_id: ORGANIZATION,
  fixture: 'default',
  clock: { mode: 'manual', speed: 0, systemTime: 0, at: START, frozen: false, waited: 0 },
  assumptions: {},
  epoch: 1,
};

/** What a body throws. */
export const fail = new Error('on purpose');

/** What work in pieces returns. */
export function finished<Result>(pieces: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

export async function factsOf(store: Store) {
  const world = await store.world(WORLD);
  if (!world) throw new Error('the world is gone');
  return world;
}

/** What the tests of a driver do with its stores. */
export interface StoreKit {
  storeWithWorld(): Promise<Store>;
  inWorld<T>(store: Store, body: (tx: Tx) => T): Promise<T>;
  /** The ids of the contacts, in the order of a page. */
  idsOf(tx: Tx, newestFirst?: boolean): string[];
  /** Runs a transaction whose body throws at its end. */
  failing(store: Store, body: (tx: Tx) => void): Promise<void>;
}

export function kitFor(makeStore: () => Store | Promise<Store>): StoreKit {
  async function storeWithWorld(): Promise<Store> {
    const store = await makeStore();
    await store.addWorld(newWorld);
    return store;
  }
  const inWorld = <T>(store: Store, body: (tx: Tx) => T): Promise<T> => store.transaction(WORLD, body);
  const idsOf = (tx: Tx, newestFirst = false): string[] =>
    tx.page('contacts', 'organization', ORGANIZATION, { limit: 1000, newestFirst }).map(({ id }) => id);
  const failing = async (store: Store, body: (tx: Tx) => void): Promise<void> => {
    await expect(
      inWorld(store, (tx) => {
        body(tx);
        throw fail;
      }),
    ).rejects.toBe(fail);
  };
  return { storeWithWorld, inWorld, idsOf, failing };
}

/** An API key, which is found by its hash. */
export const apiKey = (id: string, hash: string): Row<'keys'> => ({
  id,
  hash,
  scopes: [],
  is_demo: false,
  requests_per_minute: 1,
  revoked: false,
  created_at: '',
  private: { organization_id: ORGANIZATION, rank: 1 },
});

/** What the journals got after a position and keep, in its latest form and that order. */
export function appendedAfter(
  { history }: Pick<Tx, 'history'>,
  position: number,
  journals?: readonly JournalName[],
): readonly Appended[] {
  return history.appendedAt(history.placesAfter(position, journals), 0, history.position);
}
