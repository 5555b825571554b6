// Requests of many callers, each of whom asks again when it is answered; time passes with what they cost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestQueue } from '../../src/http/request-queue.ts';

interface Asked {
  readonly caller: string;
  readonly at: number;
}

interface Load {
  readonly callers: number;
  /** Milliseconds that a request takes. */
  readonly ms: number;
  /** How many requests each has open at once. */
  readonly open?: number;
  /** Milliseconds of background work that a request causes. */
  readonly causes?: number;
}

/** How long the requests of each kind of caller waited within so many milliseconds, each list in ascending order. */
function waitsIn(totalMs: number, loads: Readonly<Record<string, Load>>): Readonly<Record<string, number[]>> {
  const queue = new RequestQueue<Asked>();
  const waits: Record<string, number[]> = {};
  let now = 0;
  for (const [kind, { callers, open = 1 }] of Object.entries(loads)) {
    waits[kind] = [];
    for (let n = 0; n < callers * open; n++) queue.add({ caller: `${kind} ${n % callers}`, at: 0 });
  }
  for (let asked = queue.take(); asked && now < totalMs; asked = queue.take()) {
    const { caller, at } = asked;
    const [kind = ''] = caller.split(' ');
    const load = loads[kind];
    if (!load) throw new Error(`No load is called ${kind}.`);
    waits[kind]?.push(now - at);
    now += load.ms;
    queue.charge(caller, load.ms);
    queue.burden(caller, load.causes ?? 0);
    queue.add({ caller, at: now });
  }
  for (const each of Object.values(waits)) each.sort((a, b) => a - b);
  return waits;
}

const at = (sorted: readonly number[] = [], share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;

describe('a queue of requests', () => {
  it('lets requests that cost little go before those that cost much, most of the time', () => {
    const { quick, slow } = waitsIn(2000, { quick: { callers: 1, ms: 0.5 }, slow: { callers: 30, ms: 2 } });
    expect(at(quick, 0.9)).toBeLessThanOrEqual(4);
    expect(slow?.length).toBeGreaterThan(150);
  });

  it('counts the background work that a request causes', () => {
    const { quick, busy } = waitsIn(2000, {
      quick: { callers: 1, ms: 0.5 },
      busy: { callers: 30, ms: 0.5, causes: 2 },
    });
    expect(at(quick, 0.9)).toBeLessThanOrEqual(4);
    expect(busy?.length).toBeGreaterThan(600);
  });

  it('remembers what requests cost when nobody has waited for a while', () => {
    const queue = new RequestQueue<{ caller: string }>();
    for (const [caller, ms] of [
      ['dear', 2],
      ['cheap', 0.1],
    ] as const) {
      queue.add({ caller });
      queue.take();
      queue.charge(caller, ms);
    }
    for (const caller of ['dear', 'cheap']) queue.add({ caller });
    expect(queue.take()?.caller).toBe('cheap');
  });

  it('counts the background work of a caller who does not wait', () => {
    const queue = new RequestQueue<{ caller: string }>();
    queue.burden('busy', 1);
    for (const caller of ['busy', 'quiet']) queue.add({ caller });
    expect(queue.take()?.caller).toBe('quiet');
  });

  it('gives a caller with hundreds of open requests its share among many others', () => {
    const { many, single } = waitsIn(3000, {
      many: { callers: 1, ms: 0.5, open: 400 },
      single: { callers: 30, ms: 0.5 },
    });
    expect(many?.length).toBeGreaterThan(150);
    expect(at(single, 0.99)).toBeLessThan(40);
  });

  it('serves everything, in the order of its caller, whatever comes and costs when', () => {
    const add = fc.constantFrom('a', 'b', 'c', 'd');
    const cost = fc.record({ caller: add, ms: fc.double({ min: 0.01, max: 2, noNaN: true }), isBurden: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(null), add, cost), { maxLength: 80 }), (actions) => {
        const queue = new RequestQueue<{ caller: string; number: number }>();
        const taken: { caller: string; number: number }[] = [];
        let added = 0;
        const take = (): void => {
          const next = queue.take();
          if (next) taken.push(next);
        };
        for (const action of actions) {
          if (action === null) take();
          else if (typeof action === 'string') queue.add({ caller: action, number: added++ });
          else if (action.isBurden) queue.burden(action.caller, action.ms);
          else queue.charge(action.caller, action.ms);
        }
        while (queue.size > 0) take();
        expect(queue.isShared).toBe(false);
        expect(taken).toHaveLength(added);
        for (const each of ['a', 'b', 'c', 'd']) {
          const numbers = taken.filter(({ caller }) => caller === each).map(({ number }) => number);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});
