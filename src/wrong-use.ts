// The error for a flag, a setting or a command that is unknown or malformed. Separate from the parsers, so that
// commands which need none of them start fast.

/** A message of one line: what was given, and what is allowed. */
export class WrongUse extends Error {}

export const notValid = (from: string, value: string, allowed: string): string =>
  `${from}: ${value} is not valid; must be ${allowed}`;

/** A value without its secrets: addresses carry passwords before an @ or in the query. */
export function redactedValue(text: string): string {
  const address = text.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1…@').replace(/\?.*$/s, '?…');
  return JSON.stringify(address);
}
