// What the Coverage page says of the dashboard's own requests.
import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { useDashboard } from './setup.ts';

const dashboard = useDashboard();

it('counts nothing of pages that are only looked at, but the agents that Talk lists', async () => {
  for (const name of ['calls', 'messages', 'requests', 'deliveries', 'scenarios', 'faults', 'keys', 'coverage']) {
    const page = await dashboard.open(name);
    await page.waitForLoadState('networkidle');
    await page.context().close();
  }
  expect((await dashboard.sandbox.coverage()).requests).toBe(0);
  await dashboard.open('talk');
  await until(async () => (await dashboard.sandbox.coverage()).requests > 0);
  const { requests, operations } = await dashboard.sandbox.coverage();
  expect(requests).toBe(1);
  expect(operations.counts).toEqual({ listAgents: 1 });
});
