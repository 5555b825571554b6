// The Authorization header: its bearer token, and the challenges of 401 and 403 responses (RFC 6750, section 3).

const form = /^Bearer +(\S+) *$/i;

/** The challenge for a request without credentials. */
export const CHALLENGE = 'Bearer realm="voice-platform"';

/** The challenge for an unknown, revoked or malformed token. */
export const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

/** The challenge for a token that has none of these scopes. */
export function insufficientScope(scopes: readonly string[]): string {
  return `${CHALLENGE}, error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

/** The challenge of lead intake, which takes a lead source's secret instead of a token. */
export const SOURCE_CHALLENGE = 'SourceSecret realm="voice-platform"';

/** What follows `Bearer `, whatever its form; undefined for another scheme. */
export function afterBearer(authorization: string): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization)?.[1];
}

/** The token in `Bearer <token>`; undefined for a missing or malformed header. */
export function tokenOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : form.exec(authorization)?.[1];
}
