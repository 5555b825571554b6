// How tokens are spelled: in base64url, padding and the last bits of a signature can differ while its bytes are the same.

/** Whether a token is spelled as its server spells it, so that each character of it counts. */
export function isAsSigned(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
