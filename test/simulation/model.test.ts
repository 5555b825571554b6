// The model of Redis that the simulation uses, held to a real server: both are sent the same random commits of the store's
// scripts, and have to answer alike and to have the same data at the end.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, type Reply } from '../../src/store/redis/connection.ts';
import { noChanges } from '../../src/store/redis/fields.ts';
import { createKeys } from '../../src/store/redis/keys.ts';
import { RemoteWorlds } from '../../src/store/redis/remote-worlds.ts';
import { newWorld } from '../store/setup.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { runs } from '../support/thorough.ts';
import { Network } from './network.ts';
import { diceOf, SimulatedProcess, Timeline } from './timeline.ts';

const field = fc.constantFrom('c:one', 'o:two', 'r:contacts:x');
const entry = fc.constantFrom('j:steps:1', 'j:steps:2', 'j:events:1');
const parts = fc.constantFrom('contents' as const, 'outlines' as const);
/** Of what is written in parts; empty for nothing. */
const partName = fc.constantFrom('', '', 'p', 'q');
const commit = fc.record({
  type: fc.constant('commit' as const),
  incarnation: fc.constantFrom('first', 'second'),
  version: fc.nat(6),
  /** Which commit the copy takes for the latest: the one that was, or another. */
  tip: fc.constantFrom('own', 'other'),
  id: fc.nat(8),
  all: fc.boolean(),
  set: fc.uniqueArray(field, { maxLength: 3 }),
  setEntries: fc.uniqueArray(entry, { maxLength: 2 }),
  gone: fc.uniqueArray(field, { maxLength: 2 }),
  goneEntries: fc.uniqueArray(entry, { maxLength: 2 }),
  covered: fc.boolean(),
  runner: fc.constantFrom(null, '', 'a', 'b'),
  isOpen: fc.boolean(),
  parts,
  apart: fc.uniqueArray(fc.tuple(fc.constantFrom('r:snapshots:1', 'r:snapshots:2'), partName), {
    selector: ([name]) => name,
    maxLength: 2,
  }),
  staged: fc.record({ fields: partName, entries: partName }),
});
const part = fc.record({
  type: fc.constant('part' as const),
  ref: partName,
  fields: fc.uniqueArray(fc.constantFrom('0', '1', 'n'), { minLength: 1 }),
});
const fieldsNow = fc.record({
  type: fc.constant('fields' as const),
  fields: fc.uniqueArray(fc.oneof(field, entry), { minLength: 1 }),
  parts,
});
const load = fc.record({ type: fc.constant('load' as const), parts });
const contents = fc.record({
  type: fc.constant('contents' as const),
  version: fc.nat(6),
  fields: fc.uniqueArray(entry, { minLength: 1 }),
});
const add = fc.record({ type: fc.constant('add' as const), incarnation: fc.constantFrom('first', 'second') });
const drop = fc.record({ type: fc.constant('drop' as const), incarnation: fc.constantFrom('first', 'second') });
const claim = fc.record({ type: fc.constant('claim' as const), version: fc.nat(4) });
const release = fc.record({ type: fc.constant('release' as const), version: fc.nat(4) });
const commands = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: commit },
    { weight: 2, arbitrary: part },
    add,
    drop,
    claim,
    release,
    load,
    contents,
    fieldsNow,
  ),
  { maxLength: 25 },
);
type Each = typeof commands extends fc.Arbitrary<(infer T)[]> ? T : never;

const unique = { table: 'keys', value: 'h' } as const;

describe.runIf(hasRedis)('the model of Redis', () => {
  let server: RedisServer;
  let real: Connection;
  let prefixes = 0;
  beforeAll(async () => {
    server = await startRedis();
    real = await Connection.open(server.socket);
  });
  afterAll(async () => {
    real?.close();
    await server?.stop();
  });

  /** What a server answers to commands, and what it has in the end. */
  async function transcript(connection: Connection, prefix: string, list: readonly Each[]): Promise<unknown[]> {
    const keys = createKeys(prefix);
    const remote = new RemoteWorlds(connection, keys);
    const tips: string[] = [];
    const answers: unknown[] = [];
    const { world, journals, log, directory, coverage, covered, held, apart, parts: begin } = keys.of(newWorld.name);
    for (const each of list)
      answers.push(
        each.type === 'part'
          ? await writePart(connection, begin + each.ref, each.fields)
          : await answerTo(remote, each, tips),
      );
    for (const key of [`${begin}p`, `${begin}q`, journals, world])
      answers.push(Math.sign(Number(await connection.command('TTL', [key]))));
    for (const key of [world, journals, directory, coverage, held, apart, `${begin}p`, `${begin}q`])
      answers.push(pairs(await connection.command('HGETALL', [key])));
    answers.push(await connection.command('LRANGE', [log, 0, -1]));
    answers.push(await connection.command('SMEMBERS', [covered]));
    answers.push(await remote.owner('keys', 'h'));
    return answers;
  }

  it('answers what a server answers', async () => {
    const check = async (list: readonly Each[]): Promise<void> => {
      prefixes += 1;
      expect(await modelTranscript(list)).toEqual(await transcript(real, `model-${prefixes}`, list));
    };
    await fc.assert(fc.asyncProperty(commands, check), { numRuns: runs(40, 1000) });
  });

  it('answers what a server answers to commands that the scripts use besides', async () => {
    const script = `
      local function both(value) return value, value .. value end
      redis.call('ZADD', KEYS[1], 5, 'b') redis.call('ZADD', KEYS[1], 5, 'a') redis.call('ZADD', KEYS[1], 9, 'c')
      redis.call('SADD', KEYS[2], 'one')
      local reply = { redis.call('ZSCORE', KEYS[1], 'a'), redis.call('ZSCORE', KEYS[1], 'none') or 'nil' }
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. 9)) do
        reply[#reply + 1] = member
        if #reply > 9 then break end
      end
      for at = 1, 3 do
        if at == 2 then break end
        reply[#reply + 1] = at
      end
      local first, second = both('x')
      return { reply, redis.call('SCARD', KEYS[2]), redis.call('SRANDMEMBER', KEYS[2], 2),
        redis.call('ZREM', KEYS[1], 'a', 'none'), first, second, (#reply), both('y') }`;
    const answers = (connection: Connection) => connection.command('EVAL', [script, 2, 'scores', 'members']);
    const expected = await answers(real);
    expect(expected).toHaveLength(9);
    expect(await inModel(answers)).toEqual(expected);
  });

  const modelTranscript = (list: readonly Each[]): Promise<unknown[]> =>
    inModel((connection) => transcript(connection, `model-${prefixes}`, list));

  async function inModel<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const timeline = new Timeline();
    const network = new Network(timeline, diceOf(1), { time: () => timeline.now });
    const process = new SimulatedProcess(timeline, 0);
    let isOver = false;
    const running = Connection.over(network.connect(process).clients, { patience: 2000, time: process })
      .then(use)
      .finally(() => {
        isOver = true;
      });
    await timeline.runUntil(1e9, () => isOver);
    return running;
  }
});

