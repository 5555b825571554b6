// What is made at run time and gives access: keys, client and join tokens, recording addresses, lead tokens,
// verification codes. All are derived from one secret of the server (`--secret`). `interface.md` section 1.
import { createHmac, randomBytes } from 'node:crypto';
import { memo } from '../memo.ts';

/** The purposes that the secret is used for; what is derived for one says nothing about another. */
type Purpose =
  | 'api keys'
  | 'client tokens'
  | 'join tokens'
  | 'recordings'
  | 'lead url tokens'
  | 'lead source secrets'
  | 'verification codes';

/** Random, unlike everything else here: who knows the seed must not know it. In hexadecimal. */
export const newSecret = (): string => randomBytes(24).toString('hex');

export class Secrets {
  /** Whether anyone who knows the seed can derive everything, as on a server without a secret. */
  readonly arePublic: boolean;
  readonly #root: string;
  readonly #keys = new Map<Purpose, Buffer>();
  /** The signature of the name of a recording. Kept for a while: who polls a call reads its recording's address each time. */
  readonly recordingSignature = memo((name) => this.token('recordings', 32, name));

  private constructor(root: string, arePublic: boolean) {
    this.#root = root;
    this.arePublic = arePublic;
  }

  static from(secret: string): Secrets {
    return new Secrets(`secret ${secret}`, false);
  }

  /** For a server that is reproducible: the same seed, the same keys and tokens. */
  static fromSeed(seed: number): Secrets {
    return new Secrets(`seed ${seed}`, true);
  }

  /** The 32 bytes to sign with for a purpose. */
  key(purpose: Purpose): Buffer {
    let key = this.#keys.get(purpose);
    if (!key) {
      key = createHmac('sha256', this.#root).update(purpose).digest();
      this.#keys.set(purpose, key);
    }
    return key;
  }

  /** `length` hexadecimal digits, at most 64, for what is named by these words. */
  token(purpose: Purpose, length: number, ...name: (string | number)[]): string {
    return createHmac('sha256', this.key(purpose)).update(name.join('\0')).digest('hex').slice(0, length);
  }

  /** `length` decimal digits, at most 9. */
  digits(purpose: Purpose, length: number, ...name: (string | number)[]): string {
    const number = Number.parseInt(this.token(purpose, 13, ...name), 16) % 10 ** length;
    return String(number).padStart(length, '0');
  }
}
