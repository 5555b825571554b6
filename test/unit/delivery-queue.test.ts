// The deliveries of a subscription that wait, of which any may go.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeliveryQueue, type QueuedDelivery } from '../../src/webhooks/delivery-queue.ts';
import { OpenWork } from '../../src/webhooks/open-work.ts';
import { ReceiverSlots } from '../../src/webhooks/receiver.ts';

const queuedOf = (id: string, finish: () => void): QueuedDelivery => ({
  world: 'w',
  run: undefined,
  id,
  epoch: 1,
  receiver: 'r',
  earlier: null,
  finish,
});

describe('a queue of deliveries', () => {
  it('has them in their order, whichever are dropped or come again, and finishes each that goes once', () => {
    const action = fc.oneof(
      fc.constant({ does: 'add' } as const),
      fc.constant({ does: 'take' } as const),
      fc.record({ does: fc.constant('drop' as const), id: fc.nat(20) }),
      fc.record({ does: fc.constant('add again' as const), id: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300, size: 'max' }), (actions) => {
        const queue = new DeliveryQueue();
        /** What is to be there, and how often each was finished. */
        let expected: string[] = [];
        const finished: string[] = [];
        let added = 0;
        for (const { does, ...rest } of actions) {
          const id = 'id' in rest ? String(rest.id) : String(added);
          const isThere = expected.includes(id);
          if (does === 'add') {
            queue.add(queuedOf(id, () => finished.push(id)));
            expected.push(id);
            added += 1;
          } else if (does === 'add again' && Number(id) < added) {
            queue.add(queuedOf(id, () => finished.push(id)));
            if (isThere) expect(finished.pop()).toBe(id);
            else expected.push(id);
          } else if (does === 'drop') {
            queue.drop(id);
            if (isThere) expect(finished.pop()).toBe(id);
            expected = expected.filter((each) => each !== id);
          } else if (does === 'take') {
            const first = queue.first;
            expect(first?.id).toBe(expected.shift());
            if (first) expect([queue.has(first), queue.take(first), queue.take(first)]).toEqual([true, true, false]);
          }
          expect(finished).toEqual([]);
        }
        expect(queue.takeAll().map(({ id }) => id)).toEqual(expected);
        expect(queue.first).toBeUndefined();
      }),
    );
  });
});

describe('a delivery that waits', () => {
  it('keeps what it waits for when it is told of again, as the new one may wait for what is behind it', () => {
    const queue = new DeliveryQueue();
    const [first, again] = [queuedOf('one', () => {}), queuedOf('one', () => {})];
    queue.add(first);
    queue.add(queuedOf('two', () => {}));
    queue.add(again);
    expect([queue.first === first, queue.has(again)]).toEqual([true, false]);
  });
});

describe('a wait for a place at a receiver', () => {
  it('can be withdrawn, which leaves the next place to another', async () => {
    const slots = new ReceiverSlots();
    for (let n = 0; n < 64; n++) expect(slots.take('r', 'w')).toBeUndefined();
    const [withdrawn, next] = [slots.take('r', 'w'), slots.take('r', 'w')];
    withdrawn?.withdraw();
    expect(await withdrawn?.granted).toBe(false);
    slots.leave('r', 'w');
    next?.withdraw();
    expect(await next?.granted).toBe(true);
  });
});

describe('a wait for the end of open work', () => {
  it('ends with it, or when its signal says so', async () => {
    const open = new OpenWork();
    const { signal } = new AbortController();
    await open.whenIdle('w', 1, signal);
    open.begin('w 1');
    const idle = open.whenIdle('w', 1, signal);
    const ended = new AbortController();
    const given = open.whenIdle('w', 1, ended.signal);
    ended.abort();
    await given;
    await open.whenIdle('w', 1, ended.signal);
    expect(open.any).toBe(true);
    open.end('w 1');
    await idle;
  });
});
