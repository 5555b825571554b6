// The connection to Redis, and the scripts that run there: the one file that knows the client library.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';

export type ScriptName = 'commit' | 'add' | 'drop';

/** What Redis answers: texts, numbers, null, and lists of these. */
export type Reply = string | number | null | readonly Reply[];

interface Script {
  readonly text: string;
  readonly hash: string;
}

function readScript(name: ScriptName): Script {
  const text = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

export class Connection {
  readonly #redis: Redis;
  readonly #scripts: Readonly<Record<ScriptName, Script>> = {
    commit: readScript('commit'),
    add: readScript('add'),
    drop: readScript('drop'),
  };

  private constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** To the socket of a server. Rejects with the reason if no connection can be made. */
  static async open(path: string): Promise<Connection> {
    const redis = new Redis({ path, lazyConnect: true });
    let reason: unknown;
    redis.on('error', (error) => {
      reason = error;
    });
    try {
      await redis.connect();
    } catch (error) {
      redis.disconnect();
      throw reason ?? error;
    }
    return new Connection(redis);
  }

  /** Runs a script; one that the server does not know, such as after a restart, is sent along. */
  async run(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply> {
    const { text, hash } = this.#scripts[name];
    try {
      return await this.command('EVALSHA', [hash, keys.length, ...keys, ...args]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.command('EVAL', [text, keys.length, ...keys, ...args]);
    }
  }

  async command(name: string, args: readonly (string | number)[]): Promise<Reply> {
    // The library does not say what a command answers.
    return (await this.#redis.call(name, [...args])) as Reply;
  }

  /** Runs commands that read one after another, with nothing in between. */
  async together(commands: readonly (readonly [name: string, ...args: string[]])[]): Promise<readonly Reply[]> {
    const results = await this.#redis.multi(commands.map(([name, ...args]) => ['call', name, ...args])).exec();
    return (results ?? []).map(([error, reply]) => {
      if (error) throw error;
      // As above.
      return reply as Reply;
    });
  }

  close(): void {
    this.#redis.disconnect();
  }
}
