// Routes of liveness, memory and readiness, for supervisors and health checks.
import { readHealth, readReadiness } from '../admin/health.ts';
import { defineRoute, one } from './route.ts';

export const healthRoutes = [
  defineRoute({
    id: 'getHealth',
    method: 'get',
    path: '/health',
    summary: 'Ask whether the server is alive',
    description: 'Answers 200 as long as the process is alive, and shows what is used of its memory budget.',
    open: true,
    anyOrigin: true,
    answer: one('Health'),
    handle: ({ sandbox }) => ({ data: readHealth(sandbox) }),
  }),
  defineRoute({
    id: 'getReadiness',
    method: 'get',
    path: '/ready',
    summary: 'Ask whether the server is ready',
    description:
      'Answers 200 while requests are served, and 503 before that, while stopping, and while the store cannot be used.',
    open: true,
    anyOrigin: true,
    answer: one('Readiness', [200, 503]),
    handle: ({ sandbox }) => {
      const data = readReadiness(sandbox);
      return { status: data.status === 'ready' ? 200 : 503, data };
    },
  }),
];
