// The contract and what is generated from it: types, callbacks, the library's types and the assumptions that it marks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionNames } from '../../src/assumptions/catalogue.ts';
import { violations } from '../../src/contract/check.ts';
import { enumOf, eventExamples, loadContract } from '../../src/contract/document.ts';
import type { Node } from '../../src/contract/nodes.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { type EventType, eventDefinition, eventTypes } from '../../src/events/catalogue.ts';
import { createSandbox, type EventPayload } from '../../src/index.ts';
import { thorough } from '../support/thorough.ts';

const { document, operations, forms } = loadContract();

function assumedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === 'x-assumed' ? [value].flat() : assumedIn(value)));
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
    expect(shown.length).toBeGreaterThan(30);
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

describe('the callbacks', () => {
  interface Callback {
    readonly post: {
      readonly summary: string;
      readonly requestBody: {
        readonly content: { readonly 'application/json': { readonly schema: Node; readonly examples: Node } };
      };
    };
  }
  const subscribe = ((document.paths as Node)['/api/v1/webhook_subscriptions'] as Node).post as Node;
  const callbacks = Object.values(subscribe.callbacks as Record<string, Record<string, Callback>>)
    .flatMap((callback) => Object.values(callback))
    .map(({ post: { summary, requestBody } }) => {
      const { schema, examples } = requestBody.content['application/json'];
      return { types: summary.split(', '), schema: String(schema.$ref).split('/').pop(), shown: Object.keys(examples) };
    });

  it('exist for every event type, each with its own example', () => {
    expect(callbacks.flatMap(({ types }) => types).sort()).toEqual([...eventTypes].sort());
    for (const { types, shown } of callbacks) expect(shown).toEqual(types);
  });

  it('have the schema that the event catalogue names', () => {
    for (const { types, schema } of callbacks)
      for (const type of types) expect(eventDefinition(type as EventType).schema).toBe(schema);
  });

  it.each(eventTypes)('have a valid example of %s', (type) => {
    expect(violations(eventDefinition(type).schema, eventExamples().get(type))).toEqual([]);
  });
});

describe('the types of the library', () => {
  /** The components that a success or a callback refers to directly. */
  const named = (node: unknown): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String((node as Node).$ref))?.[1];
    return name === undefined ? Object.values(node).flatMap(named) : [name];
  };

  it('exist for every resource and every body of a webhook', () => {
    const shown = [...operations.values()].flatMap(({ path, method }) => {
      const { responses, callbacks = {} } = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as Node;
      const successes = Object.entries(responses as Node).filter(([status]) => status.startsWith('2'));
      return named([successes.map(([, answer]) => (answer as Node).content), callbacks]);
    });
    const exported = new Set(
      [...readFileSync('src/index.ts', 'utf8').matchAll(/^export type \w+ = Schemas\['(\w+)'\];$/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(shown.length).toBeGreaterThan(50);
    expect([...new Set(shown)].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('give the body of an event by its type', () => {
    const type = 'texting_registration_status_changed';
    const { status } = eventExamples().get(type) as EventPayload<typeof type>;
    const decided: 'approved' | 'rejected' = status;
    expect(['approved', 'rejected']).toContain(decided);
  });
});

describe('the document of the control API', () => {
  it('describes every route with its path parameters, and has no linter error', async () => {
    const sandbox = await createSandbox({ clock: 'manual' });
    const text = await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).text();
    await sandbox.close();
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { parameters: Node[] }>> };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters }]) => {
        const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`);
        expect(inPath, `${method} ${path}`).toEqual(path.match(/\{\w+\}/g) ?? []);
        return `${method} ${path.replace(/^\/_sandbox/, '').replace(/\{(\w+)\}/g, ':$1')}`;
      }),
    );
    expect(described.sort()).toEqual(controlRoutes.map(({ method, path }) => `${method} ${path}`).sort());

    const file = join(mkdtempSync(join(tmpdir(), 'ringback-')), 'openapi.json');
    writeFileSync(file, text);
    const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--extends', 'recommended', '--format', 'json'];
    const { stdout, stderr } = spawnSync(process.execPath, lint, { encoding: 'utf8' });
    expect(JSON.parse(stdout || stderr).totals.errors, stdout).toBe(0);
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
});
