// Whether a web page of another origin sent a request (`interface.md` section 3, browsers).
import type { IncomingMessage } from 'node:http';
import { parseUrl } from '../parse-url.ts';
import { addressOf } from './own-address.ts';

/** Only browsers send these headers. Schemes are not compared: behind a proxy, this server may not know the one of the page. */
export function isFromForeignPage(req: IncomingMessage): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = req.headers;
  if (site !== undefined && /cross-site/i.test(site)) return true;
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  // A file has no host, and `file://localhost` has none either, once it is parsed.
  if (!page || !/^https?:$/.test(page.protocol)) return true;
  // A URL drops the default port of its scheme.
  const isHost = parseUrl(`${page.protocol}//${host}`)?.host === page.host;
  return !isHost && parseUrl(addressOf(req))?.host !== page.host;
}
