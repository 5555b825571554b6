// The dashboard in a real Chromium without a display, for the tests of a file.
import AxeBuilder from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { build } from '../support/program.ts';
import { forwardTo } from '../support/sandbox.ts';
import { PATIENCE, until } from '../support/until.ts';
import { slowDown } from './slow-down.ts';

/** Debian's package; another one by the environment. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export interface Dashboard {
  readonly sandbox: Sandbox;
  /** Opens a page of the dashboard, such as `calls`, in a window of its own. */
  open(path?: string, options?: BrowserContextOptions, prepare?: Prepare): Promise<Page>;
  /** Opens any address of the server, such as `/docs`, in a window of its own. */
  visit(address: string, options?: BrowserContextOptions, prepare?: Prepare): Promise<Page>;
}

/** What is done with a page before it is loaded. */
type Prepare = (page: Page) => Promise<void>;

/** Any error of a page fails its test: a script's, or a violation of the content policy. */
export function useDashboard(options: SandboxOptions = {}): Dashboard {
  let browser: Browser | undefined;
  let sandbox: Sandbox | undefined;
  const problems: string[] = [];
  beforeAll(async () => {
    await build();
    sandbox = await createSandbox({ clock: 'manual', ...options });
    // Root may not use the sandbox of Chromium, and CI is root.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });
  const nothing: Prepare = async () => {};
  const dashboard: Dashboard = {
    sandbox: forwardTo(() => sandbox),
    async visit(address, contextOptions = {}, prepare = nothing) {
      if (!browser || !sandbox) throw new Error('The browser runs during tests only.');
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions });
      context.setDefaultTimeout(PATIENCE);
      const page = await context.newPage();
      await slowDown(page);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy|TrustedHTML/.test(message.text())) problems.push(message.text());
      });
      await prepare(page);
      await page.goto(`${sandbox.url}${address}`);
      return page;
    },
    async open(path = 'calls', contextOptions = {}, prepare = nothing) {
      const page = await dashboard.visit(`/_sandbox/ui/#/default/${path}`, contextOptions, prepare);
      await page.waitForSelector('.frame, .gate');
      return page;
    },
  };
  return dashboard;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds that hinders somebody: `serious` and `critical`. */
export async function hindrances(page: Page): Promise<string[]> {
  // Names of fields come with a frame, and what moves is judged once it has come to rest.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished.catch(() => {})))`);
  // Run by the browser's inspector, which the content policy of the page does not bind.
  await page.evaluate(AxeBuilder.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Resizes the window, and expects the page to be as wide as it is: nothing reaches past its edge. */
export async function expectToFit(page: Page, width: number, what: string): Promise<void> {
  await page.setViewportSize({ width, height: 780 });
  await until(async () => [what, await page.evaluate('[innerWidth, document.documentElement.scrollWidth]')]).toEqual([
    what,
    [width, width],
  ]);
}
