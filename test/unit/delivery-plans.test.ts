// What a delivery plan may be, and what it decides about an attempt: `interface.md` sections 5 and 6.
import { describe, expect, it } from 'vitest';
import type { DeliveryAttempt, DeliveryPlan } from '../../src/model.ts';
import { planForm } from '../../src/webhooks/plan-form.ts';
import {
  delayOf,
  happens,
  limitsOf,
  planOf,
  planOfWorld,
  setPlanOfWorld,
  tampered,
  tamperedBody,
  waitsOf,
  wrongSecret,
} from '../../src/webhooks/plans.ts';
import { pendingOf, plannedWorld, subscriptionOf } from './held-setup.ts';

describe('the form of a plan', () => {
  const probabilities = ['duplicate', 'reorder', 'drop', 'tamper', 'wrong_secret'];
  const list = (length: number): string[] => Array.from({ length }, () => '1s');

  it.each([
    ...probabilities.flatMap((name) => [{ [name]: 0 }, { [name]: 0.5 }, { [name]: 1 }]),
    ...['0s', '2s', '1s..5s', '250ms..250ms'].map((delay) => ({ delay })),
    ...['none', 'short', 'standard', [], ['1s', '5m']].map((retries) => ({ retries })),
    {},
    { paused: true },
    { timeout: {} },
    { timeout: { connect: '1ms', answer: '60s', total: '1m' } },
  ])('takes %j', (plan) => {
    expect(planForm.parse(plan)).toEqual(plan);
  });

  const delay = 'must be a duration such as 2s, or a range such as 1s..5s, the shorter one first (a century at most)';
  const retries = 'must be one of none, short, standard, or a list of durations such as ["1s", "5m"]';
  const timeout = 'must be a duration such as 500ms or 2s, more than 0 and at most 60s';

  it.each([
    [{ delay: 'soon' }, delay],
    [{ delay: '5s..1s' }, delay],
    [{ delay: 5 }, delay],
    [{ retries: 'often' }, retries],
    [{ retries: 3 }, retries],
    [{ timeout: { answer: '0s' } }, timeout],
    [{ timeout: { connect: '60001ms' } }, timeout],
    [{ timeout: { total: 'never' } }, timeout],
  ])('refuses %j, and says what is allowed', (plan, reason) => {
    const { issues = [] } = planForm.safeParse(plan).error ?? {};
    expect(issues.map(({ message }) => message)).toEqual([reason]);
  });

  it.each([
    ...probabilities.flatMap((name) => [{ [name]: -0.1 }, { [name]: 1.1 }, { [name]: 'often' }]),
    { retries: ['soon'] },
    { paused: 'yes' },
    { timeout: { answers: '1s' } },
    { dropped: 1 },
  ])('refuses %j', (plan) => {
    expect(planForm.safeParse(plan).success).toBe(false);
  });

  it('has room for a hundred retries', () => {
    expect(planForm.safeParse({ retries: list(100) }).success).toBe(true);
    const { issues = [] } = planForm.safeParse({ retries: list(101) }).error ?? {};
    expect(issues.map(({ message }) => message)).toEqual(['must be at most 100 durations']);
  });

  it('is described, field by field, for the document of the control API', () => {
    const { timeout } = planForm.shape;
    const fields = [planForm, ...Object.values(planForm.shape), ...Object.values(timeout.unwrap().shape)];
    for (const { description } of fields) expect(description).toMatch(/\.$/);
  });
});

describe('the plan that applies', () => {
  it("is the subscription's own, else that of the world, which can be taken away", async () => {
    const world = await plannedWorld();
    await world.transaction((tx) => {
      expect(planOfWorld(tx)).toBeUndefined();
      setPlanOfWorld(tx, { drop: 1 });
      expect(planOf(tx, subscriptionOf(tx, 'one'))).toEqual({ drop: 1 });
      expect(planOf(tx, undefined)).toEqual({ drop: 1 });
      expect(planOf(tx, subscriptionOf(tx, 'two', { tamper: 1 }))).toEqual({ tamper: 1 });
      expect(tx.get('webhook_plans', 'world')?.private.organization_id).toBe(tx.world.organization_id);
      setPlanOfWorld(tx, undefined);
      expect(planOf(tx, subscriptionOf(tx, 'one'))).toBeUndefined();
      expect(tx.page('webhook_plans', 'all', 'all')).toEqual([]);
    });
  });

  const [second, minute, hour] = [1000, 60_000, 3_600_000];
  const short = [5 * second, 15 * second, 40 * second];
  const standard = [5 * second, 5 * minute, 30 * minute, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 8 * hour];

  it.each<[DeliveryPlan | undefined, object, readonly number[]]>([
    [undefined, {}, []],
    [{}, {}, []],
    [{ retries: 'none' }, { delivery_policy: 'short' }, []],
    [{ retries: 'short' }, {}, short],
    [{ retries: 'standard' }, {}, standard],
    [{ retries: ['1s', '0s', '5m'] }, { delivery_policy: 'short' }, [second, 0, 5 * minute]],
    [undefined, { delivery_policy: 'short' }, short],
    [{ drop: 0 }, { delivery_policy: 'standard' }, standard],
  ])('%j in a world that assumes %j says how long each retry waits', async (plan, assumptions, waits) => {
    const world = await plannedWorld(assumptions);
    expect(await world.transaction((tx) => waitsOf(tx, plan))).toEqual(waits);
  });

  it.each<[DeliveryPlan | undefined, object]>([
    [undefined, { connect: 3000, response: 10_000, total: 15_000 }],
    [{ timeout: { answer: '2s' } }, { connect: 3000, response: 2000, total: 7000 }],
    [{ timeout: { connect: '1s', total: '4s' } }, { connect: 1000, response: 10_000, total: 4000 }],
  ])('%j limits an attempt to %j', async (plan, limits) => {
    const world = await plannedWorld();
    expect(await world.transaction((tx) => limitsOf(tx, plan))).toEqual(limits);
  });
});

