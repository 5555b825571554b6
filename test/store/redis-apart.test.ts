// Large records, and large worlds that take the place of others, in a Redis server: they are written and read in parts, so that
// no command holds up who else uses the server, and nothing of them stays that no world has.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../../src/model.ts';
import { NoSuchWorld, type Store, type Tx } from '../../src/store/store.ts';
import { StoreAway } from '../../src/store/store-away.ts';
import { StoredBytes } from '../../src/stored-bytes.ts';
import { hasRedis } from '../support/redis.ts';
import { contact, fail, ORGANIZATION, WORLD } from './setup.ts';
import { useReplicas } from './watched-scripts.ts';

const MB = 1024 ** 2;
const ENTRIES = 4000;

const contentOf = (name: string): object => ({
  rows: { contacts: Array.from({ length: ENTRIES }, (_, n) => contact(`${name}-${n}`, n, 'x'.repeat(500))) },
  deleted: {},
  counters: JSON.parse('{"__proto__": 2, "plain": 3}'),
});

const snapshot = (id: string, rank: number, content: object = contentOf(id)): Row<'snapshots'> => ({
  id,
  created_at: '',
  clock: 'manual',
  records: ENTRIES,
  tasks: 0,
  entries: 0,
  bytes: 3 * MB,
  format: 1,
  content,
  private: { organization_id: ORGANIZATION, rank },
});

const bytesOf = (id: string, rank: number, size: number): Row<'document_contents'> => ({
  id,
  content: new StoredBytes(Buffer.alloc(size, id)),
  private: { organization_id: ORGANIZATION, rank },
});

