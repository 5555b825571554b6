// A change of plans holds, and sends, tens of thousands of deliveries in slices, and keeps their order.
import { expect, it } from 'vitest';
import { createSnapshot, restoreSnapshot } from '../../src/admin/snapshots.ts';
import { deleteWorldPlan, setWorldPlan } from '../../src/admin/subscriptions.ts';
import { bringBackWorld, resetWorld } from '../../src/engine/epochs.ts';
import type { SandboxContext } from '../../src/engine/sandbox-context.ts';
import type { DeliveryEntry, DeliveryPlan, Subject } from '../../src/model.ts';
import { OneAtATime } from '../../src/one-at-a-time.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import type { Tx, WorldDump } from '../../src/store/store.ts';
import { goOnFollowing, place } from '../../src/webhooks/held-deliveries.ts';
import { setPlanOfWorld } from '../../src/webhooks/plans.ts';
import { turnsOn, watchedLoop } from '../support/event-loop.ts';
import { type PlannedWorld, pendingOf, plannedWorld, START, subscriptionOf, WORLD } from './held-setup.ts';

const DELIVERIES = 2000;
const other: Subject = { table: 'calls', id: 'call-2' };

const placeIn = ({ transaction }: PlannedWorld, subscription: string, ...deliveries: DeliveryEntry[]): Promise<void> =>
  transaction((tx) => {
    for (const delivery of deliveries) place(tx, delivery, subscriptionOf(tx, subscription));
  });

const numbered = (count: number, name = 'd'): string[] => Array.from({ length: count }, (_, n) => `${name}${n}`);

/** A world with pending deliveries of one subscription, and turns in which each piece of work takes a slice. */
async function longQueue() {
  const world = await plannedWorld();
  /** The ids of deliveries in the order in which they were told to be sent last. */
  let sent: string[] = [];
  /** How many deliveries the largest transaction has changed since the pause. */
  let largest = 0;
  world.store.onCommit(({ appended }) => {
    largest = Math.max(largest, appended.length);
    for (const each of appended) {
      if (each.journal !== 'deliveries' || each.entry.status !== 'pending') continue;
      sent = sent.filter((id) => id !== each.entry.id);
      if (each.entry.held_by === undefined) sent.push(each.entry.id);
    }
  });
  await placeIn(world, 'one', ...numbered(DELIVERIES).map((id) => pendingOf(id, 'one')));
  largest = 0;
  const { loop, afterRequests } = watchedLoop();
  const parts = { store: world.store, turns: turnsOn(afterRequests, 1), planChanges: new OneAtATime() };
  const setPlan = (plan: DeliveryPlan) => setWorldPlan(parts, WORLD, plan);
  const heldIn = (): Promise<number> => world.transaction((tx) => tx.count('waiting_deliveries', 'held_by', 'paused'));
  return { world, parts, loop, setPlan, heldIn, sent: () => sent, largest: () => largest };
}

it('a pause, and its end, take a round of the event loop for some hundred deliveries', async () => {
  const { parts, loop, setPlan, heldIn, sent, largest } = await longQueue();
  await setPlan({ paused: true });
  expect(loop.rounds).toBeGreaterThan(DELIVERIES / 400);
  expect([await heldIn(), sent()]).toEqual([DELIVERIES, []]);
  loop.rounds = 0;
  await deleteWorldPlan(parts, WORLD);
  expect(loop.rounds).toBeGreaterThan(DELIVERIES / 400);
  expect([await heldIn(), sent()]).toEqual([0, numbered(DELIVERIES)]);
  expect(largest()).toBeLessThan(400);
});

it('a pause leaves what was being sent before it came to it', async () => {
  const { world, loop, setPlan, heldIn } = await longQueue();
  loop.between = async () => {
    loop.between = async () => {};
    await world.transaction((tx) => tx.amend('deliveries', pendingOf('d0', 'one', null, { status: 'in_flight' })));
  };
  await setPlan({ paused: true });
  expect(await heldIn()).toBe(DELIVERIES - 1);
});

it('while a pause begins, what is not held yet, and may still be sent, is what comes first', async () => {
  const { world, loop, setPlan } = await longQueue();
  const unheld: string[][] = [];
  loop.between = async () => {
    const { entries } = await world.transaction((tx) => tx.journal('deliveries'));
    unheld.push(entries.filter(({ held_by }) => held_by === undefined).map(({ id }) => id));
  };
  await setPlan({ paused: true });
  expect(unheld.length).toBeGreaterThan(2);
  expect(unheld).toEqual(unheld.map(({ length }) => numbered(length)));
});

it('new deliveries go after those that were there before the pause', async () => {
  const { world, loop, setPlan, sent } = await longQueue();
  let added = 0;
  loop.between = () => placeIn(world, 'one', pendingOf(`new${added++}`, 'one'));
  await setPlan({ paused: true });
  const whilePausing = added;
  expect(whilePausing).toBeGreaterThan(2);
  await setPlan({});
  expect(added).toBeGreaterThan(whilePausing + 2);
  expect(sent()).toEqual([...numbered(DELIVERIES), ...numbered(added, 'new')]);
});

