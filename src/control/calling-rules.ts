// Routes of the calling rules of a world, in the form of a fixture's `calling_rules`.
import { readCallingRules, setCallingRules } from '../admin/calling-rules.ts';
import { callingRules } from '../fixtures/file/organization.ts';
import { defineRoute } from './route.ts';

export const callingRuleRoutes = [
  defineRoute({
    method: 'get',
    path: '/calling-rules',
    summary: 'Read whom this world may call, and when',
    handle: async ({ sandbox, world }) => ({ data: await readCallingRules(sandbox, world) }),
  }),
  defineRoute({
    method: 'put',
    path: '/calling-rules',
    summary: 'Replace the calling rules until a reset; what is left out forbids nothing',
    body: callingRules,
    handle: async ({ sandbox, world, body }) => ({ data: await setCallingRules(sandbox, world, body) }),
  }),
];
