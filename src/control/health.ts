// Routes of liveness and readiness, for supervisors and health checks.
import { readHealth, readReadiness } from '../admin/health.ts';
import { defineRoute } from './route.ts';

export const healthRoutes = [
  defineRoute({
    method: 'get',
    path: '/health',
    summary: 'Return 200 as long as the process is alive',
    open: true,
    anyOrigin: true,
    handle: ({ sandbox }) => ({ data: readHealth(sandbox) }),
  }),
  defineRoute({
    method: 'get',
    path: '/ready',
    summary: 'Return 200 while requests are served; 503 before that and while stopping',
    open: true,
    anyOrigin: true,
    handle: ({ sandbox }) => ({ status: sandbox.ready ? 200 : 503, data: readReadiness(sandbox) }),
  }),
];
