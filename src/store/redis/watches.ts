// The worlds of which a replica wants to know what others commit: it hears of their versions on a channel, and looks once a
// second at those of which a message may have been lost.
import type { Appended } from '../history.ts';
import type { Listeners } from '../listeners.ts';
import { NoSuchWorld, type WorldListener } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import type { Connection } from './connection.ts';
import type { Copy } from './copy.ts';
import type { Keys } from './keys.ts';

const LOOK_MS = 1000;

interface Watched {
  /** Up to where the listeners have been told; null as long as the world is not known. */
  told: { readonly incarnation: string; readonly position: number } | null;
  /** The latest version that was heard of. */
  heard: number;
  /** Whether it looks for what others have committed, and has to do so again. */
  looking: 'no' | 'once' | 'again';
  readonly unsubscribe: () => void;
}

export interface WatchesParts {
  readonly connection: Connection;
  readonly keys: Keys;
  readonly listeners: Listeners;
  copyOf(world: string): Copy | undefined;
  /** Brings the copy of a world up to date, which calls `tell` if it was not. Rejects with NoSuchWorld. */
  refresh(world: string): Promise<void>;
  onError(error: unknown, world: string): void;
}

export class Watches {
  readonly #parts: WatchesParts;
  readonly #watched = new Map<string, Watched>();
  #stopLooking: (() => void) | undefined;

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  watch(world: string, listener: WorldListener): () => void {
    const stop = this.#parts.listeners.watch(world, listener);
    if (!this.#watched.has(world)) this.#begin(world);
    return () => {
      stop();
      if (!this.#parts.listeners.isWatched(world)) this.#end(world);
    };
  }

  isWatched(world: string): boolean {
    return this.#watched.has(world);
  }

  #begin(world: string): void {
    const { connection, keys, copyOf } = this.#parts;
    const { unsubscribe, subscribed } = connection.subscribe(keys.of(world).changes, (message) =>
      this.#hear(world, message),
    );
    const copy = copyOf(world);
    this.#watched.set(world, { told: copy ? placeOf(copy) : null, heard: 0, looking: 'no', unsubscribe });
    // What was committed before that has not been heard.
    void subscribed.then(() => this.#look(world));
    this.#stopLooking ??= connection.time.every(LOOK_MS, () => {
      for (const each of this.#watched.keys()) this.#look(each);
    });
  }

  #end(world: string): void {
    this.#watched.get(world)?.unsubscribe();
    this.#watched.delete(world);
    if (this.#watched.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  /** A message has the version, the incarnation and the name of a world; the channel is that of several. */
  #hear(world: string, message: string | null): void {
    const [version, incarnation, ...name] = message?.split(' ') ?? [];
    const copy = this.#parts.copyOf(world);
    const watched = this.#watched.get(world);
    if (message === null || !copy || !watched) return this.#look(world);
    if (name.join(' ') !== world) return;
    if (copy.incarnation !== incarnation) return this.#look(world);
    watched.heard = Number(version);
    // The message of a commit of one's own may come before its reply; then `hasTold` looks.
    if (copy.isIdle && copy.at.version < watched.heard) this.#look(world);
  }

  #look(world: string): void {
    const watched = this.#watched.get(world);
    if (!watched) return;
    watched.looking = watched.looking === 'no' ? 'once' : 'again';
    if (watched.looking === 'once') void this.#lookNow(world, watched);
  }

  async #lookNow(world: string, watched: Watched): Promise<void> {
    try {
      await this.#parts.refresh(world);
    } catch (error) {
      if (error instanceof NoSuchWorld) this.tellGone(world);
      // It looks again in a second.
      else if (!(error instanceof StoreAway)) this.#parts.onError(error, world);
    }
    const isAgain = watched.looking === 'again';
    watched.looking = 'no';
    if (isAgain) this.#look(world);
  }

  /** To be called when a copy has taken over what others have committed, or was loaded. */
  tell(copy: Copy): void {
    const { facts, state, schedule } = copy.world;
    const watched = this.#watched.get(facts.name);
    if (!watched) return;
    if (watched.told?.incarnation !== copy.incarnation) {
      // The world that they were told of may have been deleted and created again unnoticed, or lost by Redis.
      this.tellGone(facts.name);
      watched.heard = 0;
    }
    const appended = newIn(copy, watched.told);
    watched.told = placeOf(copy);
    const next = { nextAt: schedule.peek()?.at ?? null, clock: state.clock };
    this.#parts.listeners.tellWatchers(facts.name, { world: facts.name, epoch: state.epoch, appended, schedule: next });
  }

  /** To be called when listeners have been told of a commit of this replica. */
  hasTold(copy: Copy): void {
    const { name } = copy.world.facts;
    const watched = this.#watched.get(name);
    if (!watched) return;
    watched.told = placeOf(copy);
    if (copy.at.version < watched.heard) this.#look(name);
  }

  /** Once, until there is a world of that name again. */
  tellGone(world: string): void {
    const watched = this.#watched.get(world);
    if (!watched?.told) return;
    watched.told = null;
    this.#parts.listeners.tellWatchers(world, null);
  }
}

const placeOf = ({ incarnation, world }: Copy) => ({ incarnation, position: world.journals.position });

/** The entries that listeners have not been told of, as far as they are kept. */
function newIn({ world }: Copy, told: Watched['told']): readonly Appended[] {
  return told ? world.journals.keptAfter(told.position) : [];
}
