// The address by which a client reached this server, for the URLs that responses carry, and whether a web page of another
// address sent a request.

import type { IncomingMessage } from 'node:http';
import { parseUrl } from '../parse-url.ts';

/** `http://host:port`, from the Host header; from the socket if that is not a valid host name or address. */
export function originOf({ headers: { host }, socket }: IncomingMessage): string {
  if (host !== undefined && /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(host)) return `http://${host}`;
  return `http://127.0.0.1:${socket.localPort}`;
}

/**
 * Whether a web page of another origin sent the request (`interface.md` section 3, browsers). Only browsers send these
 * headers. Schemes are not compared: behind a proxy, this server does not see the one of the page.
 */
export function isFromForeignPage({ headers }: IncomingMessage): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (site === 'cross-site') return true;
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  if (!page) return true;
  // A URL drops the default port of its scheme.
  return parseUrl(`${page.protocol}//${host}`)?.host !== page.host;
}
