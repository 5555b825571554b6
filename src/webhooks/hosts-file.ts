// Names that need no DNS server: those of this machine, and those in its hosts file, which container platforms write.
import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isShortage } from './failures.ts';

export const HOSTS_FILE =
  process.platform === 'win32' ? join('C:\\Windows', 'System32', 'drivers', 'etc', 'hosts') : '/etc/hosts';

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The addresses of `localhost` and of every name below it (RFC 6761); undefined for other names. */
export function loopbackOf(host: string): readonly LookupAddress[] | undefined {
  return host === 'localhost' || host.endsWith('.localhost') ? loopback : undefined;
}

export function addressOf(text: string): LookupAddress | undefined {
  const family = isIP(text);
  return family === 4 || family === 6 ? { address: text, family } : undefined;
}

/** How often is looked whether the hosts file has changed: a busy server would ask the system thousands of times a second. */
const LOOK_MS = 500;

/** Finds the addresses of a name in a hosts file, which is read again when it has changed; `now` is in milliseconds. */
export function hostsIn(file: string, now: () => number): (host: string) => readonly LookupAddress[] | undefined {
  let names = new Map<string, LookupAddress[]>();
  let changedAt: number | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs !== changedAt) names = readHosts(readFileSync(file, 'utf8'));
      changedAt = mtimeMs;
    } catch (error) {
      if (isShortage(error)) throw error;
      // Without a hosts file, no name is in it.
      names = new Map();
      changedAt = undefined;
    }
    lookedAt = now();
  };
  return (host) => {
    if (now() >= lookedAt + LOOK_MS) look();
    return names.get(host);
  };
}

function readHosts(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [first = '', ...rest] = line.replace(/#.*/, '').trim().split(/\s+/);
    const address = addressOf(first);
    if (!address) continue;
    for (const name of rest.map((each) => each.toLowerCase())) names.set(name, [...(names.get(name) ?? []), address]);
  }
  return names;
}
