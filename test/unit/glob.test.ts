// Globs: `src/glob.ts`.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canMatch, matchesGlob } from '../../src/glob.ts';
import { stretched } from '../support/until.ts';

it('reads * as any text within a segment and ** as any text', () => {
  const matched = (glob: string, ...texts: string[]) => texts.map((text) => matchesGlob(glob, text));
  expect(matched('/v1/calls/*', '/v1/calls/a', '/v1/calls/', '/v1/calls', '/v1/calls/a/hangup')).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(matched('/v1/**', '/v1/calls/a/b', '/v1/', '/v2/a')).toEqual([true, true, false]);
  expect(matched('**/hangup', '/v1/calls/a/hangup', '/v1/calls/a')).toEqual([true, false]);
  expect(matched('/v1/calls', '/v1/calls', '/v1/call.', '/V1/calls')).toEqual([true, false, false]);
});

it('matches what the regular expression of a glob matches', () => {
  const part = fc.constantFrom('a', 'b', '/', '*', '**', '.');
  const glob = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(''));
  const text = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(glob, text, (pattern, given) => {
      const source = (pattern.match(/\*\*|./gs) ?? [])
        .map((token) => (token === '**' ? '.*' : token === '*' ? '[^/]*' : token.replace('.', '\\.')))
        .join('');
      expect(matchesGlob(pattern, given)).toBe(new RegExp(`^${source}$`).test(given));
    }),
    { numRuns: 3000 },
  );
});

it('knows which templates a glob can match', () => {
  const template = '/v1/calls/{id}/hangup';
  const able = ['**', '/v1/**', '/v1/calls/*/hangup', '/v1/calls/c_1/hangup', '**/hang*', '/v1/*/c_1/*'];
  const unable = ['/v1/*', '/v2/**', '/v1/calls/*', '/v1/calls/*/hangups', '/v1/calls/a/b/hangup', 'hangup'];
  expect(able.filter((glob) => !canMatch(glob, template))).toEqual([]);
  expect(unable.filter((glob) => canMatch(glob, template))).toEqual([]);
});

it.each([
  [`${'**a'.repeat(80)}*c*`, `${'a'.repeat(7500)}b`],
  [`/${'*a'.repeat(120)}*c*`, `/${'a'.repeat(7500)}`],
  [`**${'/*'.repeat(120)}c*`, '/a'.repeat(3750)],
])('reads a text once for each of many wildcards: %#', (glob, text) => {
  const began = performance.now();
  for (let count = 0; count < 20; count++) expect(matchesGlob(glob, text)).toBe(false);
  expect(performance.now() - began).toBeLessThan(stretched(1000));
});
