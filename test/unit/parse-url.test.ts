// What is a URL, however often it is asked.
import { expect, it } from 'vitest';
import { parseUrl } from '../../src/parse-url.ts';

it('a text is a URL or not, also once the check is optimized', () => {
  // The bytes of a letter in UTF-8, read as Latin-1 as headers are, with a control character that no host has.
  const host = Buffer.from('À').toString('latin1');
  for (let n = 0; n < 20_000; n++) {
    if (parseUrl(`http://${host}`)) throw new Error(`taken for a URL at look ${n}`);
  }
  expect(parseUrl('http://localhost:4747/v1')?.host).toBe('localhost:4747');
  expect(parseUrl('/v1')).toBeUndefined();
});
