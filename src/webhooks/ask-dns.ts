// Asks the DNS servers of this machine by c-ares, which needs no thread: a server that never answers blocks nobody
// else. Names that no server knows are left to the system, which may know them (mDNS, its own name), in few of its
// threads.
import { promises as dns, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemNow } from '../clock/clock.ts';
import { hasCode } from '../system-errors.ts';
import { Places } from './places.ts';

/** How often a server that does not answer is asked, and how long it has the first time. */
const TRIES = 2;
const FIRST_TRY_MS = 1000;
/** How long an answer with IPv4 addresses waits for the one with IPv6 addresses (RFC 8305). */
const OTHER_FAMILY_MS = 50;
/** The system's configuration is read again after this time: a laptop changes its network. */
const CONFIGURATION_MS = 30_000;
/** Threads of the system's few that look-ups may take; files need the others. */
const SYSTEM_THREADS = 1;
const RESOLV_CONF = '/etc/resolv.conf';

/** Finds the addresses of a name for a world, until nobody waits for them. Rejects with an error whose code says why. */
export type AskNames = (host: string, world: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Asks the system's DNS servers, then the system itself about a name that they do not know. */
export function createDns(): AskNames {
  const servers = new Servers();
  const threads = new Places(SYSTEM_THREADS, SYSTEM_THREADS);
  return async (host, world, signal) => {
    try {
      return await servers.ask(host);
    } catch (error) {
      // The system asks the same servers, and would only wait longer.
      if (hasCode(error, 'ETIMEOUT')) throw error;
      // Those behind a slow one would fill the line for good.
      if (!(await threads.take(world, signal))) throw error;
      const asked = dns.lookup(host, { all: true, verbatim: true });
      const release = (): void => threads.leave(world);
      asked.then(release, release);
      return asked;
    }
  };
}

/** The DNS servers and search domains that the system is configured with. */
class Servers {
  #resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  #search: Search = { domains: [], dots: 1 };
  #readAt = Number.NEGATIVE_INFINITY;

  async ask(host: string): Promise<LookupAddress[]> {
    if (Math.abs(systemNow() - this.#readAt) > CONFIGURATION_MS) this.#read();
    let failure: unknown;
    for (const name of fullNames(host, this.#search)) {
      try {
        return await this.#addressesOf(name);
      } catch (error) {
        if (hasCode(error, 'ETIMEOUT')) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  #read(): void {
    this.#readAt = systemNow();
    this.#resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
    try {
      this.#search = readSearch(readFileSync(RESOLV_CONF, 'utf8'));
    } catch {
      this.#search = { domains: [], dots: 1 };
    }
  }

  async #addressesOf(name: string): Promise<LookupAddress[]> {
    const six = this.#resolver.resolve6(name).then(ofFamily(6));
    // Awaited only below, if at all.
    six.catch(() => {});
    let four: LookupAddress[];
    try {
      four = await this.#resolver.resolve4(name).then(ofFamily(4));
    } catch (error) {
      return six.catch(() => Promise.reject(error));
    }
    const rest = await Promise.race([six.catch(() => []), sleep(OTHER_FAMILY_MS, [], { ref: false })]);
    return [...four, ...rest];
  }
}

const ofFamily =
  (family: 4 | 6) =>
  (addresses: readonly string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family }));

export interface Search {
  readonly domains: readonly string[];
  /** A name with fewer dots is looked up below the domains first. */
  readonly dots: number;
}

/** Reads the search domains of a `resolv.conf`. */
export function readSearch(text: string): Search {
  let domains: string[] = [];
  let dots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search' || keyword === 'domain') domains = values.filter((each) => each !== '.');
    for (const option of keyword === 'options' ? values : []) {
      const ndots = /^ndots:(\d+)$/.exec(option)?.[1];
      if (ndots !== undefined) dots = Math.min(15, Number(ndots));
    }
  }
  return { domains, dots };
}

/** The names to ask for, in their order, as a system's own resolver does. */
export function fullNames(host: string, { domains, dots }: Search): string[] {
  const below = domains.map((domain) => `${host}.${domain}`);
  return host.split('.').length - 1 >= dots ? [host, ...below] : [...below, host];
}
