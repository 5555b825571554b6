// The address of the server that a command talks to: the flag, else RINGBACK_URL, else this machine at the configured
// port. Separate from `config.ts`, which would take most of the start of a command as short as `readyz`.
import { environment, isInjectedPort } from '../environment.ts';
import { parseUrl } from '../parse-url.ts';
import { notValid, redactedValue, WrongUse } from '../wrong-use.ts';
import { integerFrom } from './flag-value.ts';

const DEFAULT_PORT = 4747;
export const portForm = 'an integer from 0 to 65535';

/** Throws WrongUse. */
export function serverAddress(url: string | undefined, port: string | undefined): string {
  const address = url ?? (port === undefined ? given('RINGBACK_URL') : undefined);
  if (address === undefined) return `http://127.0.0.1:${portOf(port)}`;
  if (!/^https?:$/.test(parseUrl(address)?.protocol ?? '')) {
    const from = url === undefined ? 'RINGBACK_URL' : '--url';
    throw new WrongUse(notValid(from, redactedValue(address), 'an http: or https: address'));
  }
  return address.replace(/\/$/, '');
}

/** A variable that has a value; an empty one counts as absent. */
export function given(
  name: 'RINGBACK_URL' | 'RINGBACK_PORT' | 'RINGBACK_KEY' | 'RINGBACK_CONTROL_TOKEN' | 'RINGBACK_SCENARIOS',
): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}

function portOf(flag: string | undefined): number {
  const variable = given('RINGBACK_PORT');
  const text = flag ?? (variable !== undefined && !isInjectedPort(variable) ? variable : undefined);
  if (text === undefined) return DEFAULT_PORT;
  const port = integerFrom(0, 65_535)(text);
  if (port !== undefined) return port;
  throw new WrongUse(notValid(flag === undefined ? 'RINGBACK_PORT' : '--port', redactedValue(text), portForm));
}
