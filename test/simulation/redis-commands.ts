// The commands of the model of Redis that the store uses.
import type { Reply } from '../../src/store/redis/connection.ts';

/** A sorted set is a map of members to scores. */
export type Value = Map<string, string> | string[] | Set<string>;

/** What the server answers in place of a reply. */
export class Refusal extends Error {}

/** The data as commands see it. What is read is never changed in place, so that it can come back. */
export interface Access {
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
  value(key: string): Value | undefined;
  /** The keys that are to go by themselves. */
  readonly expiring: Set<string>;
  size(): number;
}

/** How many fields a part of a hash has. */
const SCANNED = 20;

export const commands: Readonly<Record<string, (data: Access, ...args: string[]) => Reply>> = {
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
  RENAME(data, from = '', to = '') {
    if (!data.has(from)) throw new Refusal('ERR no such key');
    data.write(to, data.value(from));
    data.write(from, undefined);
    if (data.expiring.delete(from)) data.expiring.add(to);
    else data.expiring.delete(to);
    return 'OK';
  },
  // Nothing goes by itself: what stays for minutes outlives what is simulated.
  EXPIRE(data, key = '') {
    if (data.has(key)) data.expiring.add(key);
    return data.has(key) ? 1 : 0;
  },
  PERSIST: (data, key = '') => (data.expiring.delete(key) ? 1 : 0),
  TTL: (data, key = '') => (data.expiring.has(key) ? 1 : data.has(key) ? -1 : -2),
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
