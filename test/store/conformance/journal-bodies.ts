import { expect, it } from 'vitest';
import type { EventEntry, Journals, RequestEntry, StepEntry } from '../../../src/model.ts';
import type { Tx } from '../../../src/store/store.ts';
import { recorded, requestEntry } from '../../support/journal-entries.ts';
import { appendedAfter, ORGANIZATION, type StoreKit } from '../setup.ts';

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

const request = (id: string, asked: string, answered: string): RequestEntry =>
  requestEntry({ id, request: recorded(asked), response: recorded(answered) });

const step = (id: string, trigger: string): StepEntry => ({
  id,
  at: '',
  subject: { table: 'calls', id: `call of ${id}` },
  trigger,
  from: null,
  to: 'QUEUED',
  cause: null,
});

const scenario = { name: 'busy', parameters: { ring: '2s' }, source: 'header', outranked: [] } as const;

/** Values that make an entry another one than the usual, by each of its fields: a new field needs some too. */
type Changes<Entry> = { readonly [Field in keyof Required<Omit<Entry, 'id' | 'at'>>]: readonly Entry[Field][] };

const requestChanges: Changes<RequestEntry> = {
  method: ['PUT'],
  path: ['/é'],
  query: ['q=1'],
  operation: ['getCall'],
  key_id: ['key'],
  status: [409],
  error_code: ['conflict'],
  duration_ms: [7],
  replayed: [true],
  fault: ['reset;when=after'],
  faults: [[{ id: 'f', effect: 'reset' }]],
  scenario: [scenario],
  request: [recorded('asked', { c: '3' }), { ...recorded('x'), body_bytes: 9, body_sha256: 'h' }],
  response: [
    recorded('told', { a: '1', b: 'x' }),
    recorded('told', { b: '2', a: '1' }),
    recorded('told', { a: '1', b: '2', c: '3' }),
    recorded('told', { a: '1', ['__proto__']: '2' }),
  ],
};

const eventChanges: Changes<EventEntry> = {
  event_type: ['phone_call.ended'],
  subject: [null, { table: 'calls', id: 'other' }, { table: 'jobs', id: 'c' }],
  organization_id: ['another'],
  body: ['{"€":1}'],
  signed: [true],
  schema_violations: [['a', 'b']],
  deliveries: [2],
  unheard: [['other_campaign'], []],
  cause: ['stp'],
};

const stepChanges: Changes<StepEntry> = {
  subject: [
    { table: 'calls', id: 'other' },
    { table: 'jobs', id: 'c' },
  ],
  trigger: ['ring'],
  from: ['QUEUED'],
  to: [null],
  cause: [''],
  scenario: [scenario],
  error: ['it failed'],
};

/** For each of the changes alone, the entry between two of the usual ones. */
const changed = <Entry extends object>(usual: Entry, changes: Changes<Entry>): Entry[][] =>
  Object.entries<readonly unknown[]>(changes).flatMap(([field, values]) =>
    values.map((value) => [usual, { ...usual, [field]: value }, usual]),
  );

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
    const told = await inWorld(store, (tx) => appendedAfter(tx, 0, ['events']));
    expect(told.map(({ entry }) => entry)).toEqual([...expected.events.values()].slice(-10));
    const { journals } = await store.dump('w', 0);
    expect(journals.events.entries).toEqual([...expected.events.values()].slice(-10));
  });

  it('keeps requests, events and steps as they were, in whatever they differ from the one before', async () => {
    const store = await storeWithWorld();
    let id = 0;
    const named = <Entry>(entry: Entry) => ({ ...entry, id: `n${id++}`, at: `${id}` });
    const expectKept = async <Name extends 'requests' | 'events' | 'steps'>(name: Name, entries: Journals[Name][]) => {
      await inWorld(store, (tx) => entries.map((entry) => tx.append(name, entry)));
      const kept = await inWorld(store, (tx) => tx.journal(name).entries.slice(-entries.length));
      expect(JSON.stringify(kept)).toBe(JSON.stringify(entries));
    };
    const response = recorded('told', { a: '1', b: '2' });
    const asked = requestEntry({ id: '', request: recorded('asked'), response });
    const about: EventEntry = { ...event('', '{}'), subject: { table: 'calls', id: 'c' } };
    for (const each of changed(asked, requestChanges)) await expectKept('requests', each.map(named));
    for (const each of changed(about, eventChanges)) await expectKept('events', each.map(named));
    for (const each of changed(step('', 'create'), stepChanges)) await expectKept('steps', each.map(named));
  });
}
