// The contract as OpenAPI 3.0, for tools that do not read 3.1: derived from openapi.yaml, and valid by the linter.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/document.ts';
import { deriveOpenapi30 } from '../../src/contract/openapi-3.0.ts';
import { eventTypes } from '../../src/events/catalogue.ts';
import { temporaryFolders } from '../support/folders.ts';
import { lintProblems } from '../support/linter.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const folderOf = temporaryFolders();

// biome-ignore lint/suspicious/noExplicitAny: the tests read what they expect of a document.
type Document = any;
const text = deriveOpenapi30(loadContract().text);
const document: Document = parse(text);
const whole: Document = loadContract().document;
const { schemas } = document.components;

describe('/openapi-3.0.yaml', () => {
  it('is served without a key', async () => {
    const answer = await fetch(`${sandbox.url}/openapi-3.0.yaml`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8']);
    expect(await answer.text()).toBe(text);
  });

  it.runIf(thorough)('is valid OpenAPI 3.0.3 by the linter, with its examples, under the rules of the contract', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(lintProblems(folderOf({ 'openapi.yaml': text }), ['openapi.yaml'])).toBeUndefined();
  });

  it('has the operations and schemas of the contract', () => {
    const ids = ({ paths }: Document): unknown[] =>
      Object.values<Document>(paths).flatMap((item) => Object.values<Document>(item).map((each) => each.operationId));
    expect(ids(document)).toEqual(ids(whole));
    expect(Object.keys(schemas)).toEqual(Object.keys(whole.components.schemas));
  });

  it('has the webhooks as callbacks, and no scopes in security', () => {
    const { callbacks } = document.paths['/api/v1/webhook_subscriptions'].post;
    const own = whole.paths['/api/v1/webhook_subscriptions'].post.callbacks ?? {};
    expect(Object.keys(callbacks).sort()).toEqual([...eventTypes, ...Object.keys(own)].sort());
    expect(document).not.toHaveProperty('webhooks');
    expect(document.paths['/v1/calls/dial'].post.security).toEqual([{ apiKey: [] }]);
  });

  it.runIf(thorough)(
    'has no dates for readers of YAML 1.1, which make them of bare timestamps; nor has openapi.yaml',
    () => {
      const datesIn = (node: unknown): unknown[] => {
        if (node instanceof Date) return [node];
        return typeof node === 'object' && node !== null ? Object.values(node).flatMap(datesIn) : [];
      };
      for (const each of [text, loadContract().text]) expect(datesIn(parse(each, { version: '1.1' }))).toEqual([]);
    },
  );

  it('says what may be null by nullable, next to a type', () => {
    expect(schemas.Call.properties.ended_at).toMatchObject({ type: 'string', nullable: true, format: 'date-time' });
    expect(schemas.Call.properties.failure_code).toMatchObject({
      type: 'string',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/FailureCode' }],
    });
    expect(text).not.toMatch(/type: "null"|type: \[|- "null"/);
  });

  it('allows null in the schemas that such a reference names, and refers to them from nowhere else', () => {
    expect(schemas.FailureCode).toMatchObject({ nullable: true, enum: expect.arrayContaining(['busy', null]) });
    expect(schemas.AgentPhoneNumber).toMatchObject({ type: 'object', nullable: true });
    const strays: string[] = [];
    const walk = (node: Document, where: string, mayBeNull: boolean): void => {
      if (typeof node !== 'object' || node === null) return;
      const target = schemas[String(node.$ref).split('/').pop() ?? ''];
      if (target?.nullable && !mayBeNull) strays.push(where);
      for (const [key, value] of Object.entries(node)) {
        walk(value, `${where}/${key}`, node.nullable === true || (mayBeNull && Array.isArray(node)));
      }
    };
    walk(document, '', false);
    expect(strays).toEqual([]);
  });
});
