// The names that webhooks go to, without a DNS server: look-ups in turns, their time limit, and what is remembered.

import type { LookupAddress } from 'node:dns';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fullNames, readSearch } from '../../src/webhooks/ask-dns.ts';
import { hostsIn } from '../../src/webhooks/hosts-file.ts';
import { Names } from '../../src/webhooks/names.ts';
import { ReceiverSlots, type SlotWait } from '../../src/webhooks/receiver.ts';
import { temporaryFolders } from '../support/folders.ts';

const folderOf = temporaryFolders();
const found: readonly LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Names for which every server is silent but for those of the zone `answered.test`; `asked` are the names in order. */
function namesWith(hosts: (host: string) => readonly LookupAddress[] | undefined = () => undefined) {
  const asked: string[] = [];
  const names = new Names({
    hosts,
    now: () => performance.now(),
    ask: (host) => {
      asked.push(host);
      if (host.endsWith('.short.test')) return Promise.reject(Object.assign(new Error(), { code: 'EMFILE' }));
      if (host.endsWith('.answered.test')) return Promise.resolve(found);
      if (host.endsWith('.unknown.test')) return Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
      return new Promise(() => {});
    },
  });
  return { names, asked };
}

const codeOf = (look: Promise<unknown>): Promise<unknown> =>
  look.then(
    () => 'found',
    (error) => error.code,
  );

