// What proxies report about a request that they forward: `X-Forwarded-Proto`, `-Host`, `-Port`, `-Prefix`, and
// `Forwarded` (RFC 7239). Of several proxies, the one nearest to the client counts, as in Express. A malformed value
// counts as absent.
import type { IncomingHttpHeaders } from 'node:http';
import { withoutEndSlashes } from '../end-slashes.ts';
import { parseUrl } from '../parse-url.ts';
import { prefixForm } from '../public-url.ts';

export interface Forwarded {
  /** With its port, if that is not the default one. */
  readonly host?: string;
  readonly scheme?: 'http' | 'https';
  /** Empty, or such as `/voice`. */
  readonly prefix: string;
}

export const hostForm = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/;

const telling = ['forwarded', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix'] as const;

/** Undefined if the request was not forwarded, or no header says anything about its address. */
export function forwardedBy(headers: IncomingHttpHeaders): Forwarded | undefined {
  if (telling.every((name) => headers[name] === undefined)) return undefined;
  const standard = headers.forwarded === undefined ? {} : readForwarded(headers.forwarded);
  const scheme = (first(headers['x-forwarded-proto']) ?? standard.proto)?.toLowerCase();
  const host = first(headers['x-forwarded-host']) ?? standard.host;
  const prefix = withoutEndSlashes(first(headers['x-forwarded-prefix']) ?? '');
  const forwarded: Forwarded = {
    ...(host !== undefined && isHost(host) && { host: withPort(host, first(headers['x-forwarded-port']), scheme) }),
    ...((scheme === 'http' || scheme === 'https') && { scheme }),
    prefix: prefixForm.test(prefix) ? prefix : '',
  };
  return forwarded.host === undefined && forwarded.scheme === undefined && forwarded.prefix === ''
    ? undefined
    : forwarded;
}

const first = (header: string | string[] | undefined): string | undefined =>
  [header].flat()[0]?.split(',', 1)[0]?.trim();

/** Whether a URL can have it: the form alone allows numbers that are no address, and ports that do not exist. */
const isHost = (host: string): boolean => hostForm.test(host) && parseUrl(`http://${host}`) !== undefined;

/** Proxies tell the port of the client's address in a header of its own, or with the host. */
function withPort(host: string, port: string | undefined, scheme: string | undefined): string {
  const isDefault = port === (scheme === 'https' ? '443' : '80');
  const isComplete = port === undefined || isDefault || /:\d+$/.test(host);
  return isComplete || !isHost(`${host}:${port}`) ? host : `${host}:${port}`;
}

/** The first element of `Forwarded`: pairs of a name and a token or quoted text. */
function readForwarded(header: string): { readonly proto?: string; readonly host?: string } {
  const [element = ''] = header.match(/^(?:[^",]|"[^"]*")*/) ?? [];
  const values: Record<string, string> = {};
  for (const [, name = '', quoted, token] of element.matchAll(/(?:^|;)\s*(\w+)\s*=\s*(?:"([^"]*)"|([^;"\s]*))/g)) {
    values[name.toLowerCase()] = quoted ?? token ?? '';
  }
  return values;
}
