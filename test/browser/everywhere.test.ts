// Every page of the dashboard on a phone, on a desk and on a projector, in light and dark colors.
import { describe, expect, it } from 'vitest';
import { expectToFit, hindrances, useDashboard } from './setup.ts';

/** What each page shows once it has read what it shows. */
const pages = {
  calls: '[role=option]',
  messages: '.state-title',
  deliveries: '.state-title',
  // The page that talks to an agent asks the platform which there are.
  requests: ':is(.state-title, [role=option])',
  scenarios: '[role=option]',
  faults: '.plan',
  coverage: '.card',
  assumptions: '.card',
  worlds: '.card',
  dial: '.pad',
  talk: '.pad select',
} as const;

describe('every page of the dashboard', () => {
  const dashboard = useDashboard();

  it.each(['light', 'dark'] as const)('hinders nobody, and fits every screen, in %s colors', async (colorScheme) => {
    const page = await dashboard.open('calls', { colorScheme });
    for (const [name, read] of Object.entries(pages)) {
      await page.goto(`${dashboard.sandbox.url}/_sandbox/ui/#/default/${name}`);
      // The page before it may show the same.
      await page.locator(`.tab[href$="/${name}"][aria-current=page]`).waitFor();
      await page.locator(`main ${read}`).first().waitFor();
      for (const width of [1920, 380]) await expectToFit(page, width, name);
      expect(await hindrances(page), name).toEqual([]);
    }
  });

  it('says what is wrong with the name of a world that cannot be one', async () => {
    const page = await dashboard.visit('/_sandbox/ui/#/what!/calls');
    await page.getByText('That did not work').waitFor();
    expect(await page.getByLabel('Control token').count()).toBe(0);
  });

  it('cuts a long line of a row short before the words beside it', async () => {
    const page = await dashboard.open('calls', { viewport: { width: 380, height: 780 } });
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    const overlaps = await page.evaluate(`[...document.querySelectorAll('[role=option]')].filter((row) =>
      row.querySelector('.row-main .row-sub').getBoundingClientRect().right >
      row.querySelector('.row-end .row-sub').getBoundingClientRect().left).length`);
    expect(overlaps).toBe(0);
  });
});
