// The route of coverage: `interface.md` section 5.
import { z } from 'zod';
import { coverageAsJunit } from '../admin/coverage/as-junit.ts';
import { coverageAsText } from '../admin/coverage/as-text.ts';
import { readCoverage } from '../admin/coverage/read-coverage.ts';
import { globForm, MAX_GLOB_LENGTH } from '../glob.ts';
import { fromDigits } from './fields.ts';
import { defineRoute, oneOf } from './route.ts';

const TEXT = 'text/plain; charset=utf-8';
const XML = 'application/xml';

const percentage = 'must be a percentage from 0 to 100';

export const coverageRoutes = [
  defineRoute({
    id: 'getCoverage',
    method: 'get',
    path: '/coverage',
    summary: 'Read what the tests have met, and what not',
    description:
      'Counts platform requests and deliveries since the world was made first, whatever was reset or deleted since. Control requests do not count.',
    query: z.strictObject({
      worlds: z
        .string()
        .min(1)
        .max(MAX_GLOB_LENGTH)
        .optional()
        .describe(`Which worlds are added up, including deleted ones: ${globForm}. This world unless given.`),
      min: fromDigits(z.int({ error: percentage }).min(0, percentage).max(100, percentage))
        .optional()
        .describe('The percentage that each part is to reach which `minimum.judged` lists.'),
      format: z.enum(['json', 'text', 'junit']).default('json').describe('JSON, text for people, or XML for CI.'),
    }),
    errors: ['forbidden'],
    answer: oneOf('Coverage', [TEXT, XML]),
    async handle({ sandbox, query: { format, ...query }, ...requester }) {
      const data = await readCoverage(sandbox, requester, query);
      if (format === 'text') return { raw: { type: TEXT, content: coverageAsText(data) } };
      if (format === 'junit') return { raw: { type: XML, content: coverageAsJunit(data) } };
      return { data };
    },
  }),
];
