// Worlds and their keys: `interface.md` section 2.
import { z } from 'zod';
import { assumptionValues } from '../assumptions/values.ts';
import { formatClockSetting, timestamp } from '../clock/clock.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import {
  allScopes,
  DEMO_REQUESTS_PER_MINUTE,
  defaultScopes,
  hashOfKey,
  keyId,
  REQUESTS_PER_MINUTE,
  testKeyOf,
  worldName,
  worldNameForm,
} from '../identity/api-keys.ts';
import { token } from '../identity/seeded.ts';
import type { Row } from '../model.ts';
import { WORLD_SIGNING_SECRET } from '../operations/webhook-subscriptions.ts';
import { clockSettingField } from './clock.ts';
import { pageOfEntries, paging, route } from './route.ts';

const worldNameField = z.string().regex(worldName, { error: `must be ${worldNameForm}` });

function serializeKey(key: Row<'keys'>) {
  const { hash: _, private: hidden, ...shown } = key;
  return { ...shown, organization_id: hidden.organization_id };
}

export const worldRoutes = [
  route({
    method: 'get',
    path: '/worlds',
    summary: 'The worlds of this server',
    query: z.strictObject(paging),
    async handle({ sandbox, query }) {
      const worlds = await sandbox.store.worlds();
      const { page, meta } = pageOfEntries(
        worlds.map((world) => ({ id: world.name, ...world })),
        query,
      );
      const data = [];
      for (const { name, organization_id, origin, fixture } of page) {
        const clock = await sandbox.store.transaction(name, (tx) => tx.state('clock'));
        data.push({ name, organization_id, origin, fixture, clock: formatClockSetting(clock) });
      }
      return { data, meta };
    },
  }),
  route({
    method: 'post',
    path: '/worlds',
    summary: 'Make a world that stays until it is deleted',
    body: z.strictObject({
      name: worldNameField.optional(),
      fixtures: z.string().default(DEFAULT_FIXTURE),
      clock: clockSettingField.optional(),
      assumptions: assumptionValues.default({}),
    }),
    async handle({ sandbox, body }) {
      const name = body.name ?? (await freeName(async (each) => (await sandbox.store.world(each)) === undefined));
      await sandbox.worlds.createPosted(name, body.fixtures, body.clock ?? sandbox.settings.clock, body.assumptions);
      const { organization_id } = (await sandbox.store.world(name)) as { organization_id: string };
      const data = { name, organization_id, api_key: testKeyOf(name), signing_secret: WORLD_SIGNING_SECRET };
      return { status: 201, data };
    },
  }),
  route({
    method: 'delete',
    path: '/worlds/:name',
    summary: 'Delete a world and everything in it',
    async handle({ sandbox, params: { name = '' } }) {
      if (!(await sandbox.worlds.delete(name)))
        throw new ApiError('not_found', { message: `There is no world "${name}".` });
      return { status: 204 };
    },
  }),
  route({
    method: 'post',
    path: '/reset',
    summary: 'Put this world back to its fixture',
    async handle({ sandbox, world }) {
      await sandbox.worlds.reset(world);
      return { status: 204 };
    },
  }),
];

/** `world-1`, `world-2`, …: the first that is free. */
async function freeName(isFree: (name: string) => Promise<boolean>): Promise<string> {
  let number = 1;
  while (!(await isFree(`world-${number}`))) number += 1;
  return `world-${number}`;
}

export const keyRoutes = [
  route({
    method: 'get',
    path: '/keys',
    summary: "This world's keys, without their plaintext",
    query: z.strictObject(paging),
    handle: ({ sandbox, world, query }) =>
      sandbox.store.transaction(world, (tx) => {
        const keys = tx.page('keys', 'all', 'all', { newestFirst: true });
        const { page, meta } = pageOfEntries(keys, query);
        return { data: page.map(serializeKey), meta };
      }),
  }),
  route({
    method: 'post',
    path: '/keys',
    summary: 'Make a key; its plaintext is in this answer and nowhere else',
    body: z.strictObject({
      scopes: z.array(z.enum(allScopes() as [string, ...string[]])).optional(),
      is_demo: z.boolean().default(false),
      requests_per_minute: z.number().int().min(1).max(1_000_000).optional(),
      organization_id: z.uuid({ error: 'must be the id of an organization, a UUID' }).optional(),
    }),
    handle: ({ sandbox, world, body }) =>
      transact(sandbox, world, null, (tx) => {
        const organization_id = body.organization_id ?? tx.world.organization_id;
        if (!tx.get('organizations', organization_id)) {
          throw new ApiError('not_found', {
            message: `There is no organization "${organization_id}" in this world.`,
            fields: { organization_id: 'names neither the organization of this world nor one of its sub-entities' },
          });
        }
        // Counted, since ordinals begin anew with a reset and keys do not.
        const ordinal = tx.count('keys', 'all', 'all') + 1;
        const api_key = `svc_key_${token(40, tx.world.seed, tx.world.name, 'keys', ordinal)}`;
        const hash = hashOfKey(api_key);
        const { is_demo } = body;
        const key: Row<'keys'> = {
          id: keyId(hash),
          hash,
          scopes: (body.scopes ?? defaultScopes()) as Row<'keys'>['scopes'],
          is_demo,
          requests_per_minute: body.requests_per_minute ?? (is_demo ? DEMO_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE),
          revoked: false,
          created_at: timestamp(tx.at),
          private: { organization_id, rank: ordinal },
        };
        tx.put('keys', key);
        return { status: 201, data: { id: key.id, api_key, scopes: key.scopes } };
      }),
  }),
  route({
    method: 'delete',
    path: '/keys/:id',
    summary: 'Revoke a key',
    handle: ({ sandbox, world, params: { id = '' } }) =>
      sandbox.store.transaction(world, (tx) => {
        const key = tx.get('keys', id);
        if (!key) throw notFound('key', id);
        tx.put('keys', { ...key, revoked: true });
        return { status: 204 };
      }),
  }),
];
