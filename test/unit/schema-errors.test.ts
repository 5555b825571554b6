// Messages for values that a zod schema refuses.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FieldError, parseWith } from '../../src/errors/schema-errors.ts';

function errorsOf(schema: z.ZodType, value: unknown): Record<string, string> {
  let found: readonly FieldError[] = [];
  try {
    parseWith(schema, value, (errors) => {
      found = errors;
      return new Error('refused');
    });
  } catch {
    // The errors are what is compared.
  }
  return Object.fromEntries(found.map(({ path, reason }) => [path.join('.'), reason]));
}

describe('the message of a union', () => {
  const text = z.string();

  it('takes no longer for thousands of strange fields than their number', () => {
    const option = (name: string) =>
      z.strictObject(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${name}_of_the_option_${n}`, text])));
    const schema = z.union([option('first'), option('second'), option('third')]);
    const strange = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a_field_that_nobody_knows_${n}`, 1]));
    const started = process.cpuUsage();
    expect(Object.keys(errorsOf(schema, strange)).length).toBeGreaterThan(0);
    // Compared with each known field, they take several seconds.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });

  it('names each allowed type once', () => {
    const schema = z.union([z.literal('all'), text, z.array(text)]);
    expect(errorsOf(z.union([text, z.array(text), text]), 5)).toEqual({
      '': 'is 5; must be a string or an array',
    });
    expect(errorsOf(schema, undefined)).toEqual({ '': 'is required' });
  });

  it('is about the part that is wrong, if the value has the type of one option', () => {
    expect(errorsOf(z.union([text, z.array(text)]), ['busy', 5])).toEqual({ '1': 'is 5; must be a string' });
  });

  it('is about the fields of the option that knows most of them, misspelt ones included', () => {
    const step = z.strictObject({ after: text, trigger: text });
    const schema = z.strictObject({ step: z.union([step, z.strictObject({ branch: z.array(text) })]) });
    expect(errorsOf(schema, { step: { after: 5, trigger: 'busy' } })).toEqual({
      'step.after': 'is 5; must be a string',
    });
    expect(errorsOf(schema, { step: { aftr: '1s', triger: 'busy' } })).toEqual({
      'step.after': 'is required',
      'step.trigger': 'is required',
      'step.aftr': 'is not a known field; allowed: after, trigger; did you mean after?',
      'step.triger': 'is not a known field; allowed: after, trigger; did you mean trigger?',
    });
  });

  it('is not about a part of one option if several know as many of its fields', () => {
    const schema = z.union([z.strictObject({ by: text }), z.strictObject({ by: z.boolean(), at: text })]);
    expect(errorsOf(z.strictObject({ step: schema }), { step: { by: 5 } })).toEqual({
      step: 'has none of the allowed forms',
    });
  });
});

describe('the message of an object', () => {
  it('names every unknown key and every missing one, with a suggestion for each that is near', () => {
    expect(errorsOf(z.strictObject({ kind: text(), summary: text() }), { knd: 'call', x: 1 })).toEqual({
      kind: 'is required',
      summary: 'is required',
      knd: 'is not a known field; allowed: kind, summary; did you mean kind?',
      x: 'is not a known field; allowed: kind, summary',
    });
  });

  it('suggests no key that is there already', () => {
    expect(errorsOf(z.strictObject({ kind: text(), kinds: text() }), { kind: 'a', kinds: 'b', knd: 'c' })).toEqual({
      knd: 'is not a known field; allowed: kind, kinds',
    });
  });

  const text = () => z.string();
});
