// The contract and what is generated from it: types, webhooks, the library's types and the assumptions that it marks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionNames, assumptions } from '../../src/assumptions/catalogue.ts';
import { violations } from '../../src/contract/check.ts';
import { enumOf, eventExamples, loadContract } from '../../src/contract/document.ts';
import { childNodes, findNode, type Node, nodeAt, resolve, stringsIn } from '../../src/contract/nodes.ts';
import { type EventType, eventDefinition, eventTypes } from '../../src/events/catalogue.ts';
import type { EventPayload } from '../../src/index.ts';
import { thorough } from '../support/thorough.ts';

const { document, operations, forms } = loadContract();

function assumedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === 'x-assumed' ? [value].flat() : assumedIn(value)));
}

interface AssumedEnum {
  readonly enum: readonly string[];
  readonly 'x-assumed': readonly (keyof typeof assumptions)[];
}

/** The enums of the document that rest on assumptions, each by its place. */
function assumedEnums(node: unknown, name = ''): [string, AssumedEnum][] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) =>
    assumedEnums(value, name === '' ? key : `${name}.${key}`),
  );
  return 'enum' in node && 'x-assumed' in node ? [[name, node as AssumedEnum], ...below] : below;
}

/** The schemas of the document that describe their pattern or format in words. */
function schemasWithForm(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(schemasWithForm);
  return 'x-form' in node ? [node as Node, ...below] : below;
}

