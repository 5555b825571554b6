// The patterns of the contract, which clients check too: each means the same in every language, whether a client looks for
// it within a text or matches the whole text, and none takes long.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { stretched } from '../support/until.ts';

const { document } = loadContract();

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { pattern } = node as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(node).flatMap(patternsIn)];
}

const patterns = [...new Set(patternsIn(document))];
const numbered = patterns.map((pattern, index): [number, string] => [index + 1, pattern]);
const NOT_BLANK = String.raw`^\s*\S[\s\S]*$`;

describe('a pattern of the contract', () => {
  it.each(numbered)('(number %i) is anchored at both ends', (_, pattern) => {
    expect(pattern).toMatch(/^\^.*\$$/s);
    // An alternative outside of parentheses would be anchored on one side only.
    expect(pattern.replace(/\\.|\[(\\.|[^\]])*\]|\([^()]*(\([^()]*\)[^()]*)*\)/gs, '')).not.toContain('|');
  });

  it.each(numbered)('(number %i) uses only what all languages read alike', (_, pattern) => {
    // Neither look-around nor back-references nor Unicode classes; \\d has more digits in some languages.
    expect(pattern).not.toMatch(/\(\?(?!:)|\\[1-9dDwWbBpPkAzZ]/);
  });

  it.each(numbered)('(number %i) takes linear time', (_, pattern) => {
    const compiled = new RegExp(pattern, 'u');
    const long = [' ', 'a', '1', '\u00a0', '+1', 'a/', 'https://a', '2026-01-05T15:00:00.1'].flatMap((text) => {
      const many = text.repeat(50_000);
      return [many, `${many}\n`, `${many}/`, `${text}${'1'.repeat(50_000)}x`];
    });
    const began = performance.now();
    for (const text of long) compiled.test(text);
    expect(performance.now() - began, pattern).toBeLessThan(stretched(500));
  });

  it('for a text that is not blank allows spaces, line breaks and other scripts', () => {
    expect(patterns).toContain(NOT_BLANK);
    const whole = new RegExp(NOT_BLANK);
    for (const text of ['hello there', ' a', 'a ', 'a\nb', '\n\na', '日本', '😀'])
      expect(whole.exec(text)?.[0]).toBe(text);
    for (const blank of ['', ' ', ' \n\t', '\u00a0\u2003']) expect(whole.test(blank), blank).toBe(false);
  });
});
