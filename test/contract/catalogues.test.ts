// The catalogues of errors, events and lifecycles agree with the contract.
import { describe, expect, it } from 'vitest';
import { enumOf } from '../../src/contract/document.ts';
import { categoryOnCalls, errorCodes, errors, synchronousCodes } from '../../src/errors/catalogue.ts';
import { eventDefinition, eventTypes } from '../../src/events/catalogue.ts';
import { callLifecycle } from '../../src/lifecycles/call.ts';
import { namedLifecycles } from '../../src/lifecycles/index.ts';

describe('the error catalogue', () => {
  it('has the codes of the contract, 35 of the specification and five of the ledger', () => {
    expect([...errorCodes].sort()).toEqual([...enumOf('ErrorCode')].sort());
    expect(errorCodes.filter((code) => errors[code].channel !== 'sandbox')).toHaveLength(35);
  });

  it('has 29 synchronous codes', () => {
    expect(synchronousCodes).toHaveLength(29);
  });

  it('has the categories of the specification; two codes have theirs on calls only', () => {
    const categories = new Set(enumOf('ErrorCategory'));
    for (const code of errorCodes) {
      const category = categoryOnCalls(code);
      if (category !== undefined) expect(categories.has(category), code).toBe(true);
    }
    expect(categoryOnCalls('rate_limited')).toBe('account_limit');
    expect(categoryOnCalls('internal_error')).toBe('provider_error');
    expect(categoryOnCalls('not_found')).toBeUndefined();
  });
});

describe('the event catalogue', () => {
  it('has the event types of the contract', () => {
    expect([...eventTypes].sort()).toEqual([...enumOf('EventType')].sort());
  });

  it('signs events of the number lifecycle only', () => {
    const signed = eventTypes.filter((type) => eventDefinition(type).family === 'number_lifecycle');
    expect(signed).toEqual(['number_purchased', 'number_released']);
  });
});

describe('the lifecycles', () => {
  it('lead to known states only', () => {
    for (const { table, initial, transitions } of namedLifecycles.values()) {
      const states = new Set([initial, ...Object.keys(transitions)]);
      for (const row of Object.values(transitions)) {
        for (const [trigger, next] of Object.entries(row))
          expect(states.has(next?.to ?? ''), `${table} ${trigger}`).toBe(true);
      }
    }
  });

  it('know every trigger that a scenario may name', () => {
    for (const { table, transitions, inputs } of namedLifecycles.values()) {
      const used = new Set(Object.values(transitions).flatMap((row) => Object.keys(row)));
      for (const trigger of Object.keys(inputs)) expect(used.has(trigger), `${table} ${trigger}`).toBe(true);
    }
  });

  it('let a call reach every status of the contract', () => {
    const reached = [
      callLifecycle.initial,
      ...Object.values(callLifecycle.transitions).flatMap((row) => Object.values(row).map(({ to }) => to)),
    ];
    expect([...new Set(reached)].sort()).toEqual([...enumOf('CallStatus')].sort());
  });
});
