// Every field of every body and query, given wrongly: missing, of a wrong type, too long, too short, of a wrong form.
// Each is 400 and names the field (`spec.md` "Errors": `fields`), and nothing is stored. Made from openapi.yaml; the
// tests of the resources hold its limits against the specification's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { type WrongValue, wrongValues } from './support/invalid-values.ts';
import { operations, type Schema } from './support/operations.ts';
import { type RightRequest, rightRequest, send, shownWorld, withField } from './support/valid-request.ts';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
afterAll(() => sandbox.close());

/** The destination of a call has codes of its own (`spec.md` "Invalid request"), before any other check of the body. */
const isDestination = (id: string, name: string): boolean =>
  name === 'to_number' && ['dialCall', 'createCall'].includes(id);

const codeOf = (id: string, name: string, value: unknown): string => {
  if (!isDestination(id, name)) return 'validation_error';
  return value === undefined || value === null || value === '' ? 'destination_missing' : 'destination_invalid';
};

function expectNamed(answer: Answer, id: string, name: string, value: unknown, at = ''): void {
  expectError(answer, 400, codeOf(id, name, value));
  const { fields } = answer.body.error;
  expect(Object.keys(fields), answer.text).toEqual([isDestination(id, name) ? name : name + at]);
  expect(Object.values(fields).filter((text) => schemaSpeak.test(String(text)))).toEqual([]);
  // A pattern is for machines, and a choice of one is none.
  expect(answer.text).not.toMatch(/must match|must be one of ([^,"]+); did you mean \1\?/);
}

/** What the validator says by itself: in the words of JSON Schema, and without what was given. */
const schemaSpeak = /must NOT|must match|must be (string|integer|number|boolean|array|object|equal)|^must|[<>]=|##/;

const withBodies = operations.filter(({ bodySchema }) => bodySchema !== undefined);

describe.each(withBodies.filter(({ bodySchema }) => bodySchema?.properties))('the body of $id', (operation) => {
  const { id, bodySchema: schema = {} } = operation;
  const fields = Object.entries(schema.properties ?? {});
  let request: RightRequest;
  let before: unknown;

  beforeAll(async () => {
    await sandbox.reset();
    request = await rightRequest(operation, client);
    before = await shownWorld(client);
  });
  afterAll(async () => {
    expect(await shownWorld(client)).toEqual(before);
  });

  const sendWith = (body: object): Promise<Answer> => send(client, { ...request, body });

  const required = schema.required ?? [];
  if (required.length > 0) {
    it.each(required)('without %s is 400 that names it', async (name) => {
      const { [name]: _, ...rest } = request.body as Record<string, unknown>;
      expectNamed(await sendWith(rest), id, name, undefined);
    });
  }

  if (required.filter((name) => !isDestination(id, name)).length > 1) {
    it('without any field is 400 that names every one that is required, or the first check of a dial', async () => {
      const answer = await sendWith({});
      expect(answer.status).toBe(400);
      const named = required.some((name) => isDestination(id, name)) ? ['to_number'] : required;
      expect(Object.keys(answer.body.error.fields).sort()).toEqual([...named].sort());
    });
  }

  if (schema.additionalProperties === false) {
    it('with a field that it does not know is 400 that names it', async () => {
      expectNamed(await sendWith({ ...request.body, not_a_field: 1 }), id, 'not_a_field', 1);
    });
  }

  for (const [name, field] of fields) {
    const wrong = wrongValues(field);
    it(`${name}: there are values that it does not take`, () => {
      expect(wrong.length).toBeGreaterThan(3);
    });

    it.each(wrong)(`with ${name} $what is 400 that names it`, async ({ value, at }: WrongValue) => {
      expectNamed(await sendWith(withField(request.body, name, value)), id, name, value, at);
    });
  }
});

describe('a body that the specification does not show as a whole', () => {
  const open = withBodies.filter(({ bodySchema }) => bodySchema?.additionalProperties !== false);

  it.each(open)('takes a field that it does not know ($id)', async (operation) => {
    await sandbox.reset();
    const request = await rightRequest(operation, client);
    const answer = await send(client, { ...request, body: { ...request.body, not_a_field: { a: [1] } } });
    expect(answer.status, answer.text).toBe(operation.success);
  });
});

/** Names that may be blank, by the ledger's blank_texts. */
const mayBeBlank = ['updateAgent name', 'createLead name'];
const names = withBodies.flatMap((operation) =>
  Object.keys(operation.bodySchema?.properties ?? {})
    .filter((name) => /name$|title$|^dba$/.test(name))
    .map((name) => ({ id: operation.id, name, operation })),
);

describe('a name of white space alone', () => {
  it.each(names)('$id $name', async ({ id, name, operation }) => {
    await sandbox.reset();
    const request = await rightRequest(operation, client);
    for (const blank of ['  ', ' \n\t ', '\u00a0\u2003', '\u3000\ufeff']) {
      const answer = await send(client, { ...request, body: withField(request.body, name, blank) });
      if (mayBeBlank.includes(`${id} ${name}`)) {
        expect(answer.status, answer.text).toBe(operation.success);
        continue;
      }
      expectNamed(answer, id, name, blank);
      // Its form says more than that.
      if (id === 'setPhoneNumberCnam') continue;
      expect(answer.body.error.fields[name]).toMatch(/not (be )?blank$/);
      expect(answer.headers['x-sandbox-assumptions']).toContain('blank_texts');
    }
  });
});

describe('an operation without a body', () => {
  const bare = operations.filter(({ method, takesBody }) => method === 'POST' && !takesBody);

  it.each(bare)('ignores what is sent as one, whatever it is ($id)', async (operation) => {
    for (const body of ['{}', '[]', '7', '{', 'x'.repeat(300 * 1024)]) {
      await sandbox.reset();
      const { path } = await rightRequest(operation, client);
      expect((await client.post(path, body)).status, body.slice(0, 9)).toBe(operation.success);
    }
  });
});

describe.each(operations.filter(({ query }) => query.length > 0))('the query of $id', (operation) => {
  it.each(operation.query)('$name: whatever it does not take is 400 that names it', async ({ name, schema }) => {
    const wrong = schema.type === 'integer' ? notIntegers(schema) : notTexts(schema);
    for (const value of wrong) {
      const answer = await client.get(`${operation.template}?${name}=${encodeURIComponent(value)}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields), `${name}=${value}`).toEqual([name]);
    }
    expect(wrong.length).toBeGreaterThan(1);
  });
});

function notIntegers({ minimum, maximum }: Schema): string[] {
  const beyond = [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]].flat();
  return ['', 'ten', '1.5', '1e1', 'null', ...beyond.map(String)];
}

/** Too short, too long, and what is none of a list or of another form. */
function notTexts(schema: Schema): string[] {
  return wrongValues(schema).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}