describe('a draw', () => {
  const many = Array.from({ length: 400 }, (_, n) => pendingOf(`d${n}`, 'one'));
  const tried = [{} as DeliveryAttempt];

  it('happens about as often as its probability says, each kind for itself, and for each attempt anew', () => {
    const plan = { drop: 0.25, tamper: 0.25 };
    const dropped = many.map((each) => happens(plan, 'drop', each));
    expect(Math.abs(dropped.filter(Boolean).length - 100)).toBeLessThan(40);
    expect(many.map((each) => happens(plan, 'drop', each))).toEqual(dropped);
    expect(many.map((each) => happens(plan, 'tamper', each))).not.toEqual(dropped);
    expect(many.map((each) => happens(plan, 'drop', { ...each, attempts: tried }))).not.toEqual(dropped);
    expect(many.map((each) => happens(plan, 'drop', { ...each, subscription_id: 'two' }))).not.toEqual(dropped);
    expect(many.some((each) => happens(plan, 'reorder', each) || happens({ drop: 0 }, 'drop', each))).toBe(false);
    expect(many.every((each) => happens({ drop: 1 }, 'drop', each))).toBe(true);
  });

  it('of a delay takes every duration of the range, both ends included, and none where there is no delay', () => {
    const drawn = new Set(many.map((each) => delayOf({ delay: '1ms..4ms' }, each)?.ms));
    expect([...drawn].sort()).toEqual([1, 2, 3, 4]);
    const [first] = many.map((each) => delayOf({ delay: '1s..5s' }, each));
    expect(first?.max).toBe(5000);
    expect(many.map((each) => delayOf({ delay: '1ms..9s' }, { ...each, attempts: tried })?.ms)).not.toEqual(
      many.map((each) => delayOf({ delay: '1ms..9s' }, each)?.ms),
    );
    expect([delayOf({}, many[0] ?? pendingOf('d', 'one')), delayOf({ delay: '0s' }, pendingOf('d', 'one'))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('of a wrong secret is another one for each attempt, event and subscription', () => {
    const one = pendingOf('d', 'one');
    const secrets = [one, { ...one, attempts: tried }, pendingOf('d', 'two'), pendingOf('e', 'one')].map(wrongSecret);
    expect(new Set(secrets).size).toBe(4);
    expect(wrongSecret(one)).toBe(secrets[0]);
  });
});

describe('a tampered body', () => {
  it('has another digit at the end of one of its values, and is still JSON', () => {
    const body = '{"id":"call-19","to":"+12125550100","n":5,"list":["a1"],"name":"B"}';
    const counts: number[] = [];
    const at = (which: number): string =>
      tamperedBody(body, (count) => {
        counts.push(count);
        return which;
      });
    expect([at(0), at(1), at(2)].map((text) => JSON.parse(text))).toEqual([
      { id: 'call-10', to: '+12125550100', n: 5, list: ['a1'], name: 'B' },
      { id: 'call-19', to: '+12125550101', n: 5, list: ['a1'], name: 'B' },
      { id: 'call-19', to: '+12125550100', n: 5, list: ['a2'], name: 'B' },
    ]);
    expect(counts).toEqual([3, 3, 3]);
  });

  it('has a space before its end if no value ends in a digit', () => {
    const counts: number[] = [];
    const choose = (count: number): number => counts.push(count) - 1;
    expect(tamperedBody('{"name":"B"}', choose)).toBe('{"name":"B" }');
    expect(counts).toEqual([1]);
  });

  it('of a delivery is the same for the same attempt, and any of the digits changes', () => {
    const body = '{"a":"1","b":"1","c":"1"}';
    const bodies = Array.from({ length: 60 }, (_, n) => tampered(pendingOf(`d${n}`, 'one', null, { body })));
    expect([...new Set(bodies)].sort()).toEqual([
      '{"a":"1","b":"1","c":"2"}',
      '{"a":"1","b":"2","c":"1"}',
      '{"a":"2","b":"1","c":"1"}',
    ]);
    expect(tampered(pendingOf('d0', 'one', null, { body }))).toBe(bodies[0]);
  });
});
