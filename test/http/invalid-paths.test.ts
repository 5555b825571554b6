// Paths that lead to no endpoint or record: 404 in the envelope, and nothing is stored (`spec.md` "Errors").
import { describe, it } from 'vitest';
import { NOWHERE } from '../support/client.ts';
import { operations } from '../support/operations.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { expectRefusal, named, RESERVED, useUnchangedPlatform } from './setup.ts';

const { wire } = useUnchangedPlatform({ rateLimit: 'off' });

describe('a path', () => {
  const invalid = [
    '%',
    '%zz',
    '%z',
    '%ff',
    '%00',
    '%F0%9F',
    '%c0%ae',
    '%2e%2e%2fagents',
    '..',
    ';',
    '%2F',
    'a'.repeat(5000),
  ];

  it.each(named(invalid))('with the id %s is 404', async (_, id) => {
    for (const path of [`/v1/calls/${id}`, `/v1/agents/${id}`, `/v1/calls/${id}/transcript`]) {
      expectRefusal(await wire.send({ path }), 404, 'not_found');
    }
  });

  it.each(named(invalid))('with the segment %s is 404', async (_, segment) => {
    expectRefusal(await wire.send({ path: `/v1/${segment}` }), 404, 'not_found');
  });

  it.each([
    '/v1/',
    '/v1//account',
    '//v1/account',
    '/v1/account/',
    '/V1/account',
    '/v1/Account',
    '/v1/%61ccount',
    '/v1/./account',
    '/v1/x/../account',
    '/v1/account;x',
    '/v1/account%20',
    '/v1/account%3F',
    '/api/v1/account',
    '/v1/webhook_subscriptions',
    '/v2/account',
  ])('%s, which resembles an endpoint, is 404', async (path) => {
    expectRefusal(await wire.send({ path }), 404, 'not_found');
  });

  it.each(['/v1/workflows', `/v1/workflows/${NOWHERE}/enroll`, '/v1/workflow_contacts'])(
    '%s, which is retired, is 404',
    async (path) => {
      expectRefusal(await wire.send({ path }), 404, 'not_found');
      expectRefusal(await wire.send({ method: 'POST', path, headers: JSON_TYPE, body: '{}' }), 404, 'not_found');
    },
  );

  const withIds = operations.filter(({ template }) => template.includes('{'));
  it.each(withIds)('of $id with a reserved or unknown id is 404', async ({ method, template, example = {} }) => {
    const body = JSON.stringify(example);
    for (const id of [...RESERVED, 'null', 'undefined', NOWHERE]) {
      const path = template.replace(/\{\w+\}/, id);
      expectRefusal(await wire.send({ method, path, headers: JSON_TYPE, body }), 404, 'not_found');
    }
  });
});
