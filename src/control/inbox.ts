// Routes of the inbox, a webhook receiver of the server itself: `interface.md` section 5.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { listInboxMessages, readInboxDelay, receiveInInbox, scriptInbox } from '../admin/inbox.ts';
import { invalidField } from '../errors/api-error.ts';
import { readWorldName, worldNameForm, worldNamePattern } from '../identity/test-keys.ts';
import { paging, parsedField } from './fields.ts';
import { defineRoute, journal, one } from './route.ts';

const name = 'The name of the inbox, 1 to 64 of letters, digits, `_` and `-`; every name is one.';
const worldName = parsedField(worldNameForm, readWorldName, { pattern: worldNamePattern }).optional();
const status = z
  .int({ error: 'must be a status from 200 to 599' })
  .min(200, { error: 'must be a status from 200 to 599' })
  .max(599, { error: 'must be a status from 200 to 599' });
const delay = parsedField('a duration such as 250ms or 2s, at most 60s', readInboxDelay, {
  pattern: '^\\d+(\\.\\d+)?(ms|s|m)$',
});

/** A URL of an inbox names the world; where credentials do, it may only name the same. */
const sameWorld = { world: worldName.describe('The world of the credentials; may be left out.') };

function checkWorld(given: string | undefined, world: string): void {
  if (given === undefined || given === world) return;
  throw invalidField('world', `names another world than the credentials of this request, which are those of ${world}`);
}

export const inboxRoutes = [
  defineRoute({
    id: 'scriptInbox',
    method: 'put',
    path: '/inbox/:name',
    summary: 'Set what an inbox answers',
    description:
      'One status stays; a list is used up in order, and then it is 200 again. Replaces what was set before. This is the one method that an inbox does not receive.',
    parameters: { name },
    query: z.strictObject(sameWorld),
    body: z
      .strictObject({
        respond: z
          .union([status, z.array(status).min(1).max(1000)])
          .optional()
          .describe('A status such as 503, or a list of them; 200 by default.'),
        delay: delay.optional().describe('How long each answer takes, in real time, at most `60s`; none by default.'),
      })
      .describe('The answers of the inbox.'),
    answer: one('InboxAnswers'),
    async handle({ sandbox, world, params, query, body }) {
      checkWorld(query.world, world);
      return { data: await scriptInbox(sandbox, world, params.name, body) };
    },
  }),
  defineRoute({
    id: 'listInboxMessages',
    method: 'get',
    path: '/inbox/:name/messages',
    summary: 'List what an inbox has received',
    description:
      'Returns every message that the journal keeps, newest first; with the key of a sub-entity, the webhooks about that child. `dropped` counts those of all inboxes.',
    parameters: { name },
    query: z.strictObject({ ...paging, ...sameWorld }),
    answer: journal('InboxMessage'),
    handle({ sandbox, world, organization, params, query: { world: given, ...page } }) {
      checkWorld(given, world);
      return listInboxMessages(sandbox, world, params.name, { ...page, organization });
    },
  }),
  defineRoute({
    id: 'receiveInInbox',
    method: 'post',
    path: '/inbox/:name',
    summary: 'Receive a webhook',
    description:
      'Records the request, whatever its method (PUT aside), body and Authorization, and answers 200 unless the inbox has other answers. Needs no key. Subscribe this URL: it is the only one of the server that webhooks reach.',
    open: true,
    anyOrigin: true,
    anyMethod: true,
    worldInQuery: true,
    parameters: { name },
    query: z.looseObject({ world: worldName.describe('The world that receives it, `default` by default.') }),
    errors: ['payload_too_large'],
    answer: one('ReceivedAtInbox'),
    async handle({ sandbox, world, params, arrived, signal }) {
      const { data, status, delayMs } = await receiveInInbox(sandbox, world, params.name, await arrived());
      if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
      return { status, data };
    },
  }),
];
