// Compares the body of a webhook with the fields that a test asks for.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from './arguments.ts';

/** Such as `expect.any(String)`, of Vitest and of Jest. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

export const isAsymmetric = (value: unknown): value is AsymmetricMatcher =>
  isObject(value) && 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function';

/** Whether a body has these fields; a field that is an object may have more than is asked for. */
export function hasFields(body: unknown, fields: object): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(fields).every(([name, wanted]) => {
    const value: unknown = Reflect.get(body, name);
    if (isAsymmetric(wanted)) return wanted.asymmetricMatch(value);
    return isObject(wanted) ? hasFields(value, wanted) : isDeepStrictEqual(value, wanted);
  });
}

/** As JSON, in which an asymmetric matcher has its name, such as `Any<String>`. */
export const fieldsText = (fields: object): string =>
  JSON.stringify(fields, (_, value) => (isAsymmetric(value) ? (value.toAsymmetricMatcher?.() ?? `${value}`) : value));
