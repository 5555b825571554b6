// Routes of the calling rules of a world, in the form of a fixture's `calling_rules`.
import { readCallingRules, setCallingRules } from '../admin/calling-rules.ts';
import { callingRulesAsGiven } from '../fixtures/file/organization.ts';
import { defineRoute, one } from './route.ts';

export const callingRuleRoutes = [
  defineRoute({
    id: 'getCallingRules',
    method: 'get',
    path: '/calling-rules',
    summary: 'Read the calling rules',
    description: 'Returns whom this world may call, and when.',
    answer: one('CallingRules'),
    handle: async ({ sandbox, world }) => ({ data: await readCallingRules(sandbox, world) }),
  }),
  defineRoute({
    id: 'setCallingRules',
    method: 'put',
    path: '/calling-rules',
    summary: 'Replace the calling rules',
    description:
      'They hold until a reset; what is left out forbids nothing, so that `{}` removes them all. A repeated entry counts once.',
    needsBody: true,
    body: callingRulesAsGiven.describe('Whom this world may call, and when; every key is optional.'),
    answer: one('CallingRules'),
    handle: async ({ sandbox, world, body }) => ({ data: await setCallingRules(sandbox, world, body) }),
  }),
];
