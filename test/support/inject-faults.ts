// Injects faults into a running sandbox: each place in `src` that calls one of the given functions fails once. The tests
// do not say where these places are, so that a new one is tried too.
import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { sourcePlaces } from './source-places.ts';

/** What the file system reports when the disk is full. */
class Fault extends Error {
  readonly code = 'ENOSPC';
}

type Method = (...given: unknown[]) => unknown;

export class Faults {
  /** The places that have failed, or were left out. */
  readonly places = new Set<string>();
  /** The place that has failed since `arm`. */
  fired: string | undefined;
  #isArmed = false;
  readonly #selects: (place: string) => boolean;
  readonly #restore: (() => void)[] = [];

  /** `selects`: which places fail. */
  constructor(selects: (place: string) => boolean = () => true) {
    this.#selects = selects;
  }

  /** From now on, the first call from a place that has not failed yet fails. */
  arm(): void {
    this.fired = undefined;
    this.#isArmed = true;
  }

  disarm(): void {
    this.#isArmed = false;
  }

  /** Lets the functions of an object fail: by a rejection if they return promises, by their callback, or by an exception. */
  in(target: object, names: readonly string[], fails: 'rejects' | 'calls back' | 'throws'): void {
    for (const name of names) {
      const original: Method = Reflect.get(target, name);
      const faults = this;
      const replaced = function (this: unknown, ...given: unknown[]): unknown {
        const fault = faults.#next(name);
        if (!fault) return original.apply(this, given);
        if (fails === 'rejects') return Promise.reject(fault);
        const callback = given.at(-1);
        if (fails === 'calls back' && typeof callback === 'function') return setImmediate(() => callback(fault));
        throw fault;
      };
      Object.assign(target, { [name]: replaced });
      this.#restore.push(() => Object.assign(target, { [name]: original }));
    }
    syncBuiltinESMExports();
  }

  /** The functions through which a sandbox reaches its store, its files and receivers. */
  everywhere(): void {
    this.in(MemoryStore.prototype, ['transaction', 'addWorld', 'dropWorld'], 'rejects');
    this.in(MemoryStore.prototype, ['world', 'worlds', 'worldCount', 'locate', 'takeChanges', 'dumpAll'], 'throws');
    const files = ['openSync', 'writeSync', 'ftruncateSync', 'closeSync', 'rmSync', 'utimesSync'];
    this.in(fs, [...files, 'readFileSync', 'writeFileSync', 'readdirSync'], 'throws');
    this.in(fs, ['fdatasync'], 'calls back');
    this.in(fs.promises, ['open', 'rename', 'rm'], 'rejects');
    this.in(http, ['request'], 'throws');
    // Not the class itself: it is not exported.
    const { open } = fs.promises;
    Object.assign(fs.promises, {
      open: async (...given: Parameters<typeof open>) => {
        const handle = await open(...given);
        this.in(handle, ['writeFile', 'sync', 'close'], 'rejects');
        return handle;
      },
    });
    this.#restore.push(() => Object.assign(fs.promises, { open }));
    syncBuiltinESMExports();
  }

  restore(): void {
    for (const each of this.#restore.reverse()) each();
    syncBuiltinESMExports();
  }

  #next(name: string): Fault | undefined {
    if (!this.#isArmed || this.fired !== undefined) return undefined;
    const place = placeOf(name);
    if (place === undefined || this.places.has(place)) return undefined;
    this.places.add(place);
    if (!this.#selects(place)) return undefined;
    this.fired = place;
    return new Fault(`an injected fault in ${place}`);
  }
}

/** The function and the lines of the sources that lead to its call; undefined for a call from elsewhere. */
function placeOf(name: string): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 24;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  const places = sourcePlaces(stack);
  return places.length === 0 ? undefined : `${name} ${places.slice(0, 6).join(' < ')}`;
}
