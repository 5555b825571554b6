// The store in this process's memory, held to what every driver is held to, and the bound of all journals together.
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/store/memory.ts';
import { base, describeStore, ORGANIZATION } from './conformance.ts';

describeStore('memory', () => new MemoryStore({ base: () => base, journalLimit: 10, journalBytes: 1e9 }));

describe('the memory store', () => {
  it("keeps the journals of all worlds together to their bytes, the largest world's oldest entries first", async () => {
    const store = new MemoryStore({ base: () => base, journalLimit: 1000, journalBytes: 200_000 });
    const clock = { mode: 'manual', speed: 0, wall: 0, at: 0, held: false } as const;
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
