// The address of a receiver on a command line.
import { parseUrl } from '../parse-url.ts';

/** A port, or an address without its protocol, is one of this machine. Undefined if it is not an address. */
export function readForwardUrl(text: string): string | undefined {
  const full = /^\d{1,5}(\/|$)/.test(text)
    ? `http://127.0.0.1:${text}`
    : /^[a-z]+:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const url = parseUrl(full);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}
