// `--public-url`: the address by which callers reach the server through a proxy (`interface.md` section 10), and the prefix
// that its path puts before every path of the server.
import { withoutEndSlashes } from './end-slashes.ts';
import { parseUrl } from './parse-url.ts';

/** Without a slash at the end. */
export type PublicUrl = string;

export const publicUrlForm =
  'an http: or https: URL without user and query, such as https://sandbox.example.com/voice, whose path does not begin with a path of the server';

/** Paths of the server: whether such a prefix is still on a path could not be told. */
const ownPaths = new Set(['v1', 'api', '_sandbox', 'docs', 'rooms']);
export const prefixForm = /^(\/[\w.~%-]+)*$/;

/** Parses the setting; undefined if it is malformed. */
export function readPublicUrl(text: string): PublicUrl | undefined {
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^/\\]/i.test(text) || /[?#\s]/.test(text)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const path = withoutEndSlashes(url.pathname);
  const [, first = ''] = path.split('/');
  return prefixForm.test(path) && !ownPaths.has(first) ? url.origin + path : undefined;
}

/** The path of an address, without a slash at the end: empty, or such as `/voice`. */
export const prefixOf = (address: string): string => new URL(address).pathname.replace(/\/$/, '');

/** A path, with or without its query, without the prefix. Proxies differ in whether they take it off. */
export function withoutPrefix(path: string, prefix: string): string {
  if (prefix === '' || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : path;
}
