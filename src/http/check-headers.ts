// Refuses requests for their first line and headers alone, before any route: those that a proxy could read differently
// (request smuggling), and those for hosts other than this server's (DNS rebinding).
import type { IncomingMessage } from 'node:http';
import { ApiError, quote } from '../errors/api-error.ts';
import { parseUrl } from '../parse-url.ts';
import { type AllowedHosts, createHostCheck } from './allowed-hosts.ts';

/** Of these, Node keeps the first; another server may keep the last. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);
const versions = new Set(['1.0', '1.1']);
/** How many accepted Host headers are remembered. */
const MAX_KNOWN = 100;

/** Why a request is refused for its headers, or the version or host of its first line; undefined if it is not. */
export type HeaderCheck = (req: IncomingMessage) => ApiError | undefined;

export function createHeaderCheck(
  boundTo: string,
  allowed: AllowedHosts | null,
  own: string | null = null,
): HeaderCheck {
  const isAnswered = createHostCheck(boundTo, allowed, own);
  const known = new Set<string>();
  return (req) => {
    const { host, 'transfer-encoding': encoding } = req.headers;
    if (!versions.has(req.httpVersion)) {
      return refusal(
        'request',
        `HTTP/${req.httpVersion} is not supported`,
        'Send the request as HTTP/1.1 or HTTP/1.0.',
      );
    }
    const repeated = repeatedHeader(req);
    if (repeated !== undefined) return refusal(repeated, 'must be sent once', `Send the header \`${repeated}\` once.`);
    if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || req.httpVersion !== '1.1')) {
      return refusal('Transfer-Encoding', 'must be chunked, in HTTP/1.1', 'Send the body with a Content-Length.');
    }
    const target = targetOf(req.url);
    if (host === undefined && req.httpVersion === '1.1')
      return refusal('Host', 'is required in HTTP/1.1', 'Send the header `Host`.');
    if (target) {
      // RFC 9112, section 3.2.2: the target decides, but not every server in between does so.
      if (host !== undefined && urlOf(host, target.protocol)?.host !== target.host) {
        return refusal('Host', `must be ${quote(target.host)}, as in the first line of the request`, 'Send one host.');
      }
      return isAnswered(target) ? undefined : misdirected(target.host);
    }
    // RFC 9112, section 3.2: empty for a target without an authority.
    if (host === undefined || host === '' || known.has(host)) return undefined;
    const url = urlOf(host);
    if (!url) return refusal('Host', `${quote(host)} is not a host, or host:port`, 'Send the host of this server.');
    if (!isAnswered(url)) return misdirected(host);
    if (known.size < MAX_KNOWN) known.add(host);
    return undefined;
  };
}

function repeatedHeader({ rawHeaders }: IncomingMessage): string | undefined {
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const { length } = name;
    // Most headers are told apart by their length, which is cheaper.
    if (length !== 4 && length !== 12 && length !== 13) continue;
    const lower = name.toLowerCase();
    if (!singleHeaders.has(lower)) continue;
    if (seen.includes(lower)) return name;
    seen += lower;
  }
  return undefined;
}

/** The address in the first line of a request to a proxy, such as `GET http://host/path HTTP/1.1`; undefined for a path. */
const targetOf = (target = '/'): URL | undefined => (target.startsWith('/') ? undefined : parseUrl(target));

/** A comma is what a server in between leaves of two hosts. The default port of the scheme is no part of a URL's host. */
const urlOf = (host: string, scheme = 'http:'): URL | undefined =>
  /[\s/\\?#@,"]/.test(host) ? undefined : parseUrl(`${scheme}//${host}`);

function refusal(name: string, explanation: string, hint: string): ApiError {
  return new ApiError('validation_error', { fields: { [name]: explanation }, hint });
}

function misdirected(host: string): ApiError {
  return new ApiError('forbidden', {
    status: 421,
    message: `This server does not answer to the host ${quote(host)}.`,
    hint: 'Call it by localhost or an address of this machine, or allow the name with --allowed-hosts or --public-url.',
    fields: {
      Host: 'must be a loopback address, a name of a private network, or one that --allowed-hosts or --public-url names',
    },
  });
}
