// What is derived from the secret of a server.
import { describe, expect, it } from 'vitest';
import { Secrets } from '../../src/identity/secrets.ts';

const purposes = [
  'api keys',
  'client tokens',
  'join tokens',
  'recordings',
  'lead url tokens',
  'lead source secrets',
  'verification codes',
] as const;

describe('the secret of a server', () => {
  it('gives each purpose a key and tokens of its own', () => {
    const secrets = Secrets.from('one');
    const distinct = (read: (purpose: (typeof purposes)[number]) => string) => new Set(purposes.map(read)).size;
    expect(distinct((purpose) => secrets.key(purpose).toString('hex'))).toBe(purposes.length);
    expect(distinct((purpose) => secrets.token(purpose, 40, 'world', 1))).toBe(purposes.length);
  });

  it('gives other keys than another secret, and than a seed of the same digits', () => {
    const all = [Secrets.from('42'), Secrets.from('43'), Secrets.fromSeed(42), Secrets.fromSeed(43)];
    expect(new Set(all.map((each) => each.key('client tokens').toString('hex'))).size).toBe(all.length);
  });

  it('tells names apart whose parts are split in another place', () => {
    const secrets = Secrets.from('one');
    expect(secrets.token('api keys', 40, 'a', 'bc')).not.toBe(secrets.token('api keys', 40, 'ab', 'c'));
  });
});
