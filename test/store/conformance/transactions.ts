import { expect, it } from 'vitest';
import { type Commit, NoSuchWorld, type Tx } from '../../../src/store/store.ts';
import { appendStep, contact, factsOf, fail, ring, START, type StoreKit, WORLD } from '../setup.ts';

export function describeTransactions({ storeWithWorld, inWorld, idsOf, failing }: StoreKit): void {
  it('undoes everything that a transaction did when its body throws', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      tx.put('contacts', contact('kept', 1));
      tx.schedule(ring('kept'), START + 5);
      tx.setCounter('n', 7);
    });
    const before = await store.dump(WORLD, 0);
    await failing(store, (tx) => {
      tx.put('contacts', contact('new', 2));
      tx.put('contacts', contact('kept', 1, 'changed'));
      tx.remove('contacts', 'base-1');
      tx.ordinal('n');
      tx.setState('epoch', 9);
      tx.setState('starts_at', 5);
      tx.takeTask(START + 5);
      tx.schedule(ring('new'), START);
      appendStep(tx, 's');
      tx.wipe([]);
      tx.put('contacts', contact('after-wipe', 3));
    });
    expect(await store.dump(WORLD, 0)).toEqual(before);
  });

  it('undoes an attempt that throws, and keeps what the transaction did before and after it', async () => {
    const store = await storeWithWorld();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const results = await inWorld(store, (tx) => {
      tx.schedule(ring('a'), START);
      tx.takeTask(START);
      appendStep(tx, 'before');
      const failed = tx.attempt(() => {
        tx.put('contacts', contact('new', 2));
        tx.remove('contacts', 'base-1');
        tx.schedule(ring('b'), START);
        tx.setState('epoch', 9);
        appendStep(tx, 'undone');
        throw new Error('no');
      });
      appendStep(tx, 'after');
      return [failed, tx.attempt(() => tx.setCounter('n', 1)), tx.taskCount(), tx.state('epoch'), idsOf(tx)];
    });
    expect(results).toEqual([{ error: new Error('no') }, undefined, 0, 1, ['base-1', 'base-2', 'base-3']]);
    expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(1);
    expect(commits[0]?.appended.map(({ entry }) => entry.id)).toEqual(['before', 'after']);
    expect(await inWorld(store, (tx) => tx.journal('steps').entries.map(({ id }) => id))).toEqual(['before', 'after']);
  });

  it('runs transactions of one world one after the other, each on what the one before has written', async () => {
    const store = await storeWithWorld();
    await Promise.all(
      Array.from({ length: 50 }, () => inWorld(store, (tx) => tx.setCounter('n', tx.counter('n') + 1))),
    );
    expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(50);
  });

  it('refuses a body that returns a promise, and undoes what it did', async () => {
    const store = await storeWithWorld();
    const body = async (tx: Tx): Promise<void> => tx.setCounter('n', 1);
    await expect(inWorld(store, body)).rejects.toThrow('must be synchronous');
    expect(await inWorld(store, (tx) => tx.counter('n'))).toBe(0);
  });

  it("begins a transaction at the instant of the world's clock, with the cause that it is given", async () => {
    const store = await storeWithWorld();
    const momentOf = (tx: Tx) => [tx.at, tx.cause];
    expect(await store.transaction(WORLD, momentOf, 'req_1')).toEqual([START, 'req_1']);
    expect(await store.transaction(WORLD, momentOf)).toEqual([START, null]);
  });

  it('runs a part of a transaction at another instant or with another cause, and goes back to its own', async () => {
    const store = await storeWithWorld();
    const seen = await store.transaction(
      WORLD,
      (tx) => {
        const inner = tx.asOf(5, () => tx.causedBy('stp_1', () => [tx.at, tx.cause]));
        expect(() =>
          tx.causedBy('stp_2', () => {
            throw fail;
          }),
        ).toThrow(fail);
        return [inner, [tx.at, tx.cause]];
      },
      'req_1',
    );
    expect(seen).toEqual([
      [5, 'stp_1'],
      [START, 'req_1'],
    ]);
  });

  it('goes on after a transaction that threw', async () => {
    const store = await storeWithWorld();
    await failing(store, async () => {});
    expect(await inWorld(store, (tx) => tx.ordinal('n'))).toBe(1);
  });

  it('hands out tasks by instant, and in the order of scheduling within one', async () => {
    const store = await storeWithWorld();
    await inWorld(store, (tx) => {
      for (const [at, id] of [
        [3, 'c'],
        [1, 'a1'],
        [2, 'b'],
        [1, 'a2'],
      ] as const)
        tx.schedule(ring(id), at);
      tx.schedule(ring('canceled'), 1);
      tx.unschedule({ table: 'calls', id: 'canceled' });
    });
    await inWorld(store, (tx) => {
      expect(tx.taskCount()).toBe(4);
      expect(tx.nextTask()?.task.subject.id).toBe('a1');
      const taken: string[] = [];
      for (let next = tx.takeTask(2); next; next = tx.takeTask(2)) taken.push(next.task.subject.id);
      expect(taken).toEqual(['a1', 'a2', 'b']);
      expect(tx.nextTask()?.task.subject.id).toBe('c');
    });
  });

  it('schedules a task with the cause of the moment', async () => {
    const store = await storeWithWorld();
    const scheduled = await store.transaction(
      WORLD,
      (tx) => {
        tx.causedBy('stp_1', () => tx.schedule(ring('a'), 1));
        tx.schedule(ring('b'), 2);
        return [tx.takeTask(2), tx.takeTask(2)];
      },
      'req_1',
    );
    expect(scheduled.map((each) => [each?.task, each?.at, each?.cause])).toEqual([
      [ring('a'), 1, 'stp_1'],
      [ring('b'), 2, 'req_1'],
    ]);
  });

  it('has no transaction on a world that is not there', async () => {
    const store = await storeWithWorld();
    await expect(store.transaction('nowhere', () => 1)).rejects.toBeInstanceOf(NoSuchWorld);
    expect(await store.dropWorld('nowhere')).toBe(false);
    expect(
      await store.addWorld({
        ...(await factsOf(store)),
        clock: (await store.dump(WORLD, 0)).state.clock,
        assumptions: {},
        epoch: 1,
      }),
    ).toBe(false);
  });
}
