import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { createSandbox, destinationFor } from 'ringback';
import { startSite } from './site.js';

function browserOfThisMachine() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

const executablePath = browserOfThisMachine();
const skip = executablePath ? false : 'there is no Chromium: set CHROMIUM, or install the package chromium';

describe('the "Call me" button', { skip, concurrency: true }, () => {
  let sandbox;
  let browser;

  before(async () => {
    sandbox = await createSandbox({ clock: 'manual' });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  /** A page of a site that talks to a world of its own. */
  async function visit(name, use) {
    const world = sandbox.world(name);
    const site = await startSite(sandbox.url, world.apiKey);
    await world.subscribe(site.webhook, ['call_completed']);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(site.url);
      await use(page, world, site);
    } finally {
      await context.close();
      site.close();
    }
  }

  const callMe = async (page, number) => {
    await page.getByLabel('Your number').fill(number);
    await page.getByRole('button', { name: 'Call me' }).click();
  };
  const shows = (page, text) => page.getByRole('status').filter({ hasText: text }).waitFor();

  for (const [scenario, text] of [
    ['answered', 'Thank you for your time.'],
    ['busy', 'Your line is busy.'],
    ['no_answer', 'We did not reach you.'],
  ]) {
    it(`says how a call went that is ${scenario}`, () =>
      visit(`page-${scenario}`, async (page, world, site) => {
        const watches = page.waitForResponse((response) => response.url().includes('/calls/'));
        await callMe(page, destinationFor(scenario));
        await shows(page, 'Calling');
        await watches;
        assert.ok(site.isWatched());
        await world.clock.untilIdle();
        await shows(page, text);
      }));
  }

  it('says so when a number cannot be called', () =>
    visit('page-refused', async (page) => {
      await callMe(page, destinationFor('destination_blocked'));
      await shows(page, 'We cannot call this number.');
    }));
});
