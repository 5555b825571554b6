// Who takes turns with requests: worlds. A key is known to belong to a world once one of its requests was let in; until
// then it shares the turns of all unknown keys, so that inventing keys gains nothing. Without a key, it is the path that is
// known.
import type { IncomingMessage } from 'node:http';
import { afterBearer } from '../errors/bearer.ts';
import { testKeyOf } from '../identity/test-keys.ts';
import { Rounds } from '../scheduler/rounds.ts';
import type { Turns } from '../scheduler/turns.ts';
import { createTickBarrier, type TickBarrier } from './tick-barrier.ts';

/** Names of worlds have no spaces. */
const UNKNOWN = 'unknown key';
/** How many keys, and worlds of test keys, are remembered; then all are learned again. */
const MOST_KEYS = 10_000;
const LONGEST_KEY = 1024;
const PREFIX = testKeyOf('');

/** A request, of which its credentials are read. */
export type Asking = Pick<IncomingMessage, 'headers'>;

export class Callers {
  readonly #everyRequestRead: TickBarrier;
  /** Of keys but test keys; what a test key names is in the set. */
  readonly #worlds = new Map<string, string>();
  readonly #testWorlds = new Set<string>();
  #refuse: (world: string) => void = () => {};

  /** Worlds with much background work let others go first. */
  constructor(turns: Pick<Turns, 'onWork'>, rounds = new Rounds()) {
    const onWork = (charge: (world: string, ms: number) => void): void => turns.onWork(charge);
    const onRefusal = (refuse: (world: string) => void): void => {
      this.#refuse = refuse;
    };
    this.#everyRequestRead = createTickBarrier({
      now: () => performance.now(),
      afterReading: (callback) => rounds.next(callback),
      onWork,
      onRefusal,
    });
  }

  /** Resolves when it is the turn of a request, before its key is looked up. */
  turnOf(req: Asking, path: string, withoutKey?: string): Promise<void> {
    return this.#everyRequestRead(this.nameOf(req, path, withoutKey));
  }

  /** Lets the next requests of a world wait that was told to try again later. */
  refused(world: string): void {
    this.#refuse(world);
  }

  /** All keys of a world are one caller. `withoutKey` is who asks without one, where no world is known. */
  nameOf({ headers }: Asking, path: string, withoutKey = UNKNOWN): string {
    const testWorld = testWorldOf(headers.authorization);
    if (testWorld !== undefined) return this.#testWorlds.has(testWorld) ? testWorld : UNKNOWN;
    const otherwise = headers.authorization === undefined ? withoutKey : UNKNOWN;
    return this.#worlds.get(credentialsOf(headers, path)) ?? otherwise;
  }

  /** Remembers that the credentials of a request are good for a world. */
  learn({ headers }: Asking, path: string, world: string): void {
    if (testWorldOf(headers.authorization) === world) {
      if (this.#testWorlds.size >= MOST_KEYS) this.#testWorlds.clear();
      this.#testWorlds.add(world);
      return;
    }
    const credentials = credentialsOf(headers, path);
    if (credentials.length > LONGEST_KEY) return;
    if (this.#worlds.size >= MOST_KEYS) this.#worlds.clear();
    this.#worlds.set(credentials, world);
  }
}

/** The world that a test key names, in whatever case; whether the key is well formed is checked later. */
function testWorldOf(authorization: string | undefined): string | undefined {
  const key = authorization === undefined ? undefined : afterBearer(authorization);
  if (!key?.startsWith(PREFIX)) return undefined;
  const dot = key.indexOf('.', PREFIX.length);
  return key.slice(PREFIX.length, dot < 0 ? undefined : dot).toLowerCase();
}

/**
 * The control token is good for the world that a header names. A request without a key has its path, such as the address of
 * a lead source, which no header can spell.
 */
function credentialsOf(headers: Asking['headers'], path: string): string {
  const { authorization, 'x-sandbox-world': world } = headers;
  if (authorization === undefined && world === undefined) return `\n${path}`;
  return world === undefined ? `${authorization}` : `${authorization} ${String(world)}`;
}
