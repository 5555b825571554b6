// The OpenAPI document of the control API: complete for people and for generators, and true of the server that serves it.
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { answers } from '../../src/control/answers/index.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { clientOf, NOWHERE } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { lintProblems } from '../support/linter.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';

type Node = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Node[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Node }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Node }>>;
}

interface Document {
  readonly security: readonly Node[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>>; readonly securitySchemes: Node };
}

const folderOf = temporaryFolders();
const TOKEN = 'open-sesame';
const plain = useSandbox({ clock: 'manual' });
const guarded = useSandbox({ clock: 'manual', controlToken: TOKEN });

let open: Document;
let locked: Document;
beforeAll(async () => {
  open = (await plain.client.get('/_sandbox/openapi.json')).body;
  locked = (await clientOf(guarded.sandbox.url, TOKEN).get('/_sandbox/openapi.json')).body;
});

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
const bodyOf = (operation: Operation | undefined, type = 'application/json') => operation?.requestBody?.content[type];

describe('the document of the control API', () => {
  it('has an operation for every route, with its path parameters', () => {
    const described = operationsOf(open).map(({ path, method, parameters }) => {
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`);
      expect(inPath, `${method} ${path}`).toEqual(path.match(/\{\w+\}/g) ?? []);
      return `${method} ${path.replace(/^\/_sandbox/, '').replace(/\{(\w+)\}/g, ':$1')}`;
    });
    expect(described.sort()).toEqual(controlRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('says of a body that it is required where a request without one is refused', async () => {
    const needing = operationsOf(open).filter(({ requestBody }) => requestBody?.required);
    for (const { method, path } of needing) {
      const send = method === 'put' ? plain.client.put : plain.client.post;
      const answer = await send(path.replace('{kind}', 'call').replace(/\{\w+\}/g, NOWHERE));
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(400);
    }
    expect((await plain.client.put('/_sandbox/calling-rules')).body.error.fields).toEqual({
      body: 'is required: a JSON object',
    });
    expect((await plain.client.put('/_sandbox/calling-rules', {})).status).toBe(200);
  });

  it.runIf(thorough)('passes the linter with the rules of the contract, with and without a control token', () => {
    // Rate limits are the platform's, and some bodies are YAML or bytes.
    const own = ['response-contains-header', 'request-mime-type', 'response-mime-type'];
    const folder = folderOf({ 'open.json': JSON.stringify(open), 'locked.json': JSON.stringify(locked) });
    expect(lintProblems(folder, ['open.json', 'locked.json'], own)).toBeUndefined();
  });

  it('describes every operation, schema and field, in summaries of less than 50 characters', () => {
    for (const { operationId, summary, description } of operationsOf(open)) {
      expect(summary.length, summary).toBeLessThan(50);
      expect(description, operationId).toMatch(/^[A-Z0-9].*[.…]$/s);
    }
    const silent = (node: unknown, where: string): string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const fields = Object.entries(((node as Node).properties ?? {}) as Record<string, Node>);
      const own = fields.filter(([, each]) => !each.description).map(([field]) => `${where}.${field}`);
      return [...own, ...Object.entries(node).flatMap(([key, each]) => silent(each, `${where}/${key}`))];
    };
    const { schemas } = open.components;
    expect(Object.keys(schemas).filter((name) => !schemas[name]?.description)).toEqual([]);
    expect(silent(schemas, '')).toEqual([]);
    const parameters = operationsOf(open).flatMap((operation) => operation.parameters);
    expect(parameters.filter(({ $ref, description }) => !$ref && !description)).toEqual([]);
  });

  it('gives every success a schema by name, and every field a type', () => {
    for (const { operationId, responses } of operationsOf(open)) {
      const successes = Object.entries(responses).filter(([status]) => /^(101|2..)$/.test(status));
      expect(successes.length, operationId).toBeGreaterThan(0);
      for (const [status, { content }] of successes) {
        const [type, { schema = {} } = {}] =
          Object.entries((content ?? {}) as Record<string, { schema?: Node }>)[0] ?? [];
        if (status === '204') expect(content, operationId).toBeUndefined();
        else if (operationId === 'getControlDocument') expect(schema.$ref).toMatch(/OpenApiDocument$/);
        else if (type === 'application/json')
          expect(schema.$ref, operationId).toMatch(/^#\/components\/schemas\/\w+(Response|Page)$/);
        else if (status !== '101') expect(schema.$ref, operationId).toMatch(type === 'text/plain' ? /Text$/ : /Bytes$/);
      }
      expect(responses.default, operationId).toEqual({ $ref: '#/components/responses/Error' });
    }
    const untyped = Object.entries(open.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Node>)
        .filter(([, node]) => !['type', '$ref', 'oneOf', 'anyOf'].some((key) => key in node))
        .map(([field]) => `${name}.${field}`),
    );
    // These may be any JSON.
    expect(untyped.sort()).toEqual(['RawAnswer.body', 'RequestDifference.actual', 'RequestDifference.expected']);
  });

  it('names schemas so that generated code has no name twice', () => {
    const { schemas } = open.components;
    // Go's clients have a type for the response of each operation.
    const responseTypes = operationsOf(open).map(({ operationId }) => `${operationId.toLowerCase()}response`);
    expect(Object.keys(schemas).filter((name) => responseTypes.includes(name.toLowerCase()))).toEqual([]);
    // Python's models have a variable for each field with a type of its own, and one of the model's own name.
    const own = Object.entries(schemas).filter(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Node>).some(
        ([field, { enum: values }]) => values && field.replaceAll('_', '') === name.toLowerCase(),
      ),
    );
    expect(own.map(([name]) => name)).toEqual([]);
  });

  it('has no schema of an answer twice: the later one of a name would silently replace the other', async () => {
    const folder = new URL('../../src/control/answers/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file !== 'index.ts' && file !== 'fields.ts');
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
    const names = [
      ...modules.flatMap((module) => Object.keys(module)),
      ...['JournalMeta', 'PageMeta', 'Subject', 'Appointment', 'Call', 'Contact', 'Message'],
    ];
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
    expect(names.sort()).toEqual(Object.keys(answers).sort());
  });

  it('names every object that a field can be instead of another form, and the text that an answer can be', () => {
    const unnamed = (node: unknown, where: string): string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const { anyOf, oneOf, 'text/plain': text } = node as Record<string, unknown>;
      const objects = [anyOf, oneOf].flat().filter((each) => (each as Node | undefined)?.properties !== undefined);
      const texts = text === undefined || JSON.stringify(text).includes('$ref') ? [] : [where];
      return [
        ...(objects.length > 0 ? [where] : []),
        ...texts,
        ...Object.entries(node).flatMap(([key, each]) => unnamed(each, `${where}/${key}`)),
      ];
    };
    expect(unnamed({ paths: open.paths, schemas: open.components.schemas }, '')).toEqual([]);
  });

  it('describes the items of every list', () => {
    const lists = JSON.stringify(open).match(/\{"type":"array"[^{]*?\}/g) ?? [];
    expect(lists.filter((list) => !list.includes('"items"'))).toEqual([]);
  });

  it('asks for a key of a world or none; with a control token, for the token and a world', () => {
    expect(open.security).toEqual([{ apiKey: [] }, {}]);
    expect(Object.keys(open.components.securitySchemes)).toEqual(['apiKey']);
    expect(locked.security).toEqual([{ controlToken: [] }, { controlKey: [] }]);
    expect(Object.keys(locked.components.securitySchemes)).toEqual(['controlToken', 'controlKey']);
    const world = { $ref: '#/components/parameters/X-Sandbox-World' };
    const serverwide = ['listWorlds', 'createWorld', 'deleteWorld', 'getControlDocument', 'getMetrics'];
    const unguarded = ['getHealth', 'getReadiness', 'getFileSchema', 'getRecording', 'receiveInInbox'];
    for (const { operationId, parameters, security } of operationsOf(locked)) {
      expect(security, operationId).toEqual(unguarded.includes(operationId) ? [] : undefined);
      const takesWorld = ![...serverwide, ...unguarded].includes(operationId);
      expect(
        parameters.some(({ $ref }) => $ref === world.$ref),
        operationId,
      ).toBe(takesWorld);
    }
    expect(JSON.stringify(open.paths)).not.toContain('parameters/X-Sandbox-World');
    expect(operationsOf(open).flatMap(({ security }) => security ?? [])).toEqual([]);
  });

  it('says which bodies are required, shows a scenario as JSON and YAML, and promises no field that is refused', () => {
    const byId = new Map(operationsOf(open).map((operation) => [operation.operationId, operation]));
    const required = [...byId.values()].filter(({ requestBody }) => requestBody?.required);
    expect(required.map(({ operationId }) => operationId).sort()).toEqual([
      'advanceClock',
      'checkScenario',
      'decideCall',
      'emitEvent',
      'putScenario',
      'setActiveScenario',
      'setAssumption',
      'setCallingRules',
      'setClock',
      'setFaults',
      'setTick',
      'setWebhookPlan',
      'subscribe',
      'updateSubscription',
      'verifyRequests',
    ]);
    expect(bodyOf(byId.get('putScenario'))?.schema).toEqual({ $ref: '#/components/schemas/ScenarioFile' });
    expect(bodyOf(byId.get('putScenario'), 'application/yaml')?.schema).toMatchObject({ type: 'string' });
    const { properties } = open.components.schemas.UpdateSubscriptionRequest as { properties: Node };
    expect(Object.keys(properties)).toEqual(['signing_secret', 'plan']);
  });
});
