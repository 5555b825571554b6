// `verifySignature` of the library (`interface.md` section 8).
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { verifySignature } from '../../src/index.ts';
import { hmac } from './setup.ts';

describe('verifySignature', () => {
  const secret = "It's a Secret to Everybody";
  const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it("accepts GitHub's published vector, as text and as bytes", () => {
    expect(verifySignature('Hello, World!', signature, secret)).toBe(true);
    expect(verifySignature(Buffer.from('Hello, World!'), signature, secret)).toBe(true);
    expect(verifySignature(new TextEncoder().encode('Hello, World!'), signature, secret)).toBe(true);
  });

  it('compares whole signatures in constant time', () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    try {
      for (const given of [signature, `8${signature.slice(1)}`, `${signature.slice(0, -1)}8`]) {
        compare.mockClear();
        expect(verifySignature('Hello, World!', given, secret)).toBe(given === signature);
        const [pair = [], ...more] = compare.mock.calls;
        expect(more).toEqual([]);
        expect(pair.map(String).sort()).toEqual([given, signature].sort());
      }
    } finally {
      compare.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('accepts non-ASCII bytes', () => {
    const raw = Buffer.from('{"name":"Zoë 電話"}');
    expect(verifySignature(raw, hmac(raw, 'ключ'), 'ключ')).toBe(true);
    expect(verifySignature(raw.toString(), hmac(raw, 'ключ'), 'ключ')).toBe(true);
  });

  it.each([undefined, null, ''])('throws for the secret %j, with which anyone could sign', (noSecret) => {
    for (const given of [hmac(Buffer.from('Hello, World!'), ''), 'no-secret-provided']) {
      expect(() => verifySignature('Hello, World!', given, noSecret as string)).toThrow(TypeError);
    }
  });

  it.each([
    [{ name: 'Zoë' }, 'object'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('throws for %j, which is not a raw body, whether or not there is a signature', (parsed, given) => {
    for (const header of [signature, undefined]) {
      expect(() => verifySignature(parsed as unknown as string, header, secret)).toThrow(
        new TypeError(`verifySignature needs the raw body as a string or bytes, not the parsed one (given: ${given})`),
      );
    }
  });

  it.each<[string, string, string | readonly string[] | null | undefined, string]>([
    ['another body', 'Hello, World', signature, secret],
    ['another secret', 'Hello, World!', signature, 'another'],
    ['upper case', 'Hello, World!', signature.toUpperCase(), secret],
    ['a prefix', 'Hello, World!', `sha256=${signature}`, secret],
    ['a truncated signature', 'Hello, World!', signature.slice(0, -1), secret],
    ['one digit changed', 'Hello, World!', `8${signature.slice(1)}`, secret],
    ['the literal for no secret', 'Hello, World!', 'no-secret-provided', secret],
    ['an empty header', 'Hello, World!', '', secret],
    ['no header', 'Hello, World!', undefined, secret],
    ['a null header', 'Hello, World!', null, secret],
    ['the header twice', 'Hello, World!', [signature, signature], secret],
  ])('rejects %s', (_, body, header, key) => {
    expect(verifySignature(body, header, key)).toBe(false);
  });
});
