// Removes secrets from addresses that customers give, such as webhook URLs, and from queries.
import { isSecretName } from './names.ts';
import { REDACTED, withoutSecrets } from './patterns.ts';

/** How many addresses may be in one another; deeper ones are redacted unread, since each level reads all that follows. */
const MAX_NESTED = 5;
/** The same in the query of an address that is not of this server. */
const signedParameters: ReadonlySet<string> = new Set(['key', 'sig', 'signature', 'code', 'auth', 'hmac', 'pass']);
/** Letters and digits without a break, as in generated secrets; those of a UUID are shorter. */
const longRuns = /[a-z0-9]{20,}/gi;

const looksSecret = (text: string): boolean =>
  text.match(longRuns)?.some((run) => /\d/.test(run) && /[a-z]/i.test(run)) ?? false;

/** Scheme and host, path, query; any text has this form. Slashes may be escaped. */
const addressForm = /^([a-z]+:[\\/]*[^/\\?#]*)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** An address without user name and password, secret parameters, and parts of its path that look like secrets. */
export function redactedUrl(url: string): string {
  const [, beginning = '', path = '', query, fragment] = addressForm.exec(url) ?? [];
  let shown = withoutSecrets(beginning + path.replace(/[^/\\]+/g, redactedSegment));
  if (query !== undefined) shown += `?${redactedParameters(query, isSecretOfOthers)}`;
  // Refused, and journaled all the same.
  if (fragment !== undefined) shown += `#${redactedParameters(fragment, isSecretOfOthers)}`;
  return shown;
}

/** A segment of a path can have parameters: `/hook;token=…`. */
function redactedSegment(segment: string): string {
  return segment
    .split(';')
    .map((part) => {
      if (looksSecret(part)) return REDACTED;
      const [name = ''] = part.split('=', 1);
      return name.length < part.length && isSecretName(decoded(name)) ? `${name}=${REDACTED}` : part;
    })
    .join(';');
}

/** The path of a request to this server. */
export function redactedPath(path: string): string {
  if (!path.includes('%')) return withoutSecrets(path);
  const segments = path.split('/').map((segment) => {
    const plain = decoded(segment);
    return withoutSecrets(plain) === plain ? segment : REDACTED;
  });
  return segments.join('/');
}

/** The query of a request to this server. */
export const redactedQuery = (query: string): string => redactedParameters(query, isSecretName);

const isSecretOfOthers = (name: string, value: string): boolean =>
  isSecretName(name) || signedParameters.has(name.toLowerCase()) || looksSecret(value);

function redactedParameters(query: string, isSecret: (name: string, value: string) => boolean, level = 0): string {
  if (query === '') return query;
  const parts = query.split('&').map((part) => {
    // A separator that is percent-encoded separates nothing, but who wrote it meant it to.
    const [name = ''] = part.split(/=|%3d/i, 1);
    const plain = decoded(part);
    const value = plain.slice(decoded(name).length + 1);
    if (isSecret(decoded(name).trim(), value) || hasSecret(plain, level)) return `${withoutSecrets(name)}=${REDACTED}`;
    return part;
  });
  return parts.join('&');
}

/** A parameter can be an address with parameters of its own. */
function hasSecret(text: string, level: number): boolean {
  if (withoutSecrets(text) !== text) return true;
  const address = text.indexOf('://');
  const mark = address < 0 ? -1 : text.indexOf('?', address);
  if (mark < 0) return false;
  const query = text.slice(mark + 1);
  return level === MAX_NESTED || redactedParameters(query, isSecretName, level + 1) !== query;
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
