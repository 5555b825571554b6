// Idempotency keys and what is kept under them, on a store of their own: forms, expiry on each clock, and what goes.
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/budget/budget.ts';
import type { ClockMode } from '../../src/clock/clock.ts';
import { findReplay, keepResult, readIdempotencyKey } from '../../src/engine/idempotency.ts';
import type { Caller } from '../../src/engine/operation.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { base, ORGANIZATION } from '../store/setup.ts';

const UUID = '6f1b8f0e-4c8a-4a57-9d1e-0d3c1f6a2b11';
const START = Date.UTC(2026, 0, 5, 15);
const DAY = 86_400_000;
const caller: Caller = { id: 'k', organization_id: ORGANIZATION, scopes: [], is_demo: false, requests_per_minute: 1 };

type Assumptions = Parameters<typeof readIdempotencyKey>[5];
const read = (given: string, assumptions: Assumptions = {}, body: unknown = {}, organization_id = ORGANIZATION) =>
  readIdempotencyKey(given, { ...caller, organization_id }, 'POST', '/v1/calls/dial', body, assumptions);

describe('an idempotency key', () => {
  it('is a UUID, bare or in quotes, in any case and with spaces around it', () => {
    const { id } = read(UUID);
    for (const same of [`"${UUID}"`, ` ${UUID} `, UUID.toUpperCase()]) expect(read(same).id).toBe(id);
    for (const bad of ['', 'nope', `"${UUID}`, `${UUID}0`, `x${UUID}`]) {
      expect(() => read(bad), bad).toThrow(
        expect.objectContaining({
          code: 'validation_error',
          hint: 'Send a UUID, bare or in quotes.',
          detail: expect.objectContaining({
            fields: { 'Idempotency-Key': `"${bad}" is not a valid UUID` },
            assumption: 'idempotency, idempotency_key_form',
          }),
        }),
      );
    }
  });

  it('may be any text of up to 255 characters where that is assumed, but not empty', () => {
    const any = { idempotency_key_form: 'any' } as const;
    expect(read('order-7', any).id).not.toBe(read('order-8', any).id);
    expect(read(' order-7', any).id).toBe(read('order-7', any).id);
    expect(() => read('x'.repeat(255), any)).not.toThrow();
    for (const bad of ['', '  ', 'x'.repeat(256)]) expect(() => read(bad, any), bad).toThrow();
  });

  it('is that of its organization, method and path, for a body whatever the order of its fields', () => {
    const { id, fingerprint } = read(UUID, {}, { a: 1, b: 2 });
    expect(read(UUID, {}, { b: 2, a: 1 })).toEqual({ id, fingerprint });
    expect(read(UUID, {}, { a: 1 }).fingerprint).not.toBe(fingerprint);
    expect(read(UUID, {}, {}, 'another').id).not.toBe(id);
    expect(readIdempotencyKey(UUID, caller, 'PUT', '/v1/calls/dial', {}, {}).id).not.toBe(id);
    expect(readIdempotencyKey(UUID, caller, 'POST', '/v1/calls', {}, {}).id).not.toBe(id);
  });
});

/** A world whose machine and clock show what they are set to. */
async function world(mode: ClockMode) {
  let elapsed = 0;
  const systemTime = (): number => START + elapsed;
  const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, budget: createBudget(1e9), systemTime });
  const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
  const speed = mode === 'real' ? 1 : 0;
  const clock = { mode, speed, systemTime: START, at: START, frozen: false, waited: 0 } as const;
  await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
  return {
    in: <T>(body: (tx: Tx) => T): Promise<T> => store.transaction('w', body),
    /** The time of the machine. */
    at(ms: number) {
      elapsed = ms;
    },
  };
}

const key = (id: string) => ({ id, fingerprint: 'same' });
const result = (status: number) => ({ status, body: { call_id: 'c' } });
const kept = (tx: Tx): string[] => tx.page('idempotency_records', 'all', 'all').map(({ id }) => id);

describe('what is kept under a key', () => {
  it('are successes alone, with what they answered', async () => {
    const { in: within } = await world('manual');
    await within((tx) => {
      for (const status of [300, 409, 500]) keepResult(tx, key('refused'), result(status), null);
      keepResult(tx, key('made'), result(299), null);
      expect(kept(tx)).toEqual(['made']);
      expect(findReplay(tx, key('made'))).toMatchObject({
        status: 299,
        body: { call_id: 'c' },
        private: { organization_id: ORGANIZATION, rank: 1 },
      });
      expect(findReplay(tx, key('refused'))).toBeUndefined();
    });
  });

  it('is not for another body', async () => {
    const { in: within } = await world('manual');
    await within((tx) => {
      keepResult(tx, key('made'), result(202), null);
      expect(() => findReplay(tx, { id: 'made', fingerprint: 'another' })).toThrow(
        expect.objectContaining({ code: 'idempotency_conflict', detail: { assumption: 'idempotency' } }),
      );
    });
  });

  it('expires after 24 hours of the world, and goes two at a time', async () => {
    const { in: within } = await world('manual');
    await within((tx) => {
      for (const id of ['a', 'b', 'c']) keepResult(tx, key(id), result(202), null);
      tx.asOf(START + DAY - 1, () => expect(findReplay(tx, key('a'))).toBeDefined());
      tx.asOf(START + DAY, () => {
        expect(findReplay(tx, key('a'))).toBeUndefined();
        keepResult(tx, key('d'), result(202), null);
      });
      expect(kept(tx)).toEqual(['c', 'd']);
    });
  });

  it('expires after 24 hours of the machine on an instant clock', async () => {
    const { in: within, at } = await world('instant');
    await within((tx) => keepResult(tx, key('a'), result(202), null));
    await within((tx) => tx.asOf(START + 9 * DAY, () => expect(findReplay(tx, key('a'))).toBeDefined()));
    at(DAY - 1);
    await within((tx) => expect(findReplay(tx, key('a'))).toBeDefined());
    at(DAY);
    await within((tx) => expect(findReplay(tx, key('a'))).toBeUndefined());
  });
});
