// Makes the pictures of README and docs/dashboard.md from the running dashboard: the world of the demonstration, by its
// seed, in Chromium without a display. `node scripts/pictures.mjs` after `npm run build`; the pictures are committed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = new URL('../', import.meta.url);
const folder = new URL('pictures/', root);
/** A WebP of the same size that looks alike is a third of a PNG. */
const QUALITY = 0.82;

/** Each picture: its page, what is done on it, and what must be seen before it is taken. */
const pictures = {
  calls: async (page) => {
    await page.getByLabel('Filter the calls').fill('completed');
    await page.getByRole('option').filter({ hasText: '+1 212' }).first().click();
    await page.getByRole('heading', { name: 'Transcript' }).waitFor();
  },
  deliveries: async (page) => {
    await page.getByRole('option').filter({ hasText: 'number_purchased' }).first().click();
    await page.locator('.verdict-valid').waitFor();
  },
  talk: async (page) => {
    await page.getByRole('button', { name: 'Join the room' }).click();
    await page.getByLabel('Say', { exact: true }).fill('Is there parking close by?');
    await page.keyboard.press('Enter');
    await page.getByText('The lot behind the building').waitFor();
  },
  dial: async (page) => {
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('+12125550199');
    await page.getByLabel('What happens').selectOption('rings_on_screen');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Next event' }).click();
    await page.getByRole('button', { name: 'Answer' }).waitFor();
  },
};

const flags = ['serve', '--demo', '--clock', 'manual', '--port', '0', '--log', 'error'];
const server = spawn(process.execPath, [fileURLToPath(new URL('dist/main.js', root)), ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let browser;
try {
  let url;
  for await (const line of createInterface({ input: server.stdout })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) break;
  }
  if (!url) throw new Error('the server ended before it served');
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  await mkdir(folder, { recursive: true });
  for (const [name, act] of Object.entries(pictures)) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await page.goto(`${url}/_sandbox/ui/#/demo/${name}`);
    await page.locator('.connection-live').waitFor();
    await act(page);
    const file = new URL(`${name}.webp`, folder);
    await writeFile(file, await webpOf(browser, await page.screenshot()));
    console.log(`wrote ${fileURLToPath(file).slice(fileURLToPath(root).length)}`);
    await page.close();
  }
} finally {
  await browser?.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
}

/** Chromium itself writes WebP, on a canvas. */
async function webpOf(chromium, png) {
  const page = await chromium.newPage();
  const data = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    [`data:image/png;base64,${png.toString('base64')}`, QUALITY],
  );
  await page.close();
  return Buffer.from(data.split(',')[1], 'base64');
}
