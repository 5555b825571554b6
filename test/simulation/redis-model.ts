// A Redis server in this process: the data that the store uses, its commands and its scripts, and a failover, after which
// the latest commands have not happened.
import { createHash } from 'node:crypto';
import type { Reply } from '../../src/store/redis/connection.ts';
import { compileLua } from './lua.ts';
import { LuaTable, type LuaValue, luaLibrary } from './lua-values.ts';
import { type Access, commands, Refusal, type Value } from './redis-commands.ts';

export type Command = readonly (string | number)[];
type Script = ReturnType<typeof compileLua>;

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
  readonly #expiring = new Set<string>();
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
    if (!command) throw new Error(`The model of Redis knows no ${name}: add it to redis-commands.ts.`);
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
      if (isEmpty) {
        this.#data.delete(key);
        this.#expiring.delete(key);
      } else this.#data.set(key, value);
    },
    has: (key) => this.#data.has(key),
    value: (key) => this.#data.get(key),
    expiring: this.#expiring,
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