it('while a pause ends, only what is behind held deliveries waits for them', async () => {
  const { world, loop, setPlan, sent } = await longQueue();
  await setPlan({ paused: true });
  loop.between = async () => {
    loop.between = async () => {};
    await placeIn(world, 'two', pendingOf('of the same record', 'two'), pendingOf('of another', 'two', other));
    await placeIn(world, 'three', pendingOf('of none', 'three', null));
  };
  await setPlan({});
  const order = sent();
  expect(order.slice(-2)).toEqual(['of the same record', 'of another']);
  expect(order.indexOf('of none')).toBeLessThan(DELIVERIES / 2);
});

it('a change of plans begins when the one before it is complete', async () => {
  const { setPlan, heldIn, sent } = await longQueue();
  await Promise.all([setPlan({ paused: true }), setPlan({}), setPlan({ paused: true }), setPlan({})]);
  expect([await heldIn(), sent()]).toEqual([0, numbered(DELIVERIES)]);
});

it('a change of plans that fails does not keep the next one waiting', async () => {
  const { setPlan, parts } = await longQueue();
  const failing = parts.planChanges.run(WORLD, () => Promise.reject(new Error('it failed')));
  const next = setPlan({ paused: true });
  await expect(failing).rejects.toThrow('it failed');
  expect(await next).toEqual({ paused: true });
});

it('a reset ends what is left of a change of plans', async () => {
  const { world, loop, setPlan, heldIn } = await longQueue();
  loop.between = async () => {
    loop.between = async () => {};
    await resetWorld({ store: world.store, turns: new Turns() }, WORLD, START);
    await placeIn(world, 'one', ...numbered(DELIVERIES).map((id) => pendingOf(id, 'one', null, { epoch: 2 })));
    await world.transaction((tx) => setPlanOfWorld(tx, { paused: true }));
  };
  await setPlan({ paused: true });
  expect(await heldIn()).toBe(0);
});

it('the next change of plans does what was left of one when the server ended', async () => {
  const { world, parts, loop, setPlan, heldIn, sent } = await longQueue();
  await setPlan({ paused: true });
  loop.between = () => new Promise(() => {});
  void setPlan({});
  await world.transaction(() => {});
  expect(await heldIn()).toBeGreaterThan(0);
  loop.between = async () => {};
  await setWorldPlan({ ...parts, planChanges: new OneAtATime() }, WORLD, {});
  expect([await heldIn(), sent()]).toEqual([0, numbered(DELIVERIES)]);
});

it('a change of plans by another process begins when the one before it is complete', async () => {
  const { world, parts, loop, setPlan, heldIn, sent } = await longQueue();
  const elsewhere = { ...parts, planChanges: new OneAtATime() };
  await setPlan({ paused: true });
  let other: Promise<unknown> | undefined;
  loop.between = async () => {
    other ??= setWorldPlan(elsewhere, WORLD, { paused: true });
    await world.transaction(() => {});
  };
  await setPlan({});
  await other;
  expect([await heldIn(), sent()]).toEqual([DELIVERIES, []]);
  await setPlan({});
  expect([await heldIn(), sent()]).toEqual([0, numbered(DELIVERIES)]);
});

it.each([
  ['the end of a pause', {}, { paused: true }, 0],
  ['a pause', { paused: true }, {}, DELIVERIES],
] as const)('the schedule of the world goes on with %s that nobody else completes', async (_, plan, before, held) => {
  const { world, loop, setPlan, heldIn, sent } = await longQueue();
  await setPlan(before);
  loop.between = () => new Promise(() => {});
  void setPlan(plan);
  await world.transaction(() => {});
  expect(await heldIn()).not.toBe(held);
  const goOn = (tx: Tx): boolean => {
    const next = tx.takeTask(tx.at);
    if (next?.task.type === 'follow_plans') goOnFollowing(tx);
    return next !== undefined;
  };
  while (await world.transaction(goOn));
  expect([await heldIn(), sent()]).toEqual([held, held === 0 ? numbered(DELIVERIES) : []]);
});

it('what was left of a change of plans when a snapshot was made is done when that is restored', async () => {
  const { world, parts, loop, setPlan, heldIn } = await longQueue();
  const worlds = { restore: (name: string, dump: WorldDump) => bringBackWorld(parts, name, dump) };
  const context = { ...parts, worlds, scheduler: { isAdvancing: () => true } } as unknown as SandboxContext;
  await setPlan({ paused: true });
  let heldThen = 0;
  loop.between = async () => {
    loop.between = async () => {};
    // In turns of its own, before the change of plans has its next.
    await createSnapshot({ ...context, turns: new Turns() }, WORLD, 'midway');
    heldThen = await heldIn();
  };
  await setPlan({});
  expect(heldThen).toBeGreaterThan(0);
  await restoreSnapshot(context, WORLD, 'midway');
  const pending = await world.transaction((tx) => tx.history.open('deliveries').map(({ entry }) => entry.id));
  expect([await heldIn(), pending]).toEqual([0, numbered(DELIVERIES).slice(-heldThen)]);
});
