// The contract and everything that is made from it: generated types, catalogues, the validator's inner parts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionNames } from '../src/assumptions/catalogue.ts';
import { violations } from '../src/contract/check.ts';
import { enumOf, eventExamples, loadContract } from '../src/contract/document.ts';
import type { Node } from '../src/contract/nodes.ts';
import { controlRoutes } from '../src/control/routes.ts';
import { categoryOnCalls, errorCodes, errors, synchronousCodes } from '../src/errors/catalogue.ts';
import { type EventType, eventDefinition, eventTypes } from '../src/events/catalogue.ts';
import { sampleOf } from '../src/events/samples.ts';
import { createValidator } from '../src/http/validate.ts';
import { createSandbox, type EventPayload } from '../src/index.ts';
import { callLifecycle } from '../src/lifecycles/call.ts';
import { namedLifecycles } from '../src/lifecycles/index.ts';
import { thorough } from './support/thorough.ts';

const { document, operations, forms } = loadContract();

function assumedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === 'x-assumed' ? [value].flat() : assumedIn(value)));
}

/** The schemas of the document that say in words what they ask for. */
function wordedIn(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(wordedIn);
  return 'x-form' in node ? [node as Node, ...below] : below;
}

describe('the contract', () => {
  it.runIf(thorough)('is what the generated types were generated from', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ringback-')), 'wire.d.ts');
    const cli = 'node_modules/openapi-typescript/bin/cli.js';
    const { status } = spawnSync(process.execPath, [cli, 'openapi.yaml', '-o', file], { stdio: 'ignore' });
    expect(status).toBe(0);
    const current = readFileSync('src/contract/wire.d.ts', 'utf8');
    expect(current === readFileSync(file, 'utf8'), 'run npm run generate').toBe(true);
  });

  it('gives every operation an error envelope for whatever it does not list', () => {
    for (const { id, path, method } of operations.values()) {
      const node = ((document.paths as Node)[path] as Node)[method.toLowerCase()] as { responses: Node };
      expect(Object.keys(node.responses), id).toEqual(expect.arrayContaining(['400', '401', '403', '429', 'default']));
    }
  });

  it('lets every operation that changes something take an idempotency key, and no other', () => {
    for (const { id, method, takesIdempotencyKey } of operations.values()) {
      expect(takesIdempotencyKey, id).toBe(method !== 'GET');
    }
  });

  it('asks for scopes that the platform knows', () => {
    for (const { id, scopes } of operations.values()) {
      for (const scope of scopes) expect(enumOf('Scope'), id).toContain(scope);
    }
  });

  it('has the 28 scopes of the specification', () => {
    expect(enumOf('Scope')).toHaveLength(28);
    expect(enumOf('Scope').filter((scope) => scope.endsWith(':read') || scope.endsWith(':write'))).toHaveLength(26);
  });

  it('shows bodies of requests and errors as their schemas have them', () => {
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

  it('says in words what a pattern or format asks for, wherever it stands, and never in two ways', () => {
    const said = wordedIn(document.components).map(({ pattern, format, 'x-form': words }) => [
      pattern ?? format,
      words,
    ]);
    expect(said.length).toBeGreaterThan(0);
    for (const [text, words] of said) {
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

  it('are one for every event type, each with an example of its own', () => {
    expect(callbacks.flatMap(({ types }) => types).sort()).toEqual([...eventTypes].sort());
    for (const { types, shown } of callbacks) expect(shown).toEqual(types);
  });

  it('have the schema that the event catalogue names', () => {
    for (const { types, schema } of callbacks)
      for (const type of types) expect(eventDefinition(type as EventType).schema).toBe(schema);
  });

  it.each(eventTypes)('show %s as its schema has it', (type) => {
    expect(violations(eventDefinition(type).schema, eventExamples().get(type))).toEqual([]);
  });
});

describe('the types of the library', () => {
  /** The components that stand in an answer of success or in a callback, themselves and not within another. */
  const named = (node: unknown): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String((node as Node).$ref))?.[1];
    return name === undefined ? Object.values(node).flatMap(named) : [name];
  };

  it('are one for every resource and for every body of a webhook', () => {
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
  it('describes every route, each with what its path carries, and no error of the linter is in it', async () => {
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

describe('the error catalogue', () => {
  it('has the codes of the contract, 35 of the specification and five of the ledger', () => {
    expect([...errorCodes].sort()).toEqual([...enumOf('ErrorCode')].sort());
    expect(errorCodes.filter((code) => errors[code].channel !== 'sandbox')).toHaveLength(35);
  });

  it('has 29 codes that are answered synchronously', () => {
    expect(synchronousCodes).toHaveLength(29);
  });

  it('gives a category where the specification does, and on calls to the two codes that stand in two tables', () => {
    const categories = new Set(enumOf('ErrorCategory'));
    for (const code of errorCodes) {
      const category = categoryOnCalls(code);
      if (category !== undefined) expect(categories.has(category), code).toBe(true);
    }
    expect(categoryOnCalls('rate_limited')).toBe('account_limit');
    expect(categoryOnCalls('internal_error')).toBe('provider_error');
    expect(categoryOnCalls('not_found')).toBeUndefined();
  });
});

describe('the event catalogue', () => {
  it('has the event types of the contract', () => {
    expect([...eventTypes].sort()).toEqual([...enumOf('EventType')].sort());
  });

  it('signs number lifecycle and nothing else', () => {
    const signed = eventTypes.filter((type) => eventDefinition(type).family === 'number_lifecycle');
    expect(signed).toEqual(['number_purchased', 'number_released']);
  });

  it('has a sample of every type that its schema allows', () => {
    for (const type of eventTypes) {
      const sample = sampleOf(type, '00000000-0000-4000-8000-000000000000', '2026-01-05T15:00:00.000Z');
      expect(violations(eventDefinition(type).schema, sample), type).toEqual([]);
    }
  });
});

describe('the lifecycles', () => {
  it('lead only to states that they know', () => {
    for (const { table, initial, terminal, transitions } of namedLifecycles.values()) {
      const states = new Set([initial, ...terminal, ...Object.keys(transitions)]);
      for (const row of Object.values(transitions)) {
        for (const [trigger, next] of Object.entries(row))
          expect(states.has(next?.to ?? ''), `${table} ${trigger}`).toBe(true);
      }
    }
  });

  it('know every trigger that a scenario may name', () => {
    for (const { table, transitions, inputs } of namedLifecycles.values()) {
      const used = new Set(Object.values(transitions).flatMap((row) => Object.keys(row)));
      for (const trigger of Object.keys(inputs)) expect(used.has(trigger), `${table} ${trigger}`).toBe(true);
    }
  });

  it('let a call end in every status of the contract', () => {
    const reached = [
      callLifecycle.initial,
      ...Object.values(callLifecycle.transitions).flatMap((row) => Object.values(row).map(({ to }) => to)),
    ];
    expect([...new Set(reached)].sort()).toEqual([...enumOf('CallStatus')].sort());
  });

  it('let nothing follow a terminal call status', () => {
    for (const state of callLifecycle.terminal) expect(callLifecycle.transitions[state] ?? {}).toEqual({});
  });
});

describe('the validator', () => {
  const validator = createValidator((id) => (id === 'dialCall' ? ['from_number'] : []));
  const check = (
    id: string,
    request: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown },
  ): unknown => {
    try {
      validator.check(operations.get(id as never) as never, {
        params: { id: 'x' },
        query: {},
        body: undefined,
        ...request,
      });
      return 'passed';
    } catch (error) {
      return (error as { detail: { fields: unknown } }).detail.fields;
    }
  };

  it('names every field that is wrong, at once', () => {
    expect(check('createWebhookSubscription', { body: { webhook_url: 5, event_type: 'nope', extra: 1 } })).toEqual({
      webhook_url: 'is 5; must be a string',
      event_type: expect.stringMatching(/^is "nope"; must be one of new_call, .*did you mean new_call\?$/),
      extra: expect.stringMatching(/^is not a known field; allowed: .*event_type/),
    });
  });

  const agent_id = '0b8e7a52-4a3f-4c55-9a80-1f6f0e6d2c11';
  const job = (more: object): object => ({ agent_id, to_numbers: ['+14155550101'], ...more });
  const many = Array.from({ length: 401 }, (_, at) => `+1415555${1000 + at}`);
  it.each([
    ['createJob', job({ name: 5 }), { name: 'is 5; must be a string' }],
    ['createJob', job({ agent_id: null }), { agent_id: 'is null; must be a string' }],
    ['createJob', job({ agent_id: 'x' }), { agent_id: 'is "x"; must be a valid UUID' }],
    ['createJob', job({ concurrency: 1.5 }), { concurrency: 'is 1.5; must be an integer' }],
    ['createJob', job({ concurrency: Infinity }), { concurrency: 'is Infinity; must be an integer' }],
    ['createJob', job({ concurrency: 0 }), { concurrency: 'is 0; must be at least 1' }],
    ['createJob', job({ concurrency: 101 }), { concurrency: 'is 101; must be at most 100' }],
    ['createJob', job({ to_numbers: '+1415' }), { to_numbers: 'is "+1415"; must be an array' }],
    ['createJob', job({ to_numbers: [] }), { to_numbers: 'has 0 items; must have at least 1' }],
    [
      'createJob',
      job({ to_numbers: ['+14155550101', '415'] }),
      { 'to_numbers.1': 'is "415"; must be a number in E.164 form, such as +14155550170' },
    ],
    [
      'createJob',
      job({ to_numbers: ['+14155550101', '+14155550102', '+14155550101'] }),
      { to_numbers: 'has the same item at 0 and 2; each must occur once' },
    ],
    [
      'createBrandCampaign',
      { use_case: 'x', phone_numbers: many },
      { phone_numbers: 'has 401 items; must have at most 400' },
    ],
    [
      'sendMessage',
      { to_number: '+12125550147', body: '😀'.repeat(1601) },
      { body: 'has 1601 characters; must have at most 1600' },
    ],
    ['sendMessage', { to_number: '+12125550147', body: ' ' }, { body: 'is " "; must not be blank' }],
    ['createLead', { email: 'x' }, { email: 'is "x"; must be a valid e-mail address' }],
    ['createLead', { metadata: [1] }, { metadata: 'is an array; must be an object' }],
    ['updateAgent', { enabled: { x: 1 } }, { enabled: 'is an object; must be a boolean' }],
  ] as const)('says what was given and what is allowed: %s, case %#', (operation, body, fields) => {
    expect(check(operation, { body, params: { id: 'x', url_token: 'x' } })).toEqual(fields);
  });

  it('leaves the fields open that an operation checks itself', () => {
    expect(check('dialCall', { body: { to_number: '+12125550100', from_number: 5 } })).toBe('passed');
    expect(check('dialCall', { body: { from_number: 5 } })).toEqual({ to_number: 'is required' });
  });

  it('reads numbers in the query in place', () => {
    const query = { page_size: '10' };
    expect(check('listCalls', { query })).toBe('passed');
    expect(query.page_size).toBe(10);
  });

  it('refuses a query parameter that the operation does not take, and says which it takes', () => {
    expect(check('listCalls', { query: { pagesize: '1' } })).toEqual({
      pagesize: 'is not a query parameter of this operation; allowed: cursor, page_size; did you mean page_size?',
    });
  });

  it('wants a body where the contract has one', () => {
    expect(check('verifyCallerId', {})).toEqual({ body: 'is required: a JSON object' });
  });
});