describe('the contract', () => {
  it.runIf(thorough)('matches the generated types', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ringback-')), 'wire.d.ts');
    const cli = 'node_modules/openapi-typescript/bin/cli.js';
    const { status } = spawnSync(process.execPath, [cli, 'openapi.yaml', '-o', file], { stdio: 'ignore' });
    expect(status).toBe(0);
    const current = readFileSync('src/contract/wire.d.ts', 'utf8');
    expect(current === readFileSync(file, 'utf8'), 'run npm run generate').toBe(true);
  });

  it('gives every operation an error envelope for statuses that it does not list', () => {
    for (const { id, path, method } of operations.values()) {
      const node = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as { responses: Node };
      expect(Object.keys(node.responses), id).toEqual(expect.arrayContaining(['400', '401', '403', '429', 'default']));
    }
  });

  it('describes every operation, schema and property', () => {
    const schemas = nodeAt(document, 'components', 'schemas');
    const silent = childNodes(schemas).flatMap(([name, schema]) => [
      ...(schema.description === undefined ? [name] : []),
      ...childNodes(findNode(schema, 'properties')).flatMap(([property, { description }]) =>
        description === undefined ? [`${name}.${property}`] : [],
      ),
    ]);
    expect(silent).toEqual([]);
  });

  it('lets exactly the operations that write take an idempotency key', () => {
    for (const { id, method, takesIdempotencyKey } of operations.values()) {
      expect(takesIdempotencyKey, id).toBe(method !== 'GET');
    }
  });

  it('requires known scopes only', () => {
    for (const { id, scopes } of operations.values()) {
      for (const scope of scopes) expect(enumOf('Scope'), id).toContain(scope);
    }
  });

  it('has the 28 scopes of the specification', () => {
    expect(enumOf('Scope')).toHaveLength(28);
    expect(enumOf('Scope').filter((scope) => scope.endsWith(':read') || scope.endsWith(':write'))).toHaveLength(26);
  });

  it('has a named schema for the body of every answer, and no alternatives in it but null', () => {
    for (const { id, path, method } of operations.values()) {
      const { responses } = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as { responses: Node };
      for (const [status, answer] of Object.entries(responses)) {
        const { content } = resolve(document, answer as Node) as { content?: Record<string, Node> };
        if (content === undefined) continue;
        expect(content['application/json']?.schema, `${id} ${status}`).toEqual({
          $ref: expect.stringMatching(
            /^#\/components\/schemas\/(\w+(Response|Page)|DialAccepted|WebhookSubscription|ErrorEnvelope)$/,
          ),
        });
      }
    }
    const alternatives = (node: unknown): unknown[] => {
      if (typeof node !== 'object' || node === null) return [];
      const { oneOf = [], anyOf = [] } = node as { oneOf?: Node[]; anyOf?: Node[] };
      const kept = [...oneOf, ...anyOf].filter(({ type }) => type !== 'null');
      return [...(kept.length > 1 ? [node] : []), ...Object.values(node).flatMap(alternatives)];
    };
    expect(alternatives(document.components)).toEqual([]);
  });

  it('has one success for each operation, and requires every field of it that is always there', () => {
    const seen = new Set<string>();
    const optional = (node: unknown): string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const name = /^#\/components\/schemas\/(\w+)$/.exec(String((node as Node).$ref))?.[1];
      if (name === undefined) return Object.values(node).flatMap(optional);
      if (seen.has(name)) return [];
      seen.add(name);
      const schema = resolve(document, node as Node);
      const required = stringsIn(schema.required);
      const properties = childNodes(findNode(schema, 'properties')).map(([property]) => property);
      return [
        ...properties.filter((each) => !required.includes(each)).map((each) => `${name}.${each}`),
        ...optional(schema),
      ];
    };
    const found = [...operations.values()].flatMap(({ id, path, method }) => {
      const responses = nodeAt(document, 'paths', path, method.toLowerCase(), 'responses');
      const successes = childNodes(responses).filter(([status]) => status.startsWith('2'));
      expect(successes, id).toHaveLength(1);
      return optional(successes);
    });
    expect(found.sort()).toEqual([
      // Of a TURN server only, and as they were sent.
      ...['IceServer.credential', 'IceServer.username'],
      ...['WebhookSubscription.campaign_id', 'WebhookSubscription.workflow_id'],
    ]);
  });

  it('has examples of bodies that are valid by their schemas', () => {
    const shown: [where: string, problems: readonly string[]][] = [];
    const walk = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { example, schema } = node as Node;
      const name = /^#\/components\/schemas\/(\w+)$/.exec(String((schema as Node | undefined)?.$ref))?.[1];
      if (example !== undefined && name !== undefined) shown.push([where, violations(name as never, example)]);
      for (const [key, value] of Object.entries(node)) walk(value, `${where}/${key}`);
    };
    walk(document.paths, '');
    for (const [name, schema] of Object.entries((document.components as Node).schemas as Node)) {
      const { example } = schema as Node;
      if (example !== undefined) shown.push([name, violations(name as never, example)]);
    }
    expect(shown.length).toBeGreaterThan(25);
    expect(shown.filter(([, problems]) => problems.length > 0)).toEqual([]);
  });

  it('describes every pattern or format in words, always in the same ones', () => {
    const described = schemasWithForm(document.components).map(({ pattern, format, 'x-form': words }) => [
      pattern ?? format,
      words,
    ]);
    expect(described.length).toBeGreaterThan(0);
    for (const [text, words] of described) {
      expect(text).toEqual(expect.any(String));
      expect(forms.get(text as string)?.words).toBe(words);
    }
  });
});

describe('the webhooks', () => {
  const webhooks = document.webhooks as Record<string, { post: { requestBody: { content: Record<string, Node> } } }>;

  it('exist for every event type', () => {
    expect(Object.keys(webhooks)).toEqual(enumOf('EventType'));
    expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
  });

  it('name the schema of the event catalogue, and have an example of their own type', () => {
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, examples } = post.requestBody.content['application/json'] as { schema: Node; examples: Node };
      expect(schema).toEqual({ $ref: `#/components/schemas/${eventDefinition(type as EventType).schema}` });
      expect(Object.keys(examples)).toEqual([type]);
    }
  });

  it.each(eventTypes)('have a valid example of %s', (type) => {
    expect(violations(eventDefinition(type).schema, eventExamples().get(type))).toEqual([]);
  });
});

