// Removes secrets from values shown as JSON: the contents of secret fields, and whatever looks like a secret in any
// text.
import { isSecretName } from './names.ts';
import { REDACTED } from './patterns.ts';
import { redactedBody } from './text.ts';
import { redactedUrl } from './urls.ts';

/** `name` is that of the field that holds the value. */
export function redactedValue(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return value;
  if (isSecretName(name)) return REDACTED;
  if (typeof value === 'string') return /^(?:webhook[-_]?)?url$/i.test(name) ? redactedUrl(value) : redactedBody(value);
  if (Array.isArray(value)) return value.map((element) => redactedValue(element, name));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactedValue(part, key)]));
}
