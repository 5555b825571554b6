// Whether the server lives, and whether it serves.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { route } from './route.ts';

function standing(sandbox: SandboxContext, status: string) {
  const uptime_seconds = Math.floor((performance.now() - sandbox.startedAt) / 1000);
  return { status, version: sandbox.version, uptime_seconds };
}

export const healthRoutes = [
  route({
    method: 'get',
    path: '/health',
    summary: 'Always 200 while the process lives',
    open: true,
    handle: ({ sandbox }) => ({ data: standing(sandbox, 'ok') }),
  }),
  route({
    method: 'get',
    path: '/ready',
    summary: '200 while requests are served; 503 before and while stopping',
    open: true,
    handle: ({ sandbox }) => ({
      status: sandbox.ready ? 200 : 503,
      data: standing(sandbox, sandbox.ready ? 'ready' : 'not_ready'),
    }),
  }),
];