describe('generators', () => {
  const { paths, webhooks, components } = document as Record<string, Record<string, Node>>;
  const tagsOf = (items: Node | undefined): string[] =>
    Object.values(items ?? {}).flatMap((item) =>
      Object.values(item as Node).flatMap((each) => stringsIn((each as Node).tags)),
    );

  it('find no property with the name of its schema that is not plain text, which openapi-python-client confuses', () => {
    const confused = childNodes(components?.schemas as Node).filter(([name, schema]) => {
      const property = findNode(schema, 'properties', name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase());
      return property !== undefined && typeof resolve(document, property).type !== 'string';
    });
    expect(confused.map(([name]) => name)).toEqual([]);
  });

  it('find no tag of operations on a webhook, whose class openapi-generator would write over theirs', () => {
    const shared = tagsOf(webhooks).filter((tag) => tagsOf(paths).includes(tag));
    expect(tagsOf(webhooks).length).toBeGreaterThan(10);
    expect(shared).toEqual([]);
  });
});

describe('the types of the library', () => {
  const schemas = (document.components as Node).schemas as Readonly<Record<string, { properties?: Node }>>;
  const nameOf = (node: unknown): string => /\w+$/.exec(String((node as Node).$ref))?.[0] as string;
  /** The components that users see in a body: itself, or what an envelope has under `data` and `meta`. */
  const shownBy = (content: unknown): string[] => {
    if (content === undefined) return [];
    const name = nameOf((content as Record<string, Node>)['application/json']?.schema);
    const { data, meta } = schemas[name]?.properties ?? {};
    if (data === undefined) return [name];
    return [(data as { items?: Node }).items ?? data, meta].flatMap((node) => (node ? [nameOf(node)] : []));
  };

  it('exist for every resource and every body of a webhook', () => {
    const answers = [...operations.values()].flatMap(({ path, method }) => {
      const { responses } = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as { responses: Node };
      return Object.entries(responses).flatMap(([status, answer]) =>
        status.startsWith('2') ? [(answer as Node).content] : [],
      );
    });
    const bodies = Object.values(document.webhooks as Record<string, { post: { requestBody: Node } }>).map(
      ({ post }) => post.requestBody.content,
    );
    const shown = [...answers, ...bodies].flatMap(shownBy);
    const exported = new Set(
      [...readFileSync('src/index.ts', 'utf8').matchAll(/^export type \w+ = Schemas\['(\w+)'\];$/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(shown.length).toBeGreaterThan(50);
    expect([...new Set(shown)].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('have the names of the contract', () => {
    for (const [, own, name] of readFileSync('src/index.ts', 'utf8').matchAll(
      /^export type (\w+) = Schemas\['(\w+)'\];$/gm,
    )) {
      expect(own).toBe(name);
    }
  });

  it('give the body of an event by its type', () => {
    const type = 'texting_registration_status_changed';
    const { status } = eventExamples().get(type) as EventPayload<typeof type>;
    const decided: 'approved' | 'rejected' = status;
    expect(['approved', 'rejected']).toContain(decided);
  });
});

describe('the ledger', () => {
  it('has an entry for every x-assumed of the contract', () => {
    expect([...new Set(assumedIn(document))].filter((name) => !assumptionNames.includes(name as never))).toEqual([]);
  });

  it('has no entry that the contract does not mark', () => {
    const marked = new Set(assumedIn(document));
    expect(assumptionNames.filter((name) => !marked.has(name))).toEqual([]);
  });

  const enums = assumedEnums(document.components);
  // The ledger has only what was added to the values of the specification.
  const isExtended = (name: string): boolean => /\.(EventType|ErrorCode)$/.test(name);

  it.each(enums.filter(([name]) => !isExtended(name)))('names every value of %s', (_, { enum: values, ...marked }) => {
    const text = marked['x-assumed'].map((name) => `${assumptions[name].default} ${assumptions[name].rule}`).join(' ');
    expect(values.filter((value) => !new RegExp(`\\b${value}\\b`).test(text))).toEqual([]);
  });

  it.each(enums)('lists no value that is not one of %s', (_, { enum: values, ...marked }) => {
    const lists = marked['x-assumed'].map((name) => String(assumptions[name].default).split(', '));
    for (const list of lists.filter(([first = '']) => values.includes(first)))
      expect(values).toEqual(expect.arrayContaining(list));
  });
});
