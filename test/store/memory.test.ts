// The store in this process's memory, held to what every driver is held to, and the bound of all journals together.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { StepEntry } from '../../src/model.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { base, describeStore, ORGANIZATION } from './conformance.ts';

describeStore('memory', () => new MemoryStore({ fixtureView: () => base, journalLimit: 10, journalBytes: 1e9 }));

/** Bytes in use, once everything that nobody holds is gone. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('the memory store', () => {
  it('holds nothing of what an entry was before it was amended, however often', async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 10, journalBytes: 1e9 });
    const facts = { name: 'w', seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
    await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    const entry = (n: number): StepEntry => ({
      id: 'only',
      at: '',
      subject: { table: 'calls', id: Buffer.alloc(10_000, n).toString('latin1') },
      trigger: '',
      from: null,
      to: '',
      cause: null,
    });
    await store.transaction('w', (tx) => tx.append('steps', entry(0)));
    const before = bytesInUse();
    for (let n = 1; n <= 5000; n++) await store.transaction('w', (tx) => tx.amend('steps', entry(n)));
    // All of them are 50 MB; as many as a queue may hold before it is cut are 10.
    expect(bytesInUse() - before).toBeLessThan(20e6);
    expect((await store.transaction('w', (tx) => tx.journal('steps'))).entries).toHaveLength(1);
  });

  it("keeps the journals of all worlds together to their bytes, the largest world's oldest entries first", async () => {
    const store = new MemoryStore({ fixtureView: () => base, journalLimit: 1000, journalBytes: 200_000 });
    const clock = { mode: 'manual', speed: 0, systemTime: 0, at: 0, frozen: false, waited: 0 } as const;
    for (const name of ['small', 'large']) {
      const facts = { name, seed: 1, origin: 'posted', organization_id: ORGANIZATION, fixture: 'default' } as const;
      await store.addWorld({ ...facts, clock, assumptions: {}, epoch: 1 });
    }
    const write = (world: string, id: string, bytes: number): Promise<void> =>
      store.transaction(world, (tx) =>
        tx.append('steps', {
          id,
          at: '',
          subject: { table: 'calls', id: 'x'.repeat(bytes) },
          trigger: '',
          from: null,
          to: '',
          cause: null,
        }),
      );
    await write('small', 'only', 100);
    for (let n = 1; n <= 300; n++) await write('large', `n-${n}`, 1000);
    const large = await store.transaction('large', (tx) => tx.journal('steps'));
    expect(large.entries.length).toBeLessThan(150);
    expect(large.entries.length).toBeGreaterThan(80);
    expect(large.entries.at(-1)?.id).toBe('n-300');
    expect(large.dropped).toBe(300 - large.entries.length);
    const small = await store.transaction('small', (tx) => tx.journal('steps'));
    expect(small.entries.map(({ id }) => id)).toEqual(['only']);
  });
});
