// Reads query strings, on the platform's API and the control API alike.
import { parse } from 'node:querystring';

/** Every parameter by its name; an array if it occurs several times. Unlimited, as the request line has a limit. */
export function readQuery(text: string): Record<string, unknown> {
  return { ...parse(text, '&', '=', { maxKeys: 0 }) };
}
