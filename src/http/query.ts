// The one reader of query strings.
import { parse } from 'node:querystring';

/** Every parameter by its name; a list where one stands several times. Without a limit: the request line has one. */
export function readQuery(text: string): Record<string, unknown> {
  return { ...parse(text, '&', '=', { maxKeys: 0 }) };
}
