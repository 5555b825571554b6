// The names of fields, parameters and headers whose values are secret, in every spelling: `apiKey`, `api-key`, `API_KEY`.
// `interface.md` section 5, the contract, and what clients commonly send along.
import { memo } from '../memo.ts';

interface NameGroup {
  /** What can stand before the nouns; empty for nothing. */
  readonly owners: readonly string[];
  readonly nouns: readonly string[];
}

/** As words; between and around them can be anything but letters and digits. An `x` may come first. */
const groups: readonly NameGroup[] = [
  {
    owners: [
      ...['', 'api', 'access', 'app', 'auth', 'bearer', 'client', 'consumer', 'control', 'csrf', 'id', 'join', 'oauth'],
      ...['refresh', 'session', 'shared', 'signing', 'source', 'url', 'user', 'webhook', 'xsrf'],
      ...['account', 'bot', 'github', 'gitlab', 'login', 'personal access', 'reset', 'security', 'service', 'slack'],
      ...['amz security', 'stripe', 'twilio', 'twilio auth', 'vault', 'verification'],
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

const joined: ReadonlySet<string> = new Set(
  names.map((name) => name.replaceAll(' ', '')).flatMap((name) => [name, `x${name}`]),
);

/** What no other name ends with, whoever owns it: `openaiApiKey`, `smtp_password`. */
const endings = /(?:apikey|accesstoken|authtoken|refreshtoken|clientsecret|secretkey|privatekey|password)$/;

/** What forms put behind the name of a second field for the same: `password2`, `password_confirmation`. */
const repeated = /(?:\d{1,2}|again|confirm|confirmation|repeat)$/;

/** `name` can be that of a nested parameter: `user[password]`, `user.password`, `passwords[0]`. */
export function isSecretName(name: string): boolean {
  return isSecretWord(name) || (/[.[]/.test(name) && isSecretWord(lastPart(name)));
}

function isSecretWord(name: string): boolean {
  const letters = name.replace(/[^a-z\d]/gi, '').toLowerCase();
  const once = letters.replace(repeated, '');
  return joined.has(letters) || joined.has(once) || endings.test(once);
}

/** What is behind the last dot or in the last brackets, indexes aside. */
function lastPart(name: string): string {
  const parts = name.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  return parts.at(-1) ?? name;
}

/** The same for the name of a header: each request has some, nearly always the same ones. */
export const isSecretHeader = memo(isSecretName);

/** Part of every secret name: a text without it has none. */
export const secretNameHint = 'token|secret|passw|passph|passcode|pwd|authoriz|cookie|credential|jwt|key';
