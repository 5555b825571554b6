// The names of fields, parameters and headers whose values are secret, in every spelling: `apiKey`, `api-key`, `API_KEY`.
// `interface.md` section 5, the contract, and what clients commonly send along.

/** What stands before `token` and `secret`, and before `key`. */
const owners = [
  ...['', 'api', 'access', 'app', 'auth', 'bearer', 'client', 'consumer', 'control', 'csrf', 'id', 'join', 'oauth'],
  ...['refresh', 'session', 'shared', 'signing', 'source', 'url', 'user', 'webhook', 'xsrf'],
];
const keyOwners = ['api', 'access', 'control', 'master', 'private', 'secret', 'shared', 'signing', 'webhook'];
const passwords = ['password', 'passwd', 'passphrase'];

/** As words; between them can be a separator or none. An `x` may come first. */
const names: readonly string[] = [
  ...owners.flatMap((owner) => [`${owner} token`.trim(), `${owner} secret`.trim()]),
  ...keyOwners.map((owner) => `${owner} key`),
  ...passwords.flatMap((password) => [password, `client ${password}`, `user ${password}`]),
  ...['authorization', 'proxy authorization', 'cookie', 'set cookie', 'credential', 'credentials', 'jwt'],
];

/** Percent-encoded separators occur in forms. */
const separator = '(?:[-_. ]|%2d|%5f|%20|\\+)?';
const separators = /[-_. ]|%2d|%5f|%20|\+/g;

/** Matches any of them; case does not count. */
export const secretNamePattern = `(?:x${separator})?(?:${names.map((name) => name.replaceAll(' ', separator)).join('|')})`;

const joined: ReadonlySet<string> = new Set(
  names.map((name) => name.replaceAll(' ', '')).flatMap((name) => [name, `x${name}`]),
);

export const isSecretName = (name: string): boolean => joined.has(name.toLowerCase().replace(separators, ''));

/** Every spelling that the name of a header can have, so that the headers of each request are only looked up. */
const headers: ReadonlySet<string> = new Set(
  names.flatMap((name) => [name, `x ${name}`]).flatMap((name) => spellingsOf(name.split(' '))),
);

function spellingsOf([first = '', ...rest]: readonly string[]): string[] {
  if (rest.length === 0) return [first];
  return spellingsOf(rest).flatMap((end) => [first + end, `${first}-${end}`, `${first}_${end}`]);
}

/** The same for the name of a header, in lower case as Node has it. */
export const isSecretHeader = (name: string): boolean => headers.has(name);

/** Part of every secret name: a text without it has none. */
export const secretNameHint = 'token|secret|passw|passph|authoriz|cookie|credential|jwt|key';
