// The Authorization header: the token that it carries, and what a 401 or 403 challenges with (RFC 6750, section 3).

const form = /^Bearer +(\S+) *$/i;

/** What a request without credentials is challenged with. */
export const CHALLENGE = 'Bearer realm="voice-platform"';

/** What a token is challenged with that is unknown, revoked or malformed. */
export const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

/** What a token is challenged with that has none of these scopes. */
export function insufficientScope(scopes: readonly string[]): string {
  return `${CHALLENGE}, error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

/** What lead intake challenges with, which takes the secret of a lead source and no token. */
export const SOURCE_CHALLENGE = 'SourceSecret realm="voice-platform"';

/** The token of `Bearer <token>`; undefined for no header, and for one of another form. */
export function tokenOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : form.exec(authorization)?.[1];
}
