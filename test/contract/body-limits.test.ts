// The limits of bodies and of the texts in them agree: a body that is valid by its schema, in ASCII and without escapes,
// is not too large. The ledger's body_limits.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import type { Node } from '../../src/contract/nodes.ts';
import { BODY_LIMIT } from '../../src/http/body.ts';
import { operations, type Schema } from '../support/operations.ts';

/** The length of the longest JSON of a value; infinite if nothing bounds it. */
function longest(schema: Schema): number {
  const { allOf, enum: values, properties, items, maxLength, maxItems, pattern, format } = schema;
  if (allOf) return Math.min(...allOf.map(longest));
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length));
  const types = [schema.type ?? []].flat();
  if (types.includes('boolean')) return 5;
  if (types.includes('integer')) return 20;
  if (types.includes('array')) return items ? (longest(items) + 1) * (maxItems ?? uniqueCount(items)) + 2 : Infinity;
  if (properties) return longestObject(properties);
  if (types.includes('object')) return Infinity;
  if (maxLength !== undefined) return maxLength + 2;
  if (format === 'uuid') return 38;
  const bounds =
    /^\^\\\+\[1-9\]\[0-9\]\{1,14\}\$$|^\^\[[^\]]+\]\[[^\]]+\]\{(?:0,)?(\d+)\}\$$|^\^\[0-9\]\{2\}-\?\[0-9\]\{7\}\$$/;
  return pattern !== undefined && bounds.test(pattern) ? 24 : Infinity;
}

const uniqueCount = ({ enum: values }: Schema): number => values?.length ?? Infinity;

/** Fields of which a body has only one. */
const alternatives = [['contact_ids', 'to_numbers']];

function longestObject(properties: Readonly<Record<string, Schema>>): number {
  const lengths = Object.entries(properties).map(([name, schema]) => ({
    name,
    length: longest(schema) + name.length + 4,
  }));
  const excluded = alternatives.flatMap((names) => {
    const found = lengths.filter(({ name }) => names.includes(name)).sort((a, b) => b.length - a.length);
    return found.slice(1);
  });
  return lengths.filter((each) => !excluded.includes(each)).reduce((sum, { length }) => sum + length, 2);
}

/** Whatever else belongs to a contact of a lead. */
const unbounded = ['createLead'];
const withBody = operations.filter(({ bodySchema, id }) => bodySchema !== undefined && !unbounded.includes(id));

describe('the longest valid body', () => {
  it.each(withBody)('of $id is within its limit', ({ bodySchema = {}, maxBodyBytes }) => {
    const length = longestObject(bodySchema.properties ?? {});
    expect(length).toBeLessThanOrEqual(maxBodyBytes);
  });
});

describe('the limit of a body', () => {
  it('is stated in the description of the contract and of the 413', () => {
    const { info, components } = loadContract().document as unknown as Record<'info' | 'components', Node>;
    const stated = `256 KiB (${BODY_LIMIT.toLocaleString('en')} bytes)`;
    expect(info.description).toContain(stated);
    const { PayloadTooLarge, DocumentTooLarge } = components.responses as Record<string, Node>;
    expect(PayloadTooLarge?.description).toContain(stated);
    const { maxBodyBytes = 0 } = operations.find(({ id }) => id === 'uploadDocument') ?? {};
    expect(DocumentTooLarge?.description).toContain(`28 MiB (${maxBodyBytes.toLocaleString('en')} bytes)`);
  });
});
