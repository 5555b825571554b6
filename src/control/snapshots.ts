// Routes of snapshots: saving a world, and restoring it.
import { z } from 'zod';
import { createSnapshot, deleteSnapshot, listSnapshots, readSnapshot, restoreSnapshot } from '../admin/snapshots.ts';
import { paging } from './fields.ts';
import { created, defineRoute, nothing, one, page } from './route.ts';

const parameters = { name: 'The name of the snapshot.' };

export const snapshotRoutes = [
  defineRoute({
    id: 'listSnapshots',
    method: 'get',
    path: '/snapshots',
    summary: 'List the snapshots',
    description: 'Returns those of this world, oldest first.',
    query: z.strictObject(paging),
    answer: page('Snapshot'),
    handle: ({ sandbox, world, query }) => listSnapshots(sandbox, world, query),
  }),
  defineRoute({
    id: 'createSnapshot',
    method: 'post',
    path: '/snapshots',
    summary: 'Keep this world as it stands',
    description: 'Everything in it, journals included. It stays until it is deleted, also over a reset.',
    body: z
      .strictObject({
        name: z
          .string()
          .optional()
          .describe('1 to 64 of letters, digits, `_` and `-`; the first free one of `snapshot-1`, … by default.'),
      })
      .describe('The name of the snapshot.'),
    readsMuch: true,
    answer: created('Snapshot'),
    handle: async ({ sandbox, world, body }) => ({ data: await createSnapshot(sandbox, world, body.name) }),
  }),
  defineRoute({
    id: 'getSnapshot',
    method: 'get',
    path: '/snapshots/:name',
    summary: 'Read a snapshot',
    description: 'Returns the records that the world had beside those of its fixture. Secrets are redacted.',
    parameters,
    errors: ['conflict'],
    readsMuch: true,
    answer: one('SnapshotContent'),
    handle: async ({ sandbox, world, params, organization }) => ({
      data: await readSnapshot(sandbox, world, params.name, { organization }),
    }),
  }),
  defineRoute({
    id: 'restoreSnapshot',
    method: 'post',
    path: '/snapshots/:name/restore',
    summary: 'Bring this world back to a snapshot',
    description:
      'Everything is as it stood, journals and clock included; a real clock shows the time of the machine. Deliveries that were about to be sent never are; what a plan holds, and retries, come as in the snapshot.',
    parameters,
    readsMuch: true,
    answer: one('Snapshot'),
    handle: async ({ sandbox, world, params }) => ({ data: await restoreSnapshot(sandbox, world, params.name) }),
  }),
  defineRoute({
    id: 'deleteSnapshot',
    method: 'delete',
    path: '/snapshots/:name',
    summary: 'Delete a snapshot',
    description: 'The world stays as it is.',
    parameters,
    answer: nothing,
    async handle({ sandbox, world, params }) {
      await deleteSnapshot(sandbox, world, params.name);
      return {};
    },
  }),
];
