// A Redis server in this process: the data that the store uses, its commands and its scripts, and a failover, after which
// the latest commands have not happened.
import { createHash } from 'node:crypto';
import type { Reply } from '../../src/store/redis/connection.ts';
import { compileLua } from './lua.ts';
import { LuaTable, type LuaValue, luaLibrary } from './lua-values.ts';

export type Command = readonly (string | number)[];
/** A sorted set is a map of members to scores. */
type Value = Map<string, string> | string[] | Set<string>;
type Script = ReturnType<typeof compileLua>;

/** What the server answers in place of a reply. */
export class Refusal extends Error {}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex');
const compiled = new Map<string, Script>();

function scriptOf(text: string, broken: ReadonlyMap<string, string>): Script {
  const source = broken.get(text) ?? text;
  const script = compiled.get(source) ?? compileLua(source);
  compiled.set(source, script);
  return script;
}

export interface RedisModelOptions {
  /** Its time, in milliseconds. */
  readonly time: () => number;
  readonly publish?: (channel: string, message: string) => void;
  /** Scripts that are replaced by others when they are run: what a test breaks on purpose. */
  readonly broken?: ReadonlyMap<string, string>;
}

export class RedisModel {
  readonly #options: RedisModelOptions;
  readonly #data = new Map<string, Value>();
  readonly #scripts = new Map<string, string>();
  /** Grows whenever it is started. */
  #runs = 1;
  /** How to undo each of the latest commands that changed anything. */
  readonly #undo: Map<string, Value | undefined>[] = [];
  #undoing = new Map<string, Value | undefined>();

  constructor(options: RedisModelOptions) {
    this.#options = options;
  }

