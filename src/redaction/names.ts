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
      ...['account', 'bot', 'github', 'gitlab', 'login', 'personal access', 'reset', 'security', 'service', 'slack'],
      ...['stripe', 'twilio', 'verification'],
    ],
    nouns: ['token', 'secret'],
  },
  {
    owners: [
      ...['api', 'access', 'control', 'master', 'private', 'secret', 'shared', 'signing', 'webhook'],
      ...['account', 'encryption', 'secret access', 'aws secret access', 'service', 'ssh', 'stripe'],
    ],
    nouns: ['key'],
  },
  {
    owners: ['', 'client', 'user', 'admin', 'confirm', 'current', 'database', 'db', 'new', 'old', 'root'],
    nouns: ['password', 'passwd', 'passphrase', 'passcode', 'pwd'],
  },
  { owners: ['', 'proxy'], nouns: ['authorization'] },
  { owners: ['', 'set'], nouns: ['cookie'] },
  { owners: [''], nouns: ['credential', 'credentials', 'jwt', 'api keys'] },
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
  const spelt = (words: readonly string[]): string => words.join('|').replaceAll(' ', separator);
  const named = owners.filter((owner) => owner !== '');
  const owner = named.length === 0 ? '' : `(?:(?:${spelt(named)})${separator})${owners.includes('') ? '?' : ''}`;
  return `${owner}(?:${spelt(nouns)})`;
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
export const secretNameHint = 'token|secret|passw|passph|passcode|pwd|authoriz|cookie|credential|jwt|key';
