// Whether the server lives, and whether it serves.
import type { House } from '../engine/house.ts';
import { route } from './route.ts';

function standing(house: House, status: string) {
  const uptime_seconds = Math.floor((performance.now() - house.startedAt) / 1000);
  return { status, version: house.version, uptime_seconds };
}

export const healthRoutes = [
  route({
    method: 'get',
    path: '/health',
    summary: 'Always 200 while the process lives',
    open: true,
    handle: ({ house }) => ({ data: standing(house, 'ok') }),
  }),
  route({
    method: 'get',
    path: '/ready',
    summary: '200 while requests are served; 503 before and while stopping',
    open: true,
    handle: ({ house }) => ({
      status: house.ready ? 200 : 503,
      data: standing(house, house.ready ? 'ready' : 'not_ready'),
    }),
  }),
];
