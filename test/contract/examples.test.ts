// The examples of the contract are what a sandbox answers: recorded by `npm run generate`, and compared with a new
// recording here. Every answer of every operation has one, valid by its schema.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contractText, recordExamples } from '../../scripts/examples.ts';
import { violations } from '../../src/contract/check.ts';
import { loadContract } from '../../src/contract/document.ts';
import { childNodes, findNode, type Node, nodeAt, resolve } from '../../src/contract/nodes.ts';
import { type ErrorCode, type ErrorRow, errors } from '../../src/errors/catalogue.ts';
import { thorough } from '../support/thorough.ts';

// The document that is loaded at the start may come without them.
const document = parse(contractText()) as Node;
const examples = nodeAt(document, 'components', 'examples');

interface Shown {
  readonly where: string;
  readonly status: string;
  readonly schema: string;
  /** The values of its examples, by name. */
  readonly values: Readonly<Record<string, unknown>>;
}

const shown: readonly Shown[] = [...loadContract().operations.values()].flatMap(({ id, path, method }) =>
  childNodes(nodeAt(document, 'paths', path, method.toLowerCase(), 'responses')).flatMap(([status, given]) => {
    const media = findNode(resolve(document, given), 'content', 'application/json');
    if (!media) return [];
    const values = childNodes(findNode(media, 'examples')).map(([name, each]) => [name, resolve(document, each).value]);
    const schema = String(nodeAt(media, 'schema').$ref).split('/').pop() as string;
    return [{ where: `${id} ${status}`, status, schema, values: Object.fromEntries(values) }];
  }),
);

describe('an example of an answer', () => {
  it('exists for every answer that has a body, and is valid by its schema', () => {
    expect(shown.length).toBeGreaterThan(300);
    for (const { where, schema, values } of shown) {
      expect(Object.keys(values).length, where).toBeGreaterThan(0);
      for (const [name, value] of Object.entries(values)) {
        expect(violations(schema as never, value), `${where} ${name}`).toEqual([]);
      }
    }
  });

  it('of an error has a code of its status', () => {
    for (const { where, status, values } of shown.filter(({ schema }) => schema === 'ErrorEnvelope')) {
      for (const value of Object.values(values) as { error: { code: ErrorCode } }[]) {
        const row: ErrorRow = errors[value.error.code];
        if (status !== 'default') expect(String(row.status), `${where} ${value.error.code}`).toBe(status);
      }
    }
  });

  it('is used by some answer', () => {
    const used = new Set(shown.flatMap(({ values }) => Object.keys(values)));
    expect(Object.keys(examples).filter((name) => !used.has(name))).toEqual([]);
  });

  it.runIf(thorough)('is what a sandbox answers now', async () => {
    const recorded = await recordExamples();
    expect([...recorded.keys()]).toEqual(Object.keys(examples));
    for (const [name, value] of recorded) {
      expect(nodeAt(examples, name).value, `${name}: run npm run generate`).toEqual(value);
    }
  });
});