  /** Runs a command; throws a Refusal. */
  run(command: Command): Reply {
    this.#undoing = new Map();
    try {
      return this.#run(command.map(String));
    } finally {
      if (this.#undoing.size > 0) this.#undo.push(this.#undoing);
      if (this.#undo.length > 50) this.#undo.shift();
    }
  }

  /** The latest of the commands that changed anything have not happened; returns how many there were. */
  loseLatest(commands: number): number {
    const lost = this.#undo.splice(Math.max(0, this.#undo.length - commands)).reverse();
    for (const undo of lost) {
      for (const [key, value] of undo) {
        if (value === undefined) this.#data.delete(key);
        else this.#data.set(key, value);
      }
    }
    return lost.length;
  }

  /** It is another process now. */
  restart(): void {
    this.#scripts.clear();
    this.#runs += 1;
  }

  /** Every key and what it has. */
  get data(): ReadonlyMap<string, Value> {
    return this.#data;
  }

  #run([name = '', ...args]: readonly string[]): Reply {
    if (name === 'EVALSHA' || name === 'EVAL') return this.#eval(name, args);
    if (name === 'SCRIPT') {
      this.#scripts.clear();
      return 'OK';
    }
    const command = commands[name];
    if (!command) throw new Error(`The model of Redis knows no ${name}: add it to redis-model.ts.`);
    return command(this.#access, ...args);
  }

  #eval(name: string, [source = '', count = '0', ...rest]: readonly string[]): Reply {
    if (name === 'EVAL') this.#scripts.set(hashOf(source), source);
    const text = name === 'EVAL' ? source : this.#scripts.get(source);
    if (text === undefined) throw new Refusal('NOSCRIPT No matching script.');
    const call = (...args: LuaValue[]): LuaValue => {
      // Redis refuses what is neither a text nor a number.
      if (args.some((each) => typeof each !== 'string' && typeof each !== 'number'))
        throw new Refusal('ERR Lua redis lib command arguments must be strings or integers');
      return luaReply(this.#run(args.map(String)));
    };
    const result = scriptOf(
      text,
      this.#options.broken ?? new Map(),
    )({
      KEYS: LuaTable.of(rest.slice(0, Number(count))),
      ARGV: LuaTable.of(rest.slice(Number(count))),
      redis: luaLibrary({ call }),
    });
    return replyOf(result);
  }

  readonly #access: Access = {
    time: () => this.#options.time(),
    runId: () => this.#runs.toString(16),
    publish: (channel, message) => this.#options.publish?.(channel, message),
    hash: (key) => this.#read(key, isMap) ?? new Map(),
    hashToChange: (key) => {
      const found = this.#read(key, isMap);
      // What this command has written nobody has read yet.
      return found && this.#undoing.has(key) ? found : new Map(found);
    },
    list: (key) => this.#read(key, isList) ?? [],
    set: (key) => this.#read(key, isSet) ?? new Set(),
    write: (key, value) => {
      if (!this.#undoing.has(key)) this.#undoing.set(key, this.#data.get(key));
      const isEmpty = value === undefined || (Array.isArray(value) ? value.length : value.size) === 0;
      if (isEmpty) this.#data.delete(key);
      else this.#data.set(key, value);
    },
    has: (key) => this.#data.has(key),
    size: () => this.#data.size,
  };

  #read<T extends Value>(key: string, isKind: (value: Value) => value is T): T | undefined {
    const value = this.#data.get(key);
    if (value === undefined || isKind(value)) return value;
    throw new Refusal('WRONGTYPE Operation against a key holding the wrong kind of value');
  }
}

const isMap = (value: Value): value is Map<string, string> => value instanceof Map;
const isList = (value: Value): value is string[] => Array.isArray(value);
const isSet = (value: Value): value is Set<string> => value instanceof Set;

/** The data as commands see it. What is read is never changed in place, so that it can come back. */
interface Access {
  time(): number;
  runId(): string;
  publish(channel: string, message: string): void;
  hash(key: string): Map<string, string>;
  /** To be changed and written. */
  hashToChange(key: string): Map<string, string>;
  list(key: string): string[];
  set(key: string): Set<string>;
  write(key: string, value: Value | undefined): void;
  has(key: string): boolean;
  size(): number;
}

/** How many fields a part of a hash has. */
const SCANNED = 20;

const commands: Readonly<Record<string, (data: Access, ...args: string[]) => Reply>> = {
  TIME(data) {
    const time = data.time();
    return [String(Math.floor(time / 1000)), String(Math.floor((time % 1000) * 1000))];
  },
  INFO: (data) => `run_id:${data.runId()}\r\n`,
  PING: () => 'PONG',
  DEL(data, ...keys) {
    const found = keys.filter((key) => data.has(key));
    for (const key of found) data.write(key, undefined);
    return found.length;
  },
  UNLINK: (data, ...keys) => commands.DEL?.(data, ...keys) ?? 0,
  EXISTS: (data, ...keys) => keys.filter((key) => data.has(key)).length,
  HGET: (data, key = '', field = '') => data.hash(key).get(field) ?? null,
  HMGET: (data, key = '', ...fields) => fields.map((field) => data.hash(key).get(field) ?? null),
  HGETALL: (data, key = '') => [...data.hash(key)].flat(),
  HVALS: (data, key = '') => [...data.hash(key).values()],
  HKEYS: (data, key = '') => [...data.hash(key).keys()],
  HLEN: (data, key = '') => data.hash(key).size,
  HEXISTS: (data, key = '', field = '') => (data.hash(key).has(field) ? 1 : 0),
  // In shorter parts than it is asked for, as a server may do; its fields are in an order that no change of others changes.
  // What another process of the server has said of where to go on means nothing, and some fields are left out.
  HSCAN(data, key = '', from = '0') {
    const place = `in ${data.runId()} after `;
    const fields = [...data.hash(key)].sort(([a], [b]) => (a < b ? -1 : 1));
    if (from !== '0' && !from.startsWith(place)) return ['0', []];
    const left = fields.filter(([field]) => from === '0' || `${place}${field}` > from);
    const part = left.slice(0, SCANNED);
    const last = part.at(-1);
    return [last && left.length > SCANNED ? `${place}${last[0]}` : '0', part.flat()];
  },
  HSET(data, key = '', ...pairs) {
    const hash = data.hashToChange(key);
    const before = hash.size;
    for (let at = 0; at < pairs.length; at += 2) hash.set(pairs[at] ?? '', pairs[at + 1] ?? '');
    data.write(key, hash);
    return hash.size - before;
  },
  HDEL(data, key = '', ...fields) {
    const hash = data.hashToChange(key);
    const gone = fields.filter((field) => hash.delete(field)).length;
    if (gone > 0) data.write(key, hash);
    return gone;
  },
  HINCRBY(data, key = '', field = '', by = '') {
    const hash = data.hashToChange(key);
    const value = Number(hash.get(field) ?? 0) + Number(by);
    data.write(key, hash.set(field, String(value)));
    return value;
  },
  LPUSH(data, key = '', ...values) {
    const list = [...values.reverse(), ...data.list(key)];
    data.write(key, list);
    return list.length;
  },
  LLEN: (data, key = '') => data.list(key).length,
  LRANGE: (data, key = '', from = '', to = '') => data.list(key).slice(Number(from), endOf(to)),
  LTRIM(data, key = '', from = '', to = '') {
    if (data.has(key)) data.write(key, data.list(key).slice(Number(from), endOf(to)));
    return 'OK';
  },
  SADD(data, key = '', ...members) {
    const set = new Set(data.set(key));
    const before = set.size;
    for (const member of members) set.add(member);
    if (set.size > before) data.write(key, set);
    return set.size - before;
  },
  SREM(data, key = '', ...members) {
    const set = new Set(data.set(key));
    const gone = members.filter((member) => set.delete(member)).length;
    if (gone > 0) data.write(key, set);
    return gone;
  },
  SMEMBERS: (data, key = '') => [...data.set(key)],
  SISMEMBER: (data, key = '', member = '') => (data.set(key).has(member) ? 1 : 0),
  SCARD: (data, key = '') => data.set(key).size,
  // Any will do, but the same ones each time.
  SRANDMEMBER: (data, key = '', count = '1') => [...data.set(key)].slice(0, Number(count)),
  ZADD(data, key = '', score = '', member = '') {
    const scores = data.hashToChange(key);
    const isNew = !scores.has(member);
    data.write(key, scores.set(member, score));
    return isNew ? 1 : 0;
  },
  ZCARD: (data, key = '') => data.hash(key).size,
  ZREM: (data, key = '', ...members) => commands.HDEL?.(data, key, ...members) ?? 0,
  ZSCORE: (data, key = '', member = '') => data.hash(key).get(member) ?? null,
  ZRANGE(data, key = '', from = '', to = '', withScores = '') {
    const found = byScore(data.hash(key)).slice(Number(from), endOf(to));
    return withScores === '' ? found.map(([member]) => member) : found.flat();
  },
  ZRANGEBYSCORE: (data, key = '', from = '', to = '') =>
    byScore(data.hash(key))
      .filter(([, score]) => isFrom(Number(score), from) && isUpTo(Number(score), to))
      .map(([member]) => member),
  DBSIZE: (data) => data.size(),
  PUBLISH(data, channel = '', message = '') {
    data.publish(channel, message);
    return 0;
  },
};

/** The members of a sorted set and their scores, in its order. */
const byScore = (scores: ReadonlyMap<string, string>): [string, string][] =>
  [...scores].sort(([a, one], [b, other]) => Number(one) - Number(other) || (a < b ? -1 : 1));

/** Bounds of scores: `-inf`, `+inf`, a number, or `(` and a number that is not within them. */
const isFrom = (score: number, from: string): boolean =>
  from === '-inf' || (from.startsWith('(') ? score > Number(from.slice(1)) : score >= Number(from));
const isUpTo = (score: number, to: string): boolean =>
  to === '+inf' || (to.startsWith('(') ? score < Number(to.slice(1)) : score <= Number(to));

/** The end of a range of Redis, which is within it, as one of JavaScript, which is not. */
const endOf = (to: string): number | undefined => (Number(to) === -1 ? undefined : Number(to) + 1);

function luaReply(reply: Reply): LuaValue {
  if (reply === null) return false;
  if (Array.isArray(reply)) return LuaTable.of(reply.map(luaReply));
  return reply as string | number;
}

function replyOf(value: LuaValue): Reply {
  if (value instanceof LuaTable) return value.list.map(replyOf);
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'string') return value;
  return value === true ? 1 : null;
}
