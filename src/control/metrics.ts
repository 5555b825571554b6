// The route of metrics, for Prometheus and other readers of its format.
import { readMetrics } from '../admin/metrics.ts';
import { bytes, defineRoute } from './route.ts';

export const metricsRoutes = [
  defineRoute({
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Read the metrics',
    description:
      'Returns what the server has counted over all its worlds, as Prometheus text. With a control token, it takes that alone.',
    aboutServer: true,
    errors: ['forbidden'],
    answer: bytes('text/plain'),
    async handle({ sandbox, authority }) {
      const content = await readMetrics(sandbox, { authority });
      return { raw: { type: 'text/plain; version=0.0.4; charset=utf-8', content } };
    },
  }),
];
