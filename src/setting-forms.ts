// The forms of the values of settings: how their text is parsed, and how messages describe the form.
import { parseSize } from './budget/size.ts';
import { readRedisAddress } from './store/redis/address.ts';

export const MIN_MEMORY = 16 * 1024 ** 2;
export const MAX_MEMORY = 1024 ** 4;

export const integerForm = (minimum: number, maximum: number): string => `an integer from ${minimum} to ${maximum}`;
export const parseInteger =
  (minimum: number, maximum: number) =>
  (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : undefined;
/** `known`: the values, for shells to complete. */
export const parseChoice = <Value extends string>(...known: readonly Value[]) =>
  Object.assign((text: string): Value | undefined => known.find((value) => value === text), { known });
export const parseOnOff = Object.assign(
  (text: string): boolean | undefined => (text === 'on' ? true : text === 'off' ? false : undefined),
  { known: ['on', 'off'] },
);

/** `auto`, or a size between the limits. */
export function parseMemory(text: string): number | null | undefined {
  if (text === 'auto') return null;
  const bytes = parseSize(text);
  return bytes !== undefined && bytes >= MIN_MEMORY && bytes <= MAX_MEMORY ? bytes : undefined;
}

/** The default, the form and the parser of a setting whose value is secret. */
export const secretText = {
  default: null,
  isSecret: true,
  allowed: '1 to 512 visible characters without spaces',
  parse: (text: string): string | undefined => (/^[\x21-\x7e]{1,512}$/.test(text) ? text : undefined),
};

export const parseText = (text: string): string | undefined => (text === '' ? undefined : text);

/** `memory`, or the address of a store in Redis. */
export function parseStore(text: string): string | undefined {
  return text === 'memory' || readRedisAddress(text) ? text : undefined;
}
parseStore.known = ['memory'];
