// What looks like a secret, wherever it appears: keys and tokens of this server, credentials, passwords in addresses.

export const REDACTED = '[redacted]';

/** The end of a test key may be any visible text; here it ends where text in a body, a query or a path usually does. */
const strayKeys = /svc_(?:test_[\w-]+(?:\.[^\s"'\\,;&<>[\]{}()]*)?|(?!test_)\w+)|l(?:tk|ss)_[0-9a-f]{16,}/g;
/** Tokens signed by this server. Their headers are short; without a bound, `eyJeyJeyJ…` would take seconds to match. */
const strayTokens = /eyJ[\w-]{1,200}\.[\w-]+\.[\w-]+/g;
/** Credentials of an Authorization header in other text: with a digit, since words can follow `Bearer` too. */
const strayCredentials = /\b(Bearer|Basic) {1,3}(?=[\w.~+/-]{0,100}\d)[\w.~+/-]{8,}=*/gi;
/** The user name and the password of an address. */
const userOfAddress = /:(\\?\/\\?\/)[^\s/?#"'<>\\@]{1,300}@/g;

/** A beginning of each; most texts have none of them. */
const hints = /svc_|ltk_|lss_|eyJ|earer |asic |EARER |ASIC /;

/** Without what looks like a secret; for a string without fields, such as a path. */
export function withoutSecrets(text: string): string {
  let kept = text;
  if (hints.test(text)) {
    kept = text.replace(strayKeys, REDACTED).replace(strayTokens, REDACTED).replace(strayCredentials, `$1 ${REDACTED}`);
  }
  return kept.includes('@') ? kept.replace(userOfAddress, `:$1${REDACTED}@`) : kept;
}
