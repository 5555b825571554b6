// The whole table of every lifecycle, against the rows in `transitions/`: what each trigger makes of a record in each
// status, field by field, and nothing else.

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/lifecycles/effects.ts';
import { lifecycles } from '../../src/lifecycles/index.ts';
import { applyTransition, type Lifecycle } from '../../src/lifecycles/lifecycle.ts';
import type { LifecycleTable } from '../../src/lifecycles/triggers.ts';
import { keysOf } from '../../src/typed-keys.ts';
import { inputs } from './lifecycle-steps.ts';
import { displayIdentities, documents, enterprises, remediations } from './transitions/caller-trust.ts';
import { calls, jobContacts, jobs, messages } from './transitions/calls-and-jobs.ts';
import { callerIds, cnamListings, phoneNumbers, textingRegistrations } from './transitions/numbers.ts';
import { AT, before, related } from './transitions/records.ts';
import type { Follows, Rows } from './transitions/rows.ts';

const tables: { readonly [Table in LifecycleTable]: Rows } = {
  calls,
  messages,
  jobs,
  job_contacts: jobContacts,
  phone_numbers: phoneNumbers,
  cnam_listings: cnamListings,
  caller_ids: callerIds,
  texting_registrations: textingRegistrations,
  enterprises,
  documents,
  remediations,
  display_identities: displayIdentities,
};

/** Where a transition has another input than the one that all tables share. */
const ownInputs: Partial<Record<LifecycleTable, Readonly<Record<string, object>>>> = {
  cnam_listings: { submit: { display_name: 'PIER' } },
};

describe.each(keysOf(tables))('the transitions of %s', (table) => {
  const lifecycle = lifecycles[table] as Lifecycle<LifecycleTable>;
  const triggers: Readonly<Record<string, object>> = { ...inputs[table], ...ownInputs[table] };

  it('are those of the table, and change what it says', () => {
    const found: Record<string, Follows> = {};
    for (const status of keysOf(lifecycle.transitions)) {
      for (const [trigger, input] of Object.entries(triggers)) {
        const record = lifecycle.withStatus(before[table] as never, status);
        const applied = applyTransition(lifecycle, record, trigger as never, input as never, AT, {});
        if (!applied) continue;
        expect([lifecycle.status(record), lifecycle.status(applied.record), applied.from]).toEqual([
          status,
          applied.to,
          status,
        ]);
        const withOldStatus = lifecycle.withStatus(applied.record, status);
        found[`${status} ${trigger}`] = {
          to: applied.to,
          changes: changed(record, withOldStatus),
          events: applied.events,
          effects: applied.effects.map(shown),
        };
      }
    }
    const rows = Object.entries(tables[table]);
    const complete = rows.map(([key, row]) => [key, { changes: {}, events: [], effects: [], ...row }]);
    expect(found).toStrictEqual(Object.fromEntries(complete));
  });
});

/** The fields that have another value afterwards. */
function changed(earlier: object, later: object): object {
  const was = new Map<string, unknown>(Object.entries(earlier));
  const is = new Map<string, unknown>(Object.entries(later));
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const differing = names.filter((name) => !isDeepStrictEqual(was.get(name), is.get(name)));
  return Object.fromEntries(
    differing.map((name) => {
      const [from, to] = [was.get(name), is.get(name)];
      return [name, name === 'private' || name === 'phone_number' ? inside(from, to) : to];
    }),
  );
}

/** Of a field that is an object of which parts change, those. */
const inside = (from: unknown, to: unknown): unknown =>
  from !== null && typeof from === 'object' && to !== null && typeof to === 'object' ? changed(from, to) : to;

/** An update by what it changes. */
function shown(effect: Effect): object {
  if (effect.type !== 'update') return effect;
  const { set, ...rest } = effect;
  const record = related[effect.table] ?? {};
  return { ...rest, changes: changed(record, (set as (record: object) => object)(record)) };
}
