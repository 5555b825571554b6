import { expect, it } from 'vitest';
import type { EventEntry, RequestEntry } from '../../../src/model.ts';
import type { Tx } from '../../../src/store/store.ts';
import { ORGANIZATION, type StoreKit } from '../setup.ts';

const event = (id: string, body: string): EventEntry => ({
  id,
  at: '',
  event_type: 'new_call',
  subject: null,
  organization_id: ORGANIZATION,
  body,
  schema_violations: [],
  deliveries: 0,
  unheard: ['none_of_that_type'],
  cause: null,
});

const message = (body: string) => ({ headers: {}, body, body_bytes: 0, body_sha256: null });

const request = (id: string, asked: string, answered: string): RequestEntry => ({
  id,
  at: '',
  method: 'POST',
  path: '/',
  query: '',
  operation: null,
  key_id: null,
  status: 200,
  error_code: null,
  duration_ms: 0,
  replayed: false,
  fault: null,
  scenario: null,
  request: message(asked),
  response: message(answered),
});

/** Of lengths around those of the pages that texts are kept on; every seventh is not ASCII, every fifth is empty. */
function bodyOf(n: number): string {
  const length = [10, 300, 1000, 4096, 5000, 70_000][n % 6] ?? 0;
  return n % 5 === 0 ? '' : `${n % 7 === 0 ? '€é' : ''}${n} `.repeat(length).slice(0, length + (n % 3));
}

export function describeJournalBodies({ storeWithWorld, inWorld, failing }: StoreKit): void {
  it('keeps the bodies of requests and events, whatever comes, goes, is amended or undone meanwhile', async () => {
    const store = await storeWithWorld();
    const expected = { requests: new Map<string, RequestEntry>(), events: new Map<string, EventEntry>() };
    const write = (tx: Tx, n: number): void => {
      tx.append('requests', request(`r${n}`, bodyOf(n), bodyOf(n + 1)));
      tx.append('events', event(`e${n}`, bodyOf(n + 2)));
      if (n % 4 === 0) tx.amend('requests', request(`r${n - 3}`, bodyOf(n + 3), bodyOf(n + 4)));
    };
    for (let n = 1; n <= 100; n++) {
      await failing(store, (tx) => write(tx, n));
      await inWorld(store, (tx) => write(tx, n));
      expected.requests.set(`r${n}`, request(`r${n}`, bodyOf(n), bodyOf(n + 1)));
      expected.events.set(`e${n}`, event(`e${n}`, bodyOf(n + 2)));
      if (n % 4 === 0) expected.requests.set(`r${n - 3}`, request(`r${n - 3}`, bodyOf(n + 3), bodyOf(n + 4)));
      const { requests, events } = await inWorld(store, (tx) => ({
        requests: tx.journal('requests').entries,
        events: tx.journal('events').entries,
      }));
      expect(requests).toHaveLength(Math.min(n, 10));
      for (const entry of requests) expect(entry).toEqual(expected.requests.get(entry.id));
      for (const entry of events) expect(entry).toEqual(expected.events.get(entry.id));
    }
    const one = await inWorld(store, (tx) => tx.entry('events', 'e97'));
    expect(one).toEqual(expected.events.get('e97'));
    const told = await inWorld(store, (tx) => tx.history.kept(['events']));
    expect(told.map(({ entry }) => entry)).toEqual([...expected.events.values()].slice(-10));
    const { journals } = await store.dump('w', 0);
    expect(journals.events.entries).toEqual([...expected.events.values()].slice(-10));
  });
}
