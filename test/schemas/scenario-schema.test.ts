// The JSON Schema of scenario files: an editor with it underlines what the loader refuses by its form, and nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FileProblem } from '../../src/file-problem.ts';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import { makeScenario, parentOf } from '../../src/scenarios/make-scenario.ts';
import { readScenarioFile } from '../../src/scenarios/scenario.ts';
import { broken } from '../scenarios/invalid-scenarios.ts';
import { busyLine } from '../scenarios/setup.ts';
import { runs } from '../support/thorough.ts';
import { changed } from './changed.ts';
import { compiled, underlined } from './setup.ts';

const validate = compiled('scenario');
const bundled = readdirSync('scenarios').map((file) => readFileSync(`scenarios/${file}`, 'utf8'));
const library = new ScenarioLibrary().forWorld([]);

/** What the loader says of a text; empty if it accepts it. */
function faultsOf(text: string): readonly { field: string; reason: string }[] {
  try {
    const file = readScenarioFile('own_line.yaml', text);
    makeScenario('own_line', text, file, parentOf(file, library.get));
    return [];
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return error.faults;
  }
}

/** Refused for what it means, which takes the lifecycle, the other files, or arithmetic: no schema says it. */
const byMeaning = [
  'a transition that the state does not allow',
  'a transition out of a terminal state',
  'a transition in a branch that the state does not allow',
  'an unknown parameter',
  'a parameter that is not a duration',
  'an unknown base scenario',
  'a base scenario of another kind',
  'a status that its timeline does not lead to',
  'a status before the one that a record starts with',
  'fewer statuses than its timeline leads to',
  'a status after the last one',
  'an event that its timeline does not emit',
  'statuses of a request that is always refused',
  'fewer refusals than it has',
  'another refusal than it has',
  'another status than the code of a refusal has',
  'an expected value that its timeline does not lead to',
  'an expected status of the record that its timeline does not lead to',
  'an expected field of a nested value that does not exist',
  'a parameter that the extended scenario does not have',
  'a value of a parameter that the extended scenario cannot use',
];

/** Refused before there is any data: the text is not YAML, or not of the kind that a file may be. */
const byText = [
  'invalid YAML',
  'an undefined alias',
  'an alias within its own anchor',
  'aliases that multiply',
  'deeply nested flow sequences',
  'deeply nested block sequences',
  'an array as a key',
  'a repeated field',
  'a reserved name',
  'thousands of directives',
  'an error for each character',
  'a stray bracket for each character',
  'a second document',
];

describe('the schema of scenario files', () => {
  it('accepts every bundled scenario', () => {
    expect(bundled.flatMap((text) => underlined(validate, text))).toEqual([]);
  });

  it.each(broken.filter(([what]) => ![...byMeaning, ...byText].includes(what)))(
    '%s is underlined',
    (_, text, field) => {
      const places = underlined(validate, text);
      // A missing or an unknown field is underlined at what it is missing from, or should not be in.
      expect(places.some((place) => field === place || field.startsWith(place))).toBe(true);
    },
  );

  it.each(broken.filter(([what]) => byMeaning.includes(what)))('%s is left to the loader', (_, text) => {
    expect(underlined(validate, text)).toEqual([]);
    expect(faultsOf(text)).not.toEqual([]);
  });

  const step = (text: string): string => busyLine().replace('trigger: busy', text);

  it.each([
    ['a trigger of another kind', step('trigger: deliver'), 'timeline.0.trigger'],
    ['input that a trigger does not take', step('trigger: busy, with: { text: Hi }'), 'timeline.0.with'],
    ['a branch that is a step too', step('trigger: busy, branch: []'), 'timeline.0'],
    ['a status of another kind', `${busyLine()}expect: { statuses: [accepted] }\n`, 'expect.statuses.0'],
    ['a field of another record', `${busyLine()}expect: { record: { body: Hi } }\n`, 'expect.record'],
  ])('%s is underlined', (_, text, place) => {
    expect(underlined(validate, text)).toContain(place);
    expect(faultsOf(text)).not.toEqual([]);
  });

  it('the loader refuses what it underlines, and what it accepts the loader refuses by its meaning at most', () => {
    const structural =
      /^(is required|must be (?!a duration|\d+, the status|\w+, the kind)|must not be empty|has none of|"\w*" is not a (trigger|kind|status) |is not a known field|is not a field)/;
    const files = fc.constantFrom(...bundled.map((text) => parse(text))).chain(changed);
    fc.assert(
      fc.property(files, (data) => {
        const text = JSON.stringify(data);
        const faults = faultsOf(text);
        const places = underlined(validate, text);
        if (places.length > 0) expect(faults).not.toEqual([]);
        else expect(faults.filter(({ reason }) => structural.test(reason))).toEqual([]);
      }),
      { numRuns: runs(100, 5000) },
    );
  });
});
