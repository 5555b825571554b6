// How a stream that begins in the past reads large journals: `src/stream/backlog.ts`.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createBudget } from '../../src/budget/budget.ts';
import { OneAtATime } from '../../src/one-at-a-time.ts';
import { createLog } from '../../src/pino-log.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import type { Tx } from '../../src/store/store.ts';
import { Outbox } from '../../src/stream/outbox.ts';
import { Streams } from '../../src/stream/streams.ts';
import { appendStep, base, delivery, kitFor, ORGANIZATION, WORLD } from '../store/setup.ts';
import { openStream, type Watcher } from '../stream/setup.ts';
import { recorded, requestEntry } from '../support/journal-entries.ts';
import { until } from '../support/until.ts';
import { settled } from './own-loop.ts';

/** More than one slice has room for. */
const LARGE = 'x'.repeat(50_000);
const MANY = 20;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Streams of a store in which something happens after each transaction, until nothing is left to happen. */
async function streamsOf(journalLimit: number) {
  const budget = createBudget(1e9);
  const kit = kitFor(() => new MemoryStore({ fixtureView: () => base, journalLimit, budget }));
  const inner = await kit.storeWithWorld();
  const commit = (body: (tx: Tx) => void): Promise<void> => inner.transaction(WORLD, body);
  const counted = { transactions: 0 };
  const hooks = { between: async (_: number): Promise<void> => {} };
  const transaction: typeof inner.transaction = async (world, body) => {
    const value = await inner.transaction(world, body);
    counted.transactions += 1;
    await hooks.between(counted.transactions);
    return value;
  };
  const store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = name === 'transaction' ? transaction : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const turns = new Turns();
  const share = budget.shares.connections;
  const log = await createLog('silent', null);
  const streams = new Streams({ store, isShared: false, share, turns, reads: new OneAtATime(), log }, () => {});
  const server = createServer();
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  server.on('upgrade', (req, socket, head) => {
    const query = new URL(req.url ?? '', 'http://localhost').searchParams;
    const [since, organization] = [query.get('since'), query.get('organization')];
    streams.open(req, socket, head, { world: WORLD, organization, since, types: null, onEnd: ended });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const open = async (since: string, more: Record<string, string> = {}): Promise<Watcher> => {
    const opened = await openStream(url, { since, ...more }, {});
    if ('status' in opened) throw new Error(`refused with ${opened.status}`);
    closing.push(() => opened.socket.terminate());
    return opened;
  };
  /** Where the stream of the world stands. */
  const stand = async (): Promise<string> => {
    const watcher = await open('start');
    await watcher.leave();
    return watcher.opened.entry.replace(/\d+$/, `${await inner.transaction(WORLD, (tx) => tx.history.position)}`);
  };
  return { commit, counted, hooks, url, open, stand, end, share };
}

const appendRequest = (tx: Tx, id: string): void =>
  tx.append('requests', requestEntry({ id, request: recorded(LARGE) }));
const idsOf = ({ messages }: Watcher): string[] => messages.map(({ type, data }) => data.id ?? type);
const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `${name}${from + n}`);

it('a stream reads large entries in slices, and tells once and in order what is appended in between', async () => {
  const { commit, counted, hooks, open } = await streamsOf(1000);
  await commit((tx) => {
    for (let n = 0; n < MANY; n++) appendRequest(tx, `old${n}`);
  });
  hooks.between = async (n) => {
    if (n <= MANY) await commit((tx) => appendRequest(tx, `new${n - 1}`));
  };
  const watcher = await open('start');
  await watcher.until(({ data }) => data.id === `new${MANY - 1}`);
  expect(idsOf(watcher)).toEqual(['open', ...numbered('old', 0, MANY), ...numbered('new', 0, MANY)]);
  expect(counted.transactions).toBe(1 + MANY);
});

it('a stream reads many small entries at once', async () => {
  const { commit, counted, open } = await streamsOf(1000);
  await commit((tx) => {
    for (let n = 0; n < 600; n++) appendStep(tx, `step${n}`);
  });
  const watcher = await open('start');
  await watcher.until(({ data }) => data.id === 'step599');
  expect(idsOf(watcher)).toEqual(['open', ...numbered('step', 0, 600)]);
  expect(counted.transactions).toBeLessThan(10);
});

it('a stream from the start has no gap where entries are dropped while they are read', async () => {
  const { commit, hooks, open } = await streamsOf(MANY);
  await commit((tx) => {
    for (let n = 0; n < MANY; n++) appendRequest(tx, `old${n}`);
  });
  hooks.between = async (n) => {
    if (n <= 5) await commit((tx) => [0, 1].map((at) => appendRequest(tx, `new${2 * (n - 1) + at}`)));
  };
  const watcher = await open('start');
  await watcher.until(({ data }) => data.id === 'new9');
  expect(idsOf(watcher)).toEqual(['open', ...numbered('old', 10, MANY), ...numbered('new', 0, 10)]);
});

it('a stream after a place ends if entries are dropped before they are read, and goes on if after that', async () => {
  const { commit, counted, hooks, open, stand } = await streamsOf(MANY);
  const start = await stand();
  await commit((tx) => {
    for (let n = 0; n < MANY; n++) appendRequest(tx, `old${n}`);
  });
  const dropAfter = (slice: number, count: number): void => {
    counted.transactions = 0;
    hooks.between = async (n) => {
      if (n === slice) await commit((tx) => numbered(`of${slice}-`, 0, count).map((id) => appendRequest(tx, id)));
    };
  };
  // The first transaction finds where the entries are, and each other one reads one of them.
  dropAfter(5, 4);
  const whole = await open(start);
  await whole.until(({ data }) => data.id === 'of5-3');
  expect(idsOf(whole)).toEqual(['open', ...numbered('old', 0, MANY), ...numbered('of5-', 0, 4)]);
  const after4 = whole.messages[4].entry;
  await whole.leave();
  dropAfter(3, 3);
  const broken = await open(after4);
  expect(await broken.closed).toMatchObject({ code: 4409 });
  expect(broken.messages).toEqual([]);
});

it('a stream tells an entry once that is amended while others are read', async () => {
  const { commit, hooks, open } = await streamsOf(1000);
  await commit((tx) => {
    for (const id of ['a', 'b', 'c', 'd']) tx.append('deliveries', delivery(id, 'pending', LARGE));
  });
  hooks.between = async (n) => {
    if (n === 1) await commit((tx) => tx.amend('deliveries', delivery('b', 'delivered', LARGE)));
    if (n === 5) await commit((tx) => tx.amend('deliveries', delivery('d', 'delivered', LARGE)));
  };
  const watcher = await open('start');
  await watcher.until(({ amended, data }) => amended && data.id === 'd');
  const told = watcher.messages.slice(1).map(({ amended, data }) => `${data.id} ${data.status} ${amended}`);
  expect(told).toEqual([
    'a pending false',
    'c pending false',
    'd pending false',
    'b delivered true',
    'd delivered true',
  ]);
});

it('a stream tells of a reset while entries are read, and what happens after it', async () => {
  const { commit, counted, hooks, open } = await streamsOf(1000);
  await commit((tx) => {
    for (let n = 0; n < MANY; n++) appendRequest(tx, `old${n}`);
  });
  hooks.between = async (n) => {
    if (n !== 4) return;
    await commit((tx) => {
      tx.wipe([]);
      tx.setState('epoch', 2);
      appendRequest(tx, 'new0');
    });
  };
  const watcher = await open('start');
  await watcher.until(({ data }) => data.id === 'new0');
  expect(idsOf(watcher).slice(-2)).toEqual(['reset', 'new0']);
  expect(idsOf(watcher).slice(0, -2)).toEqual(['open', ...numbered('old', MANY - 3, MANY)]);
  expect(counted.transactions).toBe(5);
});

it('an opening ends when its client has left, and holds no memory', async () => {
  const { commit, counted, hooks, url, end, share } = await streamsOf(1000);
  await commit((tx) => {
    for (let n = 0; n < MANY; n++) appendRequest(tx, `old${n}`);
  });
  const free = share.used;
  hooks.between = async (n) => {
    if (n !== 4) return;
    expect(share.used).toBeGreaterThan(free);
    await opened;
    socket.terminate();
    await end;
  };
  const socket = new WebSocket(`${url}?since=start`);
  const opened = once(socket, 'open');
  await end;
  await settled();
  expect(counted.transactions).toBe(4);
  expect(share.used).toBe(free);
});

it('readers of an organization are told what is theirs in few transactions, however many they are', async () => {
  const { commit, counted, open } = await streamsOf(1000);
  const watchers = await Promise.all(Array.from({ length: 5 }, () => open('start', { organization: ORGANIZATION })));
  counted.transactions = 0;
  await commit((tx) => {
    for (let n = 0; n < 250; n++) {
      const organization_id = n % 2 === 0 ? ORGANIZATION : 'another';
      tx.append('deliveries', { ...delivery(`d${n}`, 'delivered'), organization_id });
    }
  });
  await commit((tx) => {
    tx.wipe([]);
    tx.setState('epoch', 2);
    tx.append('deliveries', delivery('last', 'delivered'));
  });
  const even = numbered('d', 0, 250).filter((_, n) => n % 2 === 0);
  for (const watcher of watchers) {
    await watcher.until(({ data }) => data.id === 'last');
    expect(idsOf(watcher)).toEqual(['open', ...even, 'reset', 'last']);
  }
  expect(counted.transactions).toBeLessThan(10);
});

it('a reader of an organization that comes while others are told of an entry is told of it once', async () => {
  const { commit, hooks, open } = await streamsOf(1000);
  await open('start', { organization: ORGANIZATION });
  let second: Promise<Watcher> | undefined;
  hooks.between = async () => {
    if (second) return;
    second = open('start', { organization: ORGANIZATION });
    await second;
  };
  await commit((tx) => tx.append('deliveries', delivery('a', 'delivered')));
  await until(() => second !== undefined).toBe(true);
  await commit((tx) => tx.append('deliveries', delivery('b', 'delivered')));
  const watcher = await second;
  await watcher?.until(({ data }) => data.id === 'b');
  expect(watcher && idsOf(watcher)).toEqual(['open', 'a', 'b']);
});

it('readers are written to for a millisecond in a round of the event loop, in the order in which they were ready', async () => {
  let now = 100;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const sent: number[] = [];
  const outbox = new Outbox();
  const senders = Array.from({ length: 5 }, (_, n) => ({
    send() {
      now += 0.5;
      sent.push(n);
      if (n === 0 && sent.length === 1) outbox.goOn(this);
    },
  }));
  for (const sender of senders) outbox.add(sender);
  const perRound: number[][] = [];
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    perRound.push(sent.splice(0));
    sent.length = 0;
  }
  vi.restoreAllMocks();
  expect(perRound).toEqual([[0, 1], [2, 3], [4, 0], []]);
});
