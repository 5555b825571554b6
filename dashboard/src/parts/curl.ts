// A recorded request as a curl command. Its key is not recorded, so a key of the world stands in its place.
import type { JournaledRequest } from '../../../src/client/shown.ts';

/** What curl sets by itself, or what belongs to one connection. */
const left = ['host', 'connection', 'content-length', 'accept-encoding', 'authorization', 'user-agent', 'accept'];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const isOwn = (name: string): boolean => left.includes(name) || /^(sec-|origin$|referer$|x-forwarded-)/.test(name);

export function curlOf({ method, path, query, request }: JournaledRequest, server: string, world: string): string {
  const headers = Object.entries(request.headers).filter(([name]) => !isOwn(name));
  const parts = [
    `curl -X ${method} ${quoted(`${server}${path}${query === '' ? '' : `?${query}`}`)}`,
    `-H ${quoted(`Authorization: Bearer svc_test_${world}`)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body === '' ? [] : [`--data-raw ${quoted(request.body)}`]),
  ];
  return parts.join(' \\\n  ');
}
