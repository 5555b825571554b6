// Every field of every body and query with invalid values: missing, of a wrong type, too long, too short, malformed.
// Each is 400, names the field (`spec.md` "Errors": `fields`), and stores nothing. Made from openapi.yaml; the tests
// of the resources compare its limits with those of the specification.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { type InvalidValue, invalidValues } from '../support/invalid-values.ts';
import { operations, type Schema } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { sample, thorough } from '../support/thorough.ts';
import { send, type ValidRequest, validRequest, withField, worldSnapshot } from '../support/valid-request.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });

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
  expect(Object.values(fields).filter((text) => schemaJargon.test(String(text)))).toEqual([]);
  // The message quotes no pattern, and suggests nothing when only one value is allowed.
  expect(answer.text).not.toMatch(/must match|must be one of ([^,"]+); did you mean \1\?/);
}

/** The raw messages of the validator, in the words of JSON Schema. */
const schemaJargon = /must NOT|must match|must be (string|integer|number|boolean|array|object|equal)|^must|[<>]=|##/;

const withBodies = operations.filter(({ bodySchema }) => bodySchema !== undefined);

describe.each(withBodies.filter(({ bodySchema }) => bodySchema?.properties))('the body of $id', (operation) => {
  const { id, bodySchema: schema = {} } = operation;
  const fields = Object.entries(schema.properties ?? {});
  let request: ValidRequest;
  let before: unknown;

  beforeAll(async () => {
    await sandbox.reset();
    request = await validRequest(operation, client);
    before = await worldSnapshot(client);
  });
  afterAll(async () => {
    expect(await worldSnapshot(client)).toEqual(before);
  });

  const sendWith = (body: object): Promise<Answer> => send(client, { ...request, body });

  const required = schema.required ?? [];
  if (required.length > 0) {
    it.each(required)('without %s is 400, naming it', async (name) => {
      const { [name]: _, ...rest } = request.body as Record<string, unknown>;
      expectNamed(await sendWith(rest), id, name, undefined);
    });
  }

  if (required.filter((name) => !isDestination(id, name)).length > 1) {
    it('without any field is 400, naming every required one, or the first check of a dial', async () => {
      const answer = await sendWith({});
      expect(answer.status).toBe(400);
      const named = required.some((name) => isDestination(id, name)) ? ['to_number'] : required;
      expect(Object.keys(answer.body.error.fields).sort()).toEqual([...named].sort());
    });
  }

  if (schema.additionalProperties === false) {
    it('with an unknown field is 400, naming it', async () => {
      expectNamed(await sendWith({ ...request.body, not_a_field: 1 }), id, 'not_a_field', 1);
    });
  }

  it('has invalid values of every field', () => {
    expect(fields.filter(([, field]) => invalidValues(field).length <= 3)).toEqual([]);
  });

  for (const [index, [name, field]] of fields.entries()) {
    const invalid = invalidValues(field);
    // `npm test` tries an eighth of the values, so that any eight fields of a body have each kind of value.
    const tried = invalid.filter((_, at) => thorough || (at + index) % 8 === 0);
    it.each(tried)(`with ${name} $what is 400, naming it`, async ({ value, at }: InvalidValue) => {
      expectNamed(await sendWith(withField(request.body, name, value)), id, name, value, at);
    });
  }
});

describe('a body that the specification does not show completely', () => {
  const open = withBodies.filter(({ bodySchema }) => bodySchema?.additionalProperties !== false);

  it.each(sample(open, ({ template }) => template.split('/')[2]))(
    'accepts an unknown field ($id)',
    async (operation) => {
      await sandbox.reset();
      const request = await validRequest(operation, client);
      const answer = await send(client, { ...request, body: { ...request.body, not_a_field: { a: [1] } } });
      expect(answer.status, answer.text).toBe(operation.success);
    },
  );
});

/** Names that may be blank, by the ledger's blank_texts. */
const mayBeBlank = ['updateAgent name', 'createLead name'];
const names = withBodies.flatMap((operation) =>
  Object.keys(operation.bodySchema?.properties ?? {})
    .filter((name) => /name$|title$|^dba$/.test(name))
    .map((name) => ({ id: operation.id, name, operation })),
);

describe('a name of whitespace only', () => {
  it.each(sample(names, ({ operation }) => operation.template))('$id $name', async ({ id, name, operation }) => {
    await sandbox.reset();
    const request = await validRequest(operation, client);
    for (const blank of ['  ', ' \n\t ', '\u00a0\u2003', '\u3000\ufeff']) {
      const answer = await send(client, { ...request, body: withField(request.body, name, blank) });
      if (mayBeBlank.includes(`${id} ${name}`)) {
        expect(answer.status, answer.text).toBe(operation.success);
        continue;
      }
      expectNamed(answer, id, name, blank);
      // Its pattern has a message of its own.
      if (id === 'setPhoneNumberCnam') continue;
      expect(answer.body.error.fields[name]).toMatch(/not (be )?blank$/);
      expect(answer.headers['x-sandbox-assumptions']).toContain('blank_texts');
    }
  });
});

describe('an operation without a body', () => {
  const bare = operations.filter(({ method, takesBody }) => method === 'POST' && !takesBody);

  it.each(sample(bare))('ignores any body that is sent ($id)', async (operation) => {
    for (const body of ['{}', '[]', '7', '{', 'x'.repeat(300 * 1024)]) {
      await sandbox.reset();
      const { path } = await validRequest(operation, client);
      expect((await client.post(path, body)).status, body.slice(0, 9)).toBe(operation.success);
    }
  });
});

describe.each(
  sample(
    operations.filter(({ query }) => query.length > 0),
    ({ query }) => query.map(({ name }) => name).join(),
  ),
)('the query of $id', (operation) => {
  it.each(operation.query)('with an invalid $name is 400, naming it', async ({ name, schema }) => {
    const invalid = schema.type === 'integer' ? invalidIntegers(schema) : invalidStrings(schema);
    for (const value of invalid) {
      const answer = await client.get(`${operation.template}?${name}=${encodeURIComponent(value)}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields), `${name}=${value}`).toEqual([name]);
    }
    expect(invalid.length).toBeGreaterThan(1);
  });
});

function invalidIntegers({ minimum, maximum }: Schema): string[] {
  const beyond = [minimum === undefined ? [] : [minimum - 1], maximum === undefined ? [] : [maximum + 1]].flat();
  return ['', 'ten', '1.5', '1e1', 'null', ...beyond.map(String)];
}

/** Strings that are too short, too long, not in the enum or malformed. */
function invalidStrings(schema: Schema): string[] {
  return invalidValues(schema).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}
