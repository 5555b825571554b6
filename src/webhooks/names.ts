// The addresses of the host names that webhooks go to. Look-ups of all worlds take turns, each has its own time limit
// from when it begins, and a name that could not be found is not looked up again for a moment.
import type { LookupAddress } from 'node:dns';
import { type AskNames, createDns } from './ask-dns.ts';
import { CONNECT_MS, isShortage } from './failures.ts';
import { HOSTS_FILE, hostsIn, loopbackOf } from './hosts-file.ts';
import { Places } from './places.ts';

/** Look-ups at once, of all worlds and of one. */
const LOOK_UPS = 512;
const LOOK_UPS_PER_WORLD = 64;
/** How long an answer is used again. */
const FOUND_MS = 1000;
const FAILED_MS = 5000;
const MAX_KNOWN = 10_000;
/** How many addresses of a family are tried: whoever runs a DNS server can give a name thousands. */
const MAX_ADDRESSES = 8;

interface Known {
  readonly until: number;
  readonly addresses: readonly LookupAddress[];
  /** Null if the name was found. */
  readonly failure: Error | null;
}

export interface NamesOptions {
  readonly ask: AskNames;
  readonly hosts: (host: string) => readonly LookupAddress[] | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

const now = (): number => performance.now();
const ofSystem = (): NamesOptions => ({ ask: createDns(), hosts: hostsIn(HOSTS_FILE, now), now });

export class Names {
  readonly #options: NamesOptions;
  readonly #places = new Places(LOOK_UPS, LOOK_UPS_PER_WORLD);
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Known>>();

  constructor(options: NamesOptions = ofSystem()) {
    this.#options = options;
  }

  /**
   * Finds the addresses of a name; `onBegin` is called when its turn has come. Rejects with a code, as `dns.lookup`, or
   * with the reason of the signal, which ends the wait for its turn.
   */
  async find(
    written: string,
    world: string,
    onBegin = (): void => {},
    signal?: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    const host = written.toLowerCase().replace(/\.$/, '');
    const here = loopbackOf(host) ?? this.#options.hosts(host);
    if (here) return here;
    const { addresses, failure } = this.#remembered(host) ?? (await this.#lookUp(host, world, onBegin, signal));
    if (failure) throw failure;
    return addresses;
  }

  #remembered(host: string): Known | undefined {
    const known = this.#known.get(host);
    return known && known.until > this.#options.now() ? known : undefined;
  }

  async #lookUp(host: string, world: string, onBegin: () => void, signal?: AbortSignal): Promise<Known> {
    if (!(await this.#places.take(world, signal))) throw signal?.reason;
    onBegin();
    try {
      const known = this.#remembered(host);
      if (known) return known;
      const asking = this.#asking.get(host) ?? this.#ask(host, world);
      this.#asking.set(host, asking);
      return await asking;
    } finally {
      this.#places.leave(world);
    }
  }

  async #ask(host: string, world: string): Promise<Known> {
    let known: Known;
    try {
      const addresses = await withinTime((signal) => this.#options.ask(host, world, signal));
      if (addresses.length === 0) throw new Error('the answer has no address');
      known = { addresses: fewOf(addresses), failure: null, until: this.#options.now() + FOUND_MS };
    } catch (error) {
      if (isShortage(error)) {
        // It says nothing about the name, and may be over in a moment.
        this.#asking.delete(host);
        throw error;
      }
      known = { addresses: [], failure: failureOf(error, host), until: this.#options.now() + FAILED_MS };
    }
    this.#asking.delete(host);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(host, known);
    return known;
  }
}

/** The first addresses of each family. */
const fewOf = (addresses: readonly LookupAddress[]): LookupAddress[] =>
  ([4, 6] as const).flatMap((family) => addresses.filter((each) => each.family === family).slice(0, MAX_ADDRESSES));

class Silence extends Error {}

/** The signal aborts when the time is over. */
async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      over.abort();
      reject(new Silence());
    }, CONNECT_MS);
  });
  try {
    return await Promise.race([work(over.signal), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** The codes of `dns.lookup`: it did not answer (`EAI_AGAIN`), or it knows no such name. */
function failureOf(error: unknown, host: string): Error {
  const isSilent =
    error instanceof Silence ||
    (error instanceof Error &&
      'code' in error &&
      /^(ETIMEOUT|ESERVFAIL|EAI_AGAIN|ECONNREFUSED)$/.test(String(error.code)));
  const code = isSilent ? 'EAI_AGAIN' : 'ENOTFOUND';
  return Object.assign(new Error(`${host}: ${code}`), { code });
}
