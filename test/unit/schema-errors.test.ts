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

  it('names each allowed type once', () => {
    const schema = z.union([z.literal('all'), text, z.array(text)]);
    expect(errorsOf(z.union([text, z.array(text), text]), 5)).toEqual({
      '': 'must be a string or an array, not 5',
    });
    expect(errorsOf(schema, undefined)).toEqual({ '': 'is required' });
  });

  it('is about the part that is wrong, if the value has the type of one option', () => {
    expect(errorsOf(z.union([text, z.array(text)]), ['busy', 5])).toEqual({ '1': 'must be a string, not 5' });
  });

  it('is not about a part of one option if there are several', () => {
    const schema = z.union([z.strictObject({ by: text }), z.strictObject({ to: text, at: text })]);
    expect(errorsOf(z.strictObject({ step: schema }), { step: { by: 5 } })).toEqual({
      step: 'has none of the allowed forms',
    });
  });
});

describe('the message of an object', () => {
  it('names every unknown key and every missing one', () => {
    expect(errorsOf(z.strictObject({ kind: text(), summary: text() }), { knd: 'call', x: 1 })).toEqual({
      kind: 'is required',
      summary: 'is required',
      knd: 'is not a known field; allowed: kind, summary',
      x: 'is not a known field; allowed: kind, summary',
    });
  });

  const text = () => z.string();
});
