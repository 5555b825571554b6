// The names of fields, parameters and headers whose values are secret, in every spelling: `apiKey`, `api-key`, `API_KEY`.
// `interface.md` section 5, the contract, and what clients commonly send along.

interface NameGroup {
  /** What can stand before the nouns; empty for nothing. */
  readonly owners: readonly string[];
  readonly nouns: readonly string[];
}

/** As words; between them can be a separator or none. An `x` may come first. */
const groups: readonly NameGroup[] = [
  {
    owners: [
      ...['', 'api', 'access', 'app', 'auth', 'bearer', 'client', 'consumer', 'control', 'csrf', 'id', 'join', 'oauth'],
      ...['refresh', 'session', 'shared', 'signing', 'source', 'url', 'user', 'webhook', 'xsrf'],
    ],
    nouns: ['token', 'secret'],
  },
  {
    owners: ['api', 'access', 'control', 'master', 'private', 'secret', 'shared', 'signing', 'webhook'],
    nouns: ['key'],
  },
  { owners: ['', 'client', 'user'], nouns: ['password', 'passwd', 'passphrase'] },
  { owners: ['', 'proxy'], nouns: ['authorization'] },
  { owners: ['', 'set'], nouns: ['cookie'] },
  { owners: [''], nouns: ['credential', 'credentials', 'jwt'] },
];

const names: readonly string[] = groups.flatMap(({ owners, nouns }) =>
  owners.flatMap((owner) => nouns.map((noun) => `${owner} ${noun}`.trim())),
);

/** Percent-encoded separators occur in forms. */
const separator = '(?:[-_. ]|%2d|%5f|%20|\\+)?';
const separators = /[-_. ]|%2d|%5f|%20|\+/g;

/** Matches any of them; case does not count. By groups: an alternative for each name would take V8 50 ms to compile. */
export const secretNamePattern = `(?:x${separator})?(?:${groups.map(groupPattern).join('|')})`;

function groupPattern({ owners, nouns }: NameGroup): string {
  const named = owners.filter((owner) => owner !== '');
  const owner = named.length === 0 ? '' : `(?:(?:${named.join('|')})${separator})${owners.includes('') ? '?' : ''}`;
  return `${owner}(?:${nouns.join('|')})`;
}

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
