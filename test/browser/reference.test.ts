// The reference at `/docs` in a browser: both APIs, the errors, the guides and their search.
import { describe, expect, it } from 'vitest';
import { expectToFit, hindrances, useDashboard } from './setup.ts';

/** What each page shows once it has read what it shows. */
const pages = {
  docs: '#viewer[data-ready] .opblock-tag',
  'docs/control': '#viewer[data-ready] .opblock-tag',
  'docs/errors': '#rate_limited',
  'docs/guides': '.cards',
  'docs/guides/webhooks': 'table',
} as const;

describe('the reference in a browser', () => {
  const { sandbox, visit } = useDashboard();

  it('sends what a person asks for to this server, with the scenario that they choose', async () => {
    const page = await visit('/docs#/Calls/dialCall');
    await page.locator('#viewer[data-ready]').waitFor();
    const operation = page.locator('#operations-Calls-dialCall');
    await page
      .getByRole('textbox', { name: 'Scenario' })
      .or(page.getByRole('combobox', { name: 'Scenario' }))
      .fill('busy');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText('call_id').first().waitFor();
    expect(await sandbox.requests({ operation: 'dialCall' })).toMatchObject([{ scenario: { name: 'busy' } }]);
  });

  it('finds operations, errors and guides', async () => {
    const page = await visit('/docs');
    const search = page.getByRole('searchbox', { name: 'Search the documentation' });
    await search.fill('rate_limited');
    await page.locator('#found').getByRole('link', { name: 'rate_limited' }).first().click();
    await page.waitForURL('**/docs/errors#rate_limited');
    await page.locator('#rate_limited pre').waitFor();
    await search.fill('dial');
    await page
      .locator('#found')
      .getByRole('link', { name: /POST \/v1\/calls\/dial/ })
      .first()
      .click();
    await page.locator('#operations-Calls-dialCall').getByRole('button', { name: 'Execute' }).waitFor();
  });

  it('asks nothing of any other server', async () => {
    const asked = new Set<string>();
    for (const [path, shown] of Object.entries(pages)) {
      const page = await visit(`/${path}`, {}, async (opened) => {
        opened.on('request', (request) => asked.add(new URL(request.url()).origin));
      });
      await page.locator(shown).first().waitFor();
    }
    // Pictures of the viewer's style are part of it.
    expect([...asked].filter((origin) => origin !== 'null')).toEqual([sandbox.url]);
  });

  it.each(['light', 'dark'] as const)('hinders nobody, and fits every screen, in %s colors', async (colorScheme) => {
    for (const [path, shown] of Object.entries(pages)) {
      const page = await visit(`/${path}`, { colorScheme, viewport: { width: 1920, height: 900 } });
      await page.locator(shown).first().waitFor();
      for (const width of [1920, 380]) await expectToFit(page, width, path);
      expect(await hindrances(page), path).toEqual([]);
    }
  });
});
