// Scenarios in the dashboard: looked at, written with an error, mended and saved.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { hindrances, useDashboard } from './setup.ts';

describe('the scenarios of the dashboard', () => {
  const dashboard = useDashboard();

  it('are drawn with their steps, events and choices', async () => {
    const page = await dashboard.open('scenarios');
    await page.getByLabel('Filter the scenarios').fill('rings_on');
    await page.getByRole('option', { name: 'rings_on_screen' }).click();
    const drawing = page.locator('.drawing');
    await drawing.getByText('If somebody chooses answer').waitFor();
    expect(await drawing.locator('.drawn').first().locator('strong').allTextContents()).toEqual([
      'Queued',
      'Ringing',
      'No answer',
    ]);
    expect(await drawing.getByText('call_no_answer').count()).toBe(1);
    expect(await hindrances(page)).toEqual([]);
  });

  it('can be written with an error, which is told with its line, and mended', async () => {
    const page = await dashboard.open('scenarios');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('own_line');
    const file = page.getByLabel('Scenario file');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText('Nothing is wrong with it.').waitFor();
    const sound = await file.inputValue();
    await file.fill(sound.replace('trigger: ring ', 'trigger: rign '));
    const fault = page.getByRole('button', { name: /Line 6.*did you mean ring/ });
    await fault.waitFor();
    expect(await save.isDisabled()).toBe(true);
    await fault.click();
    expect(
      await page.evaluate(
        "(({ value, selectionStart }) => value.slice(0, selectionStart).split('\\n').length)(document.activeElement)",
      ),
    ).toBe(6);
    expect(await hindrances(page)).toEqual([]);
    await file.fill(sound.replace('summary: It', 'summary: <b>It</b>'));
    await page.getByText('Nothing is wrong with it.').waitFor();
    await save.click();
    await page.getByRole('heading', { name: 'own_line' }).waitFor();
    await page.locator('.record-sub', { hasText: '<b>It</b> rings' }).waitFor();
    const { data } = (await clientOf(dashboard.sandbox.url).get('/_sandbox/scenarios/own_line')).body;
    expect([data.origin, data.source]).toEqual(['world', expect.stringContaining('<b>It</b>')]);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Removed own_line').waitFor();
  });
});