async function writePart(connection: Connection, key: string, names: readonly string[]): Promise<unknown> {
  const { values } = await connection.run('part', [key], [100, ...names.flatMap((name) => [name, `value of ${name}`])]);
  return values[0];
}

async function answerTo(remote: RemoteWorlds, each: Exclude<Each, { type: 'part' }>, tips: string[]): Promise<unknown> {
  const { name } = newWorld;
  const owner = { world: name, id: 'k' };
  switch (each.type) {
    case 'add': {
      const setEntries = ['j:steps:1', 'c 1 0 1 9 noon\né', 'j:steps:2', 'o 2 0 2 9 noon\né'];
      const changes = {
        ...noChanges(true),
        names: [],
        staged: { fields: '', entries: '' },
        set: ['c:one', '1'],
        setEntries,
        covered: new Map([['fact', 2]]),
      };
      const isAdded = await remote.add({ ...newWorld }, each.incarnation, each.incarnation, changes);
      if (isAdded) tips[1] = each.incarnation;
      return isAdded;
    }
    case 'drop':
      return remote.drop(name, each.incarnation);
    case 'claim':
      return remote.claim([{ ...unique, owner }], { incarnation: 'first', version: each.version });
    case 'release':
      return remote.release([unique], { incarnation: 'first', version: each.version });
    case 'load': {
      const loaded = await remote.load(name, each.parts);
      return (
        loaded && {
          ...loaded,
          inPartsFrom: loaded.inPartsFrom !== null,
          fields: loaded.fields.filter(isNotServer).sort(),
        }
      );
    }
    case 'fields': {
      const found: unknown[] = [];
      for await (const some of remote.fieldsNow(name, each.fields, each.parts)) found.push(...some);
      return found;
    }
    case 'contents': {
      const { version, fields } = each;
      const at = { version, tip: tips[version] ?? '' };
      return remote.contents(name, { incarnation: 'first', at, movedTo: '' }, fields);
    }
    case 'commit': {
      const { version, incarnation, all, gone, goneEntries } = each;
      const set = each.set.flatMap((name) => [name, `${each.id}`]);
      const line = `${each.isOpen ? 'o' : 'c'} 1 0 1 9 noon`;
      const setEntries = each.setEntries.flatMap((name) => [name, `${line}\né${each.id}`]);
      const covered = new Map(each.covered ? [['fact', 1]] : []);
      const at = { version, tip: each.tip === 'own' ? (tips[version] ?? '') : 'other' };
      const id = `commit-${each.id}`;
      const names = each.runner === null ? [] : ['runner', each.runner];
      const apart = each.apart.map(([name, ref]) => ({ field: name, ref, content: null }));
      const { fields, entries } = each.staged;
      // A replica gives each part a name of its own.
      const taken = ['', ...each.apart.map(([, ref]) => ref)];
      const staged = {
        fields: all && !taken.includes(fields) ? fields : '',
        entries: all && ![...taken, fields].includes(entries) ? entries : '',
      };
      const changes = { all, set: [...set, ...names], setEntries, gone, goneEntries, names, covered, apart, staged };
      const answer = await remote.commit(name, { incarnation, at, movedTo: '' }, id, changes, each.parts);
      if (answer.status === 'ok') tips[answer.at.version] = answer.at.tip;
      return answer.status === 'behind' ? { ...answer, missed: [...answer.missed].sort() } : answer;
    }
  }
}

/** Of a field and its value: each server has an id of its own. */
const isNotServer = ([name]: readonly unknown[]): boolean => name !== undefined && name !== 'server';

/** The fields of a hash, in an order of their own. */
const pairs = (reply: Reply): unknown =>
  Object.entries(
    Object.fromEntries(
      (reply as readonly string[]).map((each, n, all) => (n % 2 ? [] : [each, all[n + 1]])).filter(isNotServer),
    ),
  ).sort();
