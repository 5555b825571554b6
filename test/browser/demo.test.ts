// The demonstration of docs/demo.md, step by step, as somebody gives it.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_WORLD, playDemo } from '../../src/cli/demo-traffic.ts';
import { clientOf } from '../support/client.ts';
import { root } from '../support/program.ts';
import { hindrances, useDashboard } from './setup.ts';

const KEY = 'svc_sandbox_demo';

describe('the demonstration', () => {
  const dashboard = useDashboard({ clock: 'real' });
  const { sandbox } = dashboard;
  beforeAll(() => playDemo({ url: sandbox.url, token: null, seed: 1 }));
  const open = (page: string) => dashboard.visit(`/_sandbox/ui/#/${DEMO_WORLD}/${page}`);
  const ended = /^(Completed|Busy|No answer|Voicemail|Failed)$/;

  it('has the steps that these tests take', () => {
    const steps = readFileSync(`${root}docs/demo.md`, 'utf8').match(/^\| \d:\d\d .*$/gm) ?? [];
    expect(steps.map((step) => /\*\*(\w+)\*\*/.exec(step)?.[1] ?? 'clock')).toEqual([
      'Calls',
      'Dial',
      'Dial',
      'Talk',
      'Deliveries',
      'Faults',
      'clock',
    ]);
  });

  it('shows why a call that has ended came out so', async () => {
    const page = await open('calls');
    await page.getByRole('option').filter({ hasText: 'answered' }).filter({ hasText: 'Completed' }).first().click();
    await page.locator('.record-actions').getByText(ended).waitFor();
    await page.locator('.why').getByText('because the scenario').waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  it('dials a busy number, and a phone that rings on the screen', async () => {
    const page = await open('dial');
    const to = page.getByRole('textbox', { name: 'To', exact: true });
    await to.fill('+12125550101');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const call = page.getByRole('region', { name: 'The call' }).locator('.record-actions');
    await call.getByText('Busy').waitFor();
    await to.fill('+12125550199');
    await page.getByLabel('What happens').selectOption('rings_on_screen');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const phone = page.getByRole('region', { name: 'Phone of +1 212 555 0199' });
    await phone.getByRole('button', { name: 'Answer' }).click();
    await call.locator('.choice-hang_up').click();
    await call.getByText('Completed').waitFor();
  });

  it('talks to an agent', async () => {
    const page = await open('talk');
    await page.getByRole('button', { name: 'Join the room' }).click();
    await page.getByLabel('Say', { exact: true }).fill('Is there parking close by?');
    await page.getByRole('button', { name: 'Say it' }).click();
    await page.getByText('The lot behind the building').waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('region', { name: 'The call' }).locator('.record-actions').getByText('Completed').waitFor();
  });

  it('shows a signed delivery, and sends one again that failed', async () => {
    const page = await open('deliveries');
    await page.getByRole('option').filter({ hasText: 'number_purchased' }).first().click();
    await page.locator('.verdict-valid').waitFor();
    await page.getByLabel('Filter the deliveries').fill('failed');
    await page.getByRole('option').filter({ hasText: '500' }).first().click();
    await page.locator('.record-sub', { hasText: 'billing' }).waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Sent again by hand').waitFor();
  });

  it('lets a dial fail, and shows the request', async () => {
    const page = await open('faults');
    const form = page.getByRole('form', { name: 'New fault' });
    await form.getByLabel('Operation').fill('dialCall');
    await form.getByLabel('Times').fill('1');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Happened to 0 requests of 0').waitFor();
    await page.getByRole('link', { name: 'Dial', exact: true }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('.notice-error').waitFor();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('option').filter({ hasText: 'internal_error' }).first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  });

  it('lets time pass faster, and is brought back to its beginning', async () => {
    const client = clientOf(sandbox.url, KEY);
    const page = await open('calls');
    await page.getByLabel('Speed of the clock').selectOption('60x');
    await page.getByRole('option').filter({ hasText: 'Ringing' }).first().waitFor();
    expect((await client.post('/_sandbox/snapshots/demo/restore')).status).toBe(200);
    await page.getByRole('option').filter({ hasText: '+1 646 555 0107' }).first().waitFor();
    expect((await client.get('/_sandbox/clock')).body.data.mode).toBe('real');
  });
});
