// The JSON Schema of fixture files: an editor with it underlines what the loader refuses by its form, and nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFixture } from '../../src/fixtures/file/fixture-file.ts';
import { invalid } from '../fixtures/invalid-fixtures.ts';
import { HEAD } from '../fixtures/setup.ts';
import { runs } from '../support/thorough.ts';
import { changed } from './changed.ts';
import { compiled, underlined } from './setup.ts';

const validate = compiled('fixture');
const bundled = readdirSync('fixtures').map((file) => readFileSync(`fixtures/${file}`, 'utf8'));

/** Refused for what the file says elsewhere, what other files say, or by rules of telephony: no schema says it. */
const byMeaning = [
  'a repeated key',
  'a repeated slug',
  'a repeated id',
  'a repeated phone number',
  'an unknown owner',
  'a caller ID that cannot be called',
  'a caller ID for a number of another owner',
  'a repeated caller ID',
  'an unknown scenario',
  'a scenario of another kind',
];

describe('the schema of fixture files', () => {
  it('accepts every bundled fixture', () => {
    expect(bundled.flatMap((text) => underlined(validate, text))).toEqual([]);
  });

  it.each(invalid.filter(([what]) => !byMeaning.includes(what)))('%s is underlined', (_, text, _line, field) => {
    expect(underlined(validate, HEAD + text).some((place) => field === place || field.startsWith(place))).toBe(true);
  });

  it.each(invalid.filter(([what]) => byMeaning.includes(what)))('%s is left to the loader', (_, text) => {
    expect(underlined(validate, HEAD + text)).toEqual([]);
  });

  it('the loader refuses what it underlines, and what it accepts has the form that the loader wants', () => {
    // Rules between fields, and of telephony.
    const meant =
      /must be a number that can be called|time zone|is not allowed if|is required if|must not be earlier|must be at most|^must be a duration/;
    const [small] = bundled.toSorted((a, b) => a.length - b.length);
    const starts = [
      small ?? '',
      `${HEAD}${'assumptions: { timestamps: seconds }\n'}`,
      ...invalid.map(([, text]) => HEAD + text),
    ];
    const files = fc.constantFrom(...starts.map((text) => parse(text))).chain(changed);
    fc.assert(
      fc.property(files, (data) => {
        const text = JSON.stringify(data);
        const { faults } = readFixture('own.yaml', text);
        const places = underlined(validate, text);
        // Of the meaning, only details of an enterprise are in the schema too.
        if (places.length > 0)
          expect(faults.length > 0 || places.every((place) => place.endsWith('.details'))).toBe(true);
        else expect(faults.filter(({ reason }) => !meant.test(reason))).toEqual([]);
      }),
      { numRuns: runs(100, 5000) },
    );
  });
});
