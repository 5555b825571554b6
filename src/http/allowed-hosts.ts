// `--allowed-hosts`: the host names that the server answers to. A page whose name an attacker has pointed at this
// machine (DNS rebinding) sends its own name, and is refused.
import { isIP } from 'node:net';
import { hostOf, isPrivateName } from '../host-names.ts';
import { isWithin, rangesOf, readAddress } from '../webhooks/addresses.ts';

/** Names as the setting lists them, in lower case; a leading `*.` stands for every name below. */
export type AllowedHosts = readonly string[];

export const allowedHostsForm = 'host names or addresses separated by commas, *.NAME for all names below one, or *';

const loopback = rangesOf('127.0.0.0/8', '::1/128');
const nameForm = /^(\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** Parses the setting; undefined if a part is not a name. */
export function readAllowedHosts(text: string): AllowedHosts | undefined {
  const names = text.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .replace(/^\[|\]$/g, ''),
  );
  return names.every((name) => name === '*' || nameForm.test(name) || isIP(name) > 0) ? names : undefined;
}

/**
 * Returns whether the server answers to a host, given as in the Host header. `boundTo` is what it listens on: on loopback,
 * names of private networks and the listed ones are answered, elsewhere all unless some are listed. `own` is the public URL,
 * whose host is always answered.
 */
export function createHostCheck(
  boundTo: string,
  allowed: AllowedHosts | null,
  own: string | null,
): (host: URL) => boolean {
  const isOpen = allowed ? allowed.includes('*') : !isLoopbackHost(boundTo);
  if (isOpen) return () => true;
  const ownHost = own === null ? null : hostOf(new URL(own));
  const suffixes = (allowed ?? []).filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  return (url) => {
    const host = hostOf(url);
    if (isLoopbackHost(host) || host === ownHost || allowed?.includes(host)) return true;
    return isIP(host) === 0 && (isPrivateName(host) || suffixes.some((suffix) => host.endsWith(suffix)));
  };
}

const isLoopbackHost = (host: string): boolean =>
  isIP(host) > 0 ? isWithin(readAddress(host), loopback) : host === 'localhost' || host.endsWith('.localhost');
