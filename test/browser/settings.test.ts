// What goes wrong in a world, what was met, what is assumed, worlds and keys: the pages of the dashboard that set things.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { hindrances, useDashboard } from './setup.ts';

describe('the settings of the dashboard', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;
  const api = () => clientOf(sandbox.url);

  it('add a fault, count what it did, and remove it', async () => {
    const page = await dashboard.open('faults');
    await page.getByText('Nothing goes wrong').waitFor();
    const form = page.getByRole('form', { name: 'New fault' });
    await form.getByLabel('Operation').fill('getMe');
    await form.getByLabel('Times').fill('x');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Times is “x”; it must be a number').waitFor();
    await form.getByLabel('Times').fill('1');
    await form.getByRole('button', { name: 'Add' }).click();
    const faults = page.getByRole('region', { name: 'Faults' });
    await faults.getByText('Happened to 0 requests of 0').waitFor();
    expect((await api().get('/v1/me')).status).toBe(500);
    await faults.getByText('Happened to 1 request of 1').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await faults.getByRole('button', { name: 'Remove internal_error' }).click();
    await page.getByText('Nothing goes wrong').waitFor();
  });

  it('set, pause and remove the plan of the world, and that of a subscription', async () => {
    await sandbox.subscribe(`${sandbox.url}/_sandbox/inbox/plans?world=default`, ['call_failed']);
    const page = await dashboard.open('faults');
    const plan = page.getByRole('form', { name: 'Plan of The world' });
    await plan.getByLabel('Drop').fill('0.5');
    await plan.getByRole('button', { name: 'Set' }).click();
    await page.getByText('The plan of the world is set').waitFor();
    await plan.getByRole('button', { name: 'Pause' }).click();
    await plan.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await api().get('/_sandbox/webhook-plan')).body.data).toEqual({ drop: 0.5, paused: true });
    await plan.getByRole('button', { name: 'Remove' }).click();
    await plan.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await api().get('/_sandbox/webhook-plan')).body.data).toEqual({});
    const summary = page.locator('summary', { hasText: '/_sandbox/inbox/plans' });
    await summary.click();
    const own = page.getByRole('form', { name: /Plan of call_failed/ });
    await own.getByLabel('Retries').selectOption('short');
    await own.getByRole('button', { name: 'Set' }).click();
    await summary.getByText('Retries short').waitFor();
    await own.getByLabel('Retries').selectOption('My own');
    await own.getByRole('button', { name: 'Set' }).click();
    await page.getByText('Waits must have the wait').waitFor();
    await own.getByLabel('Waits').fill('5s, 1m');
    await own.getByLabel('Time to answer').fill('2s');
    await own.getByRole('button', { name: 'Set' }).click();
    await summary.getByText('["5s","1m"]').waitFor();
    const [{ plan: set }] = (await api().get('/_sandbox/webhook-subscriptions')).body.data;
    expect(set).toEqual({ retries: ['5s', '1m'], timeout: { answer: '2s' } });
    expect(await hindrances(page)).toEqual([]);
  });

  it('set an assumption, beside the words that it stands in for', async () => {
    const page = await dashboard.open('assumptions');
    await page.getByLabel('Filter the assumptions').fill('event_order');
    const card = page.locator('.card').first();
    await card.locator('.words').waitFor();
    await card.getByLabel('Value of event_order').selectOption('disposition_first');
    await page.getByText('event_order is disposition_first in this world').waitFor();
    await card.getByText('Usually').waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  it('show what was met, and count it as it happens', async () => {
    const page = await dashboard.open('coverage');
    const operations = page.getByRole('region', { name: 'Operations' });
    await operations.waitFor();
    await api().get('/v1/agents');
    await operations.getByText(/met$/).first().click();
    await operations.getByText('listAgents').first().waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  it('make and delete a world, and make and revoke a key', async () => {
    const page = await dashboard.open('worlds');
    await page.getByRole('textbox', { name: 'New world' }).fill('stage');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('svc_test_stage').waitFor();
    await page.getByRole('button', { name: 'Delete stage' }).click();
    await page.getByText('Deleted the world stage').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.made code').textContent()) ?? '';
    expect((await clientOf(sandbox.url, key).get('/v1/me')).status).toBe(200);
    expect(await hindrances(page)).toEqual([]);
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await page.getByText('Revoked: requests with it are 401').waitFor();
  });
});
