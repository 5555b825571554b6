// Calls and texts that a person at the dashboard places, takes, declines or simulates.
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { hindrances, useDashboard } from './setup.ts';

describe('a phone that rings on the screen', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;
  afterEach(() => sandbox.reset());

  async function ringing() {
    await sandbox.play('call', 'rings_on_screen');
    const id = await clientOf(sandbox.url).call('+13125550199');
    await sandbox.clock.advance('1s');
    return id;
  }
  const statusOf = async (id: string) => (await clientOf(sandbox.url).readCall(id)).status;

  it('is answered, and hung up from the page of its call', async () => {
    const page = await dashboard.open('calls');
    const id = await ringing();
    const phone = page.getByRole('region', { name: 'Phone of +1 312 555 0199' });
    await phone.getByRole('link').click();
    expect(await hindrances(page)).toEqual([]);
    await phone.getByRole('button', { name: 'Answer' }).click();
    await phone.waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('IN_PROGRESS');
    await page.locator('.record-actions .choice-hang_up').click();
    await page.locator('.record-actions').getByText('Completed').waitFor();
  });

  it('is declined, or left to ring until nobody has answered', async () => {
    const page = await dashboard.open('calls');
    const declined = await ringing();
    const phone = page.getByRole('region', { name: 'Phone of' });
    await phone.getByRole('button', { name: 'Decline' }).click();
    await phone.waitFor({ state: 'detached' });
    expect(await statusOf(declined)).toBe('FAILED');
    const left = await ringing();
    await phone.getByRole('button', { name: 'Let it ring' }).click();
    await phone.waitFor({ state: 'detached' });
    await sandbox.clock.advance('30s');
    expect(await statusOf(left)).toBe('NO_ANSWER');
  });
});

describe('the text pad', () => {
  const dashboard = useDashboard();

  it('sends a text, which is listed and followed to its delivery', async () => {
    const page = await dashboard.open('dial');
    await page.getByRole('radio', { name: 'Text', exact: true }).check();
    await page.getByRole('textbox', { name: 'Text' }).fill('<i>Ten</i> is fine');
    await page.getByRole('button', { name: 'Send' }).click();
    const shown = page.getByRole('region', { name: 'The message' });
    await shown.locator('.bubble').getByText('<i>Ten</i> is fine').waitFor();
    await dashboard.sandbox.clock.untilIdle();
    await shown.locator('.record-actions').getByText('Delivered').waitFor();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('option', { name: '<i>Ten</i> is fine' }).getByText('Delivered').click();
    expect(await hindrances(page)).toEqual([]);
  });

  it('simulates a text and a call from outside', async () => {
    const page = await dashboard.open('dial');
    await page.getByRole('radio', { name: 'Be texted' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'The message' }).locator('.record-actions').getByText('Received').waitFor();
    await page.getByRole('radio', { name: 'Be called' }).check();
    await page.getByLabel('What happens').selectOption('no_answer');
    await page.getByRole('button', { name: 'Ring', exact: true }).click();
    const call = page.getByRole('region', { name: 'The call' });
    await call.locator('.record-actions').getByText('Queued').waitFor();
    await dashboard.sandbox.clock.untilIdle();
    await call.locator('.record-actions').getByText('No answer').waitFor();
  });
});