describe('a name', () => {
  it.each(['localhost', 'LOCALHOST.', 'hooks.localhost'])('%s is this machine, without a question', async (host) => {
    const { names, asked } = namesWith();
    expect((await names.find(host, 'w')).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  it('of the hosts file is found there, as it was half a second ago', async () => {
    const folder = folderOf({ hosts: '10.1.2.3 Receiver receiver.test # ours\n::2 receiver\nnonsense here\n' });
    const file = join(folder, 'hosts');
    let now = 0;
    const { names, asked } = namesWith(hostsIn(file, () => now));
    expect(await names.find('receiver', 'w')).toEqual([
      { address: '10.1.2.3', family: 4 },
      { address: '::2', family: 6 },
    ]);
    writeFileSync(file, '10.9.9.9 receiver.test and.more.test\n');
    utimesSync(file, 1, 1);
    now += 499;
    expect(await names.find('receiver.test', 'w')).toMatchObject([{ address: '10.1.2.3' }]);
    now += 1;
    expect(await names.find('receiver.test', 'w')).toMatchObject([{ address: '10.9.9.9' }]);
    expect(asked).toEqual([]);
    rmSync(file);
    now += 500;
    void names.find('receiver.test', 'w').catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(['receiver.test']);
  });

  it('with thousands of addresses has the first few of each family', async () => {
    const many = (family: 4 | 6) =>
      Array.from({ length: 4000 }, (_, n) => ({
        address: family === 4 ? `10.0.${n >> 8}.${n & 255}` : `fd00::${n}`,
        family,
      }));
    const names = new Names({
      hosts: () => undefined,
      now: () => performance.now(),
      ask: (host) => Promise.resolve(host === 'nothing.test' ? [] : [...many(4), ...many(6)]),
    });
    const all = await names.find('many.test', 'w');
    expect(all.map(({ address }) => address)).toEqual([
      ...many(4)
        .slice(0, 8)
        .map(({ address }) => address),
      ...many(6)
        .slice(0, 8)
        .map(({ address }) => address),
    ]);
    expect(await names.find('many.test', 'w')).toEqual(all);
    expect(await codeOf(names.find('nothing.test', 'w'))).toBe('ENOTFOUND');
  });

  it('that no server answers for fails after 3 s, and for the next 5 s at once', async () => {
    const { names, asked } = namesWith();
    const first = codeOf(names.find('a.silent.test', 'w'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(await first).toBe('EAI_AGAIN');
    expect(await codeOf(names.find('a.silent.test', 'other'))).toBe('EAI_AGAIN');
    await vi.advanceTimersByTimeAsync(5001);
    void codeOf(names.find('a.silent.test', 'w'));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual(['a.silent.test', 'a.silent.test']);
  });

  it('that could not be asked for, for lack of descriptors, is asked for again at once', async () => {
    const { names, asked } = namesWith();
    for (let n = 0; n < 2; n++) expect(await codeOf(names.find('a.short.test', 'w'))).toBe('EMFILE');
    expect(asked).toHaveLength(2);
  });

  it('is asked for once by all who want to know it at a time, and again a second later', async () => {
    const { names, asked } = namesWith();
    const all = ['a', 'b', 'c'].map((world) => names.find('x.answered.test', world));
    expect(await Promise.all(all)).toEqual([found, found, found]);
    expect(await names.find('x.answered.test', 'd')).toEqual(found);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1001);
    await names.find('x.answered.test', 'd');
    expect(asked).toHaveLength(2);
  });

  it('that does not exist is remembered as such', async () => {
    const { names, asked } = namesWith();
    expect(await codeOf(names.find('x.unknown.test', 'w'))).toBe('ENOTFOUND');
    expect(await codeOf(names.find('X.unknown.test.', 'w'))).toBe('ENOTFOUND');
    expect(asked).toEqual(['x.unknown.test']);
  });
});

describe('the look-ups of a world', () => {
  it('are 64 at once, so that a thousand silent names delay no other world', async () => {
    const { names, asked } = namesWith();
    for (let n = 0; n < 1000; n++) void codeOf(names.find(`n${n}.silent.test`, 'hostile'));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(64);
    expect(await names.find('hooks.answered.test', 'good')).toEqual(found);
  });

  it('have their time limit from when each begins, not from when it was asked for', async () => {
    const { names } = namesWith();
    let begun = false;
    for (let n = 0; n < 64; n++) void codeOf(names.find(`n${n}.silent.test`, 'w'));
    const last = codeOf(
      names.find('last.silent.test', 'w', () => {
        begun = true;
      }),
    );
    let ended = false;
    void last.then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(2999);
    expect(begun).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(begun).toBe(true);
    await vi.advanceTimersByTimeAsync(2990);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(await last).toBe('EAI_AGAIN');
  });

  it('are bounded for all worlds together, and worlds take turns', async () => {
    const { names, asked } = namesWith();
    for (let world = 0; world < 20; world++) {
      for (let n = 0; n < 64; n++) void codeOf(names.find(`n${n}.w${world}.silent.test`, `w${world}`));
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(512);
    const before = asked.length;
    void names.find('hooks.answered.test', 'good');
    await vi.advanceTimersByTimeAsync(3001);
    expect(asked.indexOf('hooks.answered.test') - before).toBeLessThan(30);
  });
});

describe('the search domains of the system', () => {
  it('are read as its own resolver reads them', () => {
    const text =
      '# by the platform\nnameserver 10.0.0.2\nsearch ns.svc.cluster.local svc.cluster.local\noptions ndots:5 edns0\n';
    expect(readSearch(text)).toEqual({ domains: ['ns.svc.cluster.local', 'svc.cluster.local'], dots: 5 });
    expect(readSearch('nameserver 10.0.0.2')).toEqual({ domains: [], dots: 1 });
  });

  it('come first for a name with few dots, and last for one with more', () => {
    const search = { domains: ['a.test', 'b.test'], dots: 2 };
    expect(fullNames('hooks.app', search)).toEqual(['hooks.app.a.test', 'hooks.app.b.test', 'hooks.app']);
    expect(fullNames('hooks.app.example', search)).toEqual([
      'hooks.app.example',
      'hooks.app.example.a.test',
      'hooks.app.example.b.test',
    ]);
  });
});

describe('the places of a receiver', () => {
  const start = async (slots: ReceiverSlots, world: string, count: number, receiver = 'r') => {
    const started: string[] = [];
    for (let n = 0; n < count; n++)
      void Promise.resolve(slots.take(receiver, world)?.granted).then(() => started.push(world));
    await vi.advanceTimersByTimeAsync(0);
    return started;
  };

  it('are 64, and a world that has none gets one all the same', async () => {
    const slots = new ReceiverSlots();
    const hostile = await start(slots, 'hostile', 200);
    expect(hostile).toHaveLength(64);
    const good = await start(slots, 'good', 3);
    expect(good).toHaveLength(1);
    slots.leave('r', 'good');
    await vi.advanceTimersByTimeAsync(0);
    expect(good).toHaveLength(2);
  });

  it('are taken by worlds in turns when they become free', async () => {
    const slots = new ReceiverSlots();
    const hostile = await start(slots, 'hostile', 200);
    const good = await start(slots, 'good', 20);
    for (let n = 0; n < 21; n++) slots.leave('r', 'hostile');
    await vi.advanceTimersByTimeAsync(0);
    expect(hostile.length - 64 + good.length - 1).toBe(20);
    expect(good.length).toBeGreaterThanOrEqual(10);
  });

  it('are 1024 for all receivers, past which each world has four, one to each receiver at least', async () => {
    const slots = new ReceiverSlots();
    for (let n = 0; n < 16; n++) await start(slots, 'hostile', 64, `r${n}`);
    const another = await start(slots, 'hostile', 3, 'another');
    expect(another).toHaveLength(0);
    const good = await Promise.all(Array.from({ length: 6 }, (_, n) => start(slots, 'good', 3, `good ${n}`)));
    expect(good.map(({ length }) => length)).toEqual([3, 1, 0, 0, 0, 0]);
    slots.leave('good 0', 'good');
    slots.leave('r0', 'hostile');
    await vi.advanceTimersByTimeAsync(0);
    expect(good.flat()).toHaveLength(5);
    expect(another).toHaveLength(0);
    for (let n = 0; n < 4; n++) slots.leave('r1', 'hostile');
    await vi.advanceTimersByTimeAsync(0);
    expect(another).toHaveLength(1);
  });

  it('are given to all who wait, whatever waits are withdrawn, and never to more than there may be', async () => {
    const action = fc.record({
      does: fc.constantFrom('take', 'take', 'take', 'withdraw', 'leave'),
      world: fc.constantFrom('a', 'b', 'c'),
      receiver: fc.constantFrom('r', 's', 't', 'u'),
      which: fc.nat(),
    });
    const [toOne, inAll, worlds] = [3, 5, 3];
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 40, maxLength: 120 }), async (actions) => {
        const slots = new ReceiverSlots({ toOne, inAll });
        const inFlight: { receiver: string; world: string }[] = [];
        const waiting = new Set<SlotWait>();
        const leave = (which: number): void => {
          const [left] = inFlight.splice(which % inFlight.length, 1);
          if (left) slots.leave(left.receiver, left.world);
        };
        for (const { does, world, receiver, which } of actions) {
          if (does === 'leave') leave(which);
          else if (does === 'withdraw') [...waiting][which % waiting.size]?.withdraw();
          else {
            const wait = slots.take(receiver, world);
            if (wait) waiting.add(wait);
            else inFlight.push({ receiver, world });
            void wait?.granted.then((isGranted) => {
              waiting.delete(wait);
              if (isGranted) inFlight.push({ receiver, world });
            });
          }
          await vi.advanceTimersByTimeAsync(0);
          expect(inFlight.length).toBeLessThanOrEqual(inAll + 4 * worlds);
          const toReceiver = inFlight.filter((each) => each.receiver === receiver);
          expect(toReceiver.length).toBeLessThanOrEqual(toOne + worlds);
        }
        while (inFlight.length > 0) {
          leave(0);
          await vi.advanceTimersByTimeAsync(0);
        }
        expect(waiting.size).toBe(0);
        for (const receiver of ['r', 's', 't', 'u']) {
          for (let n = 0; n < toOne; n++) expect(slots.take(receiver, 'd')).toBeUndefined();
          for (let n = 0; n < toOne; n++) slots.leave(receiver, 'd');
        }
      }),
    );
  });
});