describe.runIf(hasRedis)('replicas on a Redis server', () => {
  const { scripts, storeOn, inWorld, replicas, kinds, stays, lose } = useReplicas();
  let a: Store;
  let b: Store;
  beforeEach(() => {
    [a, b] = replicas();
  });

  const put = (row: Row<'snapshots'>) => (tx: Tx) => tx.put('snapshots', row);
  const contentIn = (store: Store, id: string) => inWorld(store, (tx) => tx.get('snapshots', id)?.content);
  const countOf = async (kind: string): Promise<number> => (await kinds()).filter((each) => each === kind).length;
  const parts = (): number => scripts.run.filter((name) => name === 'part').length;
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it('write a large snapshot, and read it, with no long command', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    expect(await contentIn(b, 's')).toEqual(asJson(contentOf('s')));
    expect(await contentIn(storeOn(), 's')).toEqual(asJson(contentOf('s')));
    expect(scripts.longest).toBeLessThan(MB);
  });

  it('load a world without what its large snapshots have, until it is read', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    const loading = storeOn();
    scripts.reset();
    expect(await inWorld(loading, (tx) => tx.page('snapshots', 'all', 'all').map(({ bytes }) => bytes))).toEqual([
      3 * MB,
    ]);
    expect(scripts.longest).toBeLessThan(MB / 4);
  });

  it('write and read the bytes of a large document, with no long command', async () => {
    const size = 3 * MB + 1;
    await inWorld(a, (tx) => {
      tx.put('document_contents', bytesOf('d', 1, size));
      tx.put('document_contents', bytesOf('small', 2, 5));
    });
    const read = (store: Store, id: string) => inWorld(store, (tx) => tx.get('document_contents', id)?.content.buffer);
    expect((await read(b, 'd'))?.equals(Buffer.alloc(size, 'd'))).toBe(true);
    expect((await read(b, 'small'))?.equals(Buffer.alloc(5, 'small'))).toBe(true);
    const sizes = (tx: Tx) => tx.page('document_contents', 'kept', 'all').map(({ content }) => content.length);
    expect(await inWorld(storeOn(), sizes)).toEqual([size, 5]);
    expect(scripts.longest).toBeLessThan(MB);
  });

  it('have what large records have in a dump of the world', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    await inWorld(a, (tx) => tx.put('document_contents', bytesOf('d', 1, MB)));
    const { rows } = await storeOn().dump(WORLD, 0);
    expect(rows.snapshots?.[0]?.content).toEqual(asJson(contentOf('s')));
    expect(rows.document_contents?.[0]?.content.buffer.equals(Buffer.alloc(MB, 'd'))).toBe(true);
  });

  it('delete what a large record has with it, with its world, and where another takes its place', async () => {
    for (const [rank, id] of ['one', 'two', 'three'].entries()) await inWorld(a, put(snapshot(id, rank)));
    expect(await countOf('P')).toBe(3);
    await inWorld(b, (tx) => tx.remove('snapshots', 'one'));
    expect(await countOf('P')).toBe(2);
    await inWorld(b, put(snapshot('two', 1, contentOf('other'))));
    expect(await countOf('P')).toBe(2);
    expect(await contentIn(a, 'two')).toEqual(asJson(contentOf('other')));
    await inWorld(a, (tx) => tx.wipe([]));
    expect(await countOf('P')).toBe(0);
    await inWorld(a, put(snapshot('one', 1)));
    await a.dropWorld(WORLD);
    expect((await kinds()).filter((kind) => /^[APWJL]$/.test(kind))).toEqual([]);
  });

  it('delete what the records of a world had whose key has gone by itself, once somebody looks for it', async () => {
    await inWorld(a, put(snapshot('one', 1)));
    await lose('W');
    await expect(inWorld(storeOn(), () => {})).rejects.toBeInstanceOf(NoSuchWorld);
    expect((await kinds()).filter((kind) => /^[APJL]$/.test(kind))).toEqual([]);
  });

  it('leave nothing for ever of a large record whose commit never comes', async () => {
    const away = new StoreAway('on purpose');
    scripts.around = {
      before(name) {
        if (name === 'commit') throw away;
      },
    };
    await expect(inWorld(a, put(snapshot('s', 1)))).rejects.toBe(away);
    scripts.around = {};
    expect(await stays('P')).toEqual([expect.toSatisfy((seconds: number) => seconds > 0)]);
    await inWorld(a, put(snapshot('s', 1)));
    expect((await stays('P')).filter((seconds) => seconds === -1)).toHaveLength(1);
    expect(await stays('A')).toEqual([-1]);
  });

  it('write a large record once, though others commit meanwhile', async () => {
    const content = contentOf('s');
    let others = 0;
    const act = (name: string) => {
      if (name !== 'part' || others >= 3) return undefined;
      others += 1;
      return inWorld(b, (tx) => tx.setCounter('n', tx.counter('n') + 1));
    };
    scripts.around = { before: act };
    await inWorld(a, put(snapshot('s', 1, content)));
    expect(others).toBe(3);
    expect(await countOf('P')).toBe(1);
    const written = parts();
    await inWorld(a, (tx) => {
      const row = tx.get('snapshots', 's');
      if (row) tx.put('snapshots', { ...row, created_at: 'later' });
    });
    expect(parts()).toBe(written);
    expect(await inWorld(b, (tx) => tx.get('snapshots', 's')?.created_at)).toBe('later');
    expect(await contentIn(b, 's')).toEqual(asJson(content));
  });

  it('write the bytes of a document once, though its transaction runs again', async () => {
    const bytes = Buffer.alloc(MB, 'd');
    let hasWritten = false;
    scripts.around = {
      before: async (name) => {
        if (name !== 'commit' || hasWritten) return;
        hasWritten = true;
        await inWorld(b, (tx) => tx.setCounter('n', 1));
      },
    };
    await inWorld(a, (tx) => tx.put('document_contents', { ...bytesOf('d', 1, 0), content: new StoredBytes(bytes) }));
    expect([hasWritten, await countOf('P')]).toEqual([true, 1]);
  });

  it('write a large record again that went before it was committed', async () => {
    let hasGone = false;
    scripts.around = {
      before: async (name) => {
        if (name !== 'commit' || hasGone) return;
        hasGone = true;
        await lose('P');
      },
    };
    await inWorld(a, put(snapshot('s', 1)));
    expect(hasGone).toBe(true);
    expect(await contentIn(b, 's')).toEqual(asJson(contentOf('s')));
  });

  it('say that a record cannot be read of which Redis has lost what it has', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    await lose('P');
    await expect(contentIn(b, 's')).rejects.toThrow(/another application/);
    await inWorld(b, (tx) => tx.remove('snapshots', 's'));
    expect(await contentIn(b, 's')).toBeUndefined();
  });

  it('read what has taken the place of a large record that they read', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    await inWorld(b, () => {});
    await inWorld(a, put(snapshot('s', 1, contentOf('other'))));
    expect(await contentIn(b, 's')).toEqual(asJson(contentOf('other')));
  });

  it('replace a large world with no long command, and keep its snapshots without writing them again', async () => {
    await inWorld(a, put(snapshot('s', 1)));
    const loading = storeOn();
    await inWorld(loading, () => {});
    const fill = (name: string) => (tx: Tx) => {
      tx.wipe(['snapshots']);
      for (let n = 0; n < ENTRIES; n++) tx.put('contacts', contact(`${name}-${n}`, n, name.repeat(500)));
    };
    await inWorld(a, fill('first'));
    await inWorld(loading, fill('second'));
    expect(scripts.longest).toBeLessThan(MB);
    const names = (tx: Tx) => new Set(tx.page('contacts', 'organization', ORGANIZATION).map(({ name }) => name));
    const fixtureNames = ['base-1', 'base-2', 'base-3'];
    for (const store of [a, b, storeOn()])
      expect(await inWorld(store, names)).toEqual(new Set([...fixtureNames, 'second'.repeat(500)]));
    expect(await contentIn(b, 's')).toEqual(asJson(contentOf('s')));
    expect([await countOf('P'), await stays('W')]).toEqual([1, [-1]]);
  });

  it('leave a world as it was whose replacement throws, or is never committed', async () => {
    await inWorld(a, (tx) => tx.put('contacts', contact('c', 1)));
    const replaced = (tx: Tx) => {
      tx.wipe([]);
      for (let n = 0; n < ENTRIES; n++) tx.put('contacts', contact(`new-${n}`, n, 'x'.repeat(500)));
    };
    const throwing = (tx: Tx) => {
      replaced(tx);
      throw fail;
    };
    await expect(inWorld(a, throwing)).rejects.toBe(fail);
    scripts.around = {
      before(name) {
        if (name === 'commit') throw new StoreAway('on purpose');
      },
    };
    await expect(inWorld(a, replaced)).rejects.toBeInstanceOf(StoreAway);
    scripts.around = {};
    const ids = (tx: Tx) => tx.page('contacts', 'organization', ORGANIZATION).map(({ id }) => id);
    for (const store of [a, b, storeOn()])
      expect(await inWorld(store, ids)).toEqual(['base-1', 'base-2', 'base-3', 'c']);
  });

  it('take over a large commit of another with no long command', async () => {
    const fill = (tx: Tx) => {
      for (let n = 0; n < ENTRIES; n++) tx.put('contacts', contact(`c-${n}`, n, 'x'.repeat(500)));
    };
    await inWorld(a, fill);
    scripts.reset();
    let hasWritten = false;
    scripts.around = {
      before: async (name) => {
        if (name !== 'fields' || hasWritten) return;
        hasWritten = true;
        await inWorld(a, (tx) => tx.put('contacts', contact('c-7', 7, 'changed')));
      },
    };
    const found = await inWorld(b, (tx) => [
      tx.page('contacts', 'organization', ORGANIZATION).length,
      tx.get('contacts', 'c-7')?.name,
    ]);
    expect(found).toEqual([ENTRIES + 3, 'changed']);
    expect(hasWritten).toBe(true);
    expect(scripts.longest).toBeLessThan(MB);
    expect((await b.dump(WORLD, 0)).rows).toEqual((await a.dump(WORLD, 0)).rows);
  });
});
