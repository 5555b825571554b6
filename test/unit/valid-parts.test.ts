// The parts of a faulty file that fit: which they are, and how often they are read.
import { describe, expect, it } from 'vitest';
import { validParts } from '../../src/errors/valid-parts.ts';
import { scenarioFile } from '../../src/scenarios/scenario.ts';

/** A step in so many branches, each within an option of the one before. */
function nested(depth: number, step: object): object {
  let timeline: readonly object[] = [step];
  for (let n = 0; n < depth; n++) {
    const option = { weight: 1, timeline };
    timeline = [{ branch: [option, { weight: 1, timeline: [] }] }];
  }
  return { kind: 'call', summary: 'Nested.', timeline };
}

/** How often a step is read that is nested so deep, next to one with a fault. */
function readsOf(depth: number, fault: unknown): number {
  let reads = 0;
  const step = {
    get after() {
      reads += 1;
      return '1s';
    },
    trigger: 'busy',
    with: {},
  };
  validParts(scenarioFile, nested(depth, { branch: [{ weight: 1, timeline: [step, fault] }] }));
  return reads;
}

describe('the valid parts of a faulty file', () => {
  it('are what is left when the faults are taken out, wherever these are', () => {
    const fault = { after: 'soon', trigger: 'busy', wiht: {} };
    expect(validParts(scenarioFile, { ...nested(2, fault), numbers: ['77', 7] })).toMatchObject({
      ...nested(2, { after: undefined, trigger: 'busy', with: {} }),
      numbers: ['77', undefined],
    });
  });

  it.each([
    ['a field that is not known', { after: '1s', trigger: 'busy', wiht: {} }],
    ['a value that does not fit', { after: 'soon', trigger: 'busy' }],
    ['an entry of no form', 'busy'],
    ['an entry of two forms', { after: '1s', trigger: 'busy', branch: [] }],
  ])('are read as often in fourteen branches as in two, beside %s', (_, fault) => {
    expect(readsOf(14, fault)).toBe(readsOf(2, fault));
  });
});
