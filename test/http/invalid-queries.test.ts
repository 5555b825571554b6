// Queries of the platform that are not valid: 400, naming the parameter (`spec.md` "Errors"; the assumption
// unknown_body_fields).
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { keyedOperations } from '../support/operations.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { expectRefusal, named, useUnchangedPlatform } from './setup.ts';

const { client, wire } = useUnchangedPlatform({ rateLimit: 'off' });

describe('a query', () => {
  it.each([
    'page_size=0',
    'page_size=101',
    'page_size=-1',
    'page_size=1.5',
    'page_size=ten',
    'page_size=1e9',
    'page_size=',
    'page_size',
    'page_size=%',
    'page_size=null',
    'page_size=1&page_size=2',
    'page_size=NaN',
    'page_size=Infinity',
  ])('?%s is 400 about page_size', async (query) => {
    for (const path of ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers']) {
      expectRefusal(await wire.send({ path: `${path}?${query}` }), 400, 'validation_error', 'page_size');
    }
  });

  it.each(
    named([
      'cursor=',
      'cursor=nonsense',
      'cursor=%zz',
      'cursor=%ff%fe',
      'cursor=%00',
      'cursor=a&cursor=b',
      `cursor=${'x'.repeat(5000)}`,
      'cursor=__proto__',
    ]),
  )('?%s is 400 about cursor', async (_, query) => {
    expectRefusal(await wire.send({ path: `/v1/calls?${query}` }), 400, 'validation_error', 'cursor');
  });

  it('with the cursor of another list is 400 about cursor', async () => {
    const { cursor } = (await client.get('/v1/calls?page_size=1')).body.meta;
    expect(cursor).toEqual(expect.any(String));
    expectRefusal(await wire.send({ path: `/v1/agents?cursor=${cursor}` }), 400, 'validation_error', 'cursor');
  });

  it.each([
    ['limit=1', 'limit'],
    ['PAGE_SIZE=1', 'PAGE_SIZE'],
    ['page_size[]=1', 'page_size[]'],
    ['%zz=1', '%zz'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString', 'toString'],
  ])('?%s is 400, naming it', async (query, name) => {
    const answer = await wire.send({ path: `/v1/calls?${query}` });
    expectError(answer, 400, 'validation_error');
    expect(answer.text).toContain(`"fields":{"${name}":`);
  });

  it('with an unknown parameter after a thousand others is 400, naming it', async () => {
    for (const path of ['/v1/calls', '/_sandbox/clock']) {
      const answer = await wire.send({ path: `${path}?${'&'.repeat(1001)}nope=1` });
      expectRefusal(answer, 400, 'validation_error', 'nope');
    }
  });

  it('with a misspelled parameter is 400, suggesting the right one', async () => {
    const answer = await wire.send({ path: '/v1/calls?page_siz=10' });
    expectRefusal(answer, 400, 'validation_error', 'page_siz');
    expect(answer.body.error.fields.page_siz).toMatch(/mean "?page_size\b/);
  });

  it.each(keyedOperations)('with an unknown parameter is 400 on $id', async ({ method, path, example }) => {
    const body = example && JSON.stringify(example);
    const answer = await wire.send({ method, path: `${path}?verbose=1`, headers: JSON_TYPE, body });
    expectRefusal(answer, 400, 'validation_error', 'verbose');
  });
});
