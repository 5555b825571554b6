// How fast the dashboard is, in Chromium without a display, with 10,000 calls in the world: its first paint, a key while 50
// calls a second run, how soon a change is seen, what it costs the dial, and what Lighthouse says of the first view. Runs
// when it is named, since it needs Chromium (CHROMIUM), and npm to fetch Lighthouse, which is not a dependency: it is larger
// than all others together.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { figure, median, percentile } from './figures.mjs';
import { loaded, ringback } from './processes.mjs';
import { canTell, processorTimeOf } from './resident.mjs';

const CALLS = 10_000;
const AT_ONCE = 50;
const A_SECOND = 50;
const OPENINGS = 5;
const SAMPLES = 40;
const ROUNDS = 5;
const SECONDS = 3;
/** The last one that runs on every version of Node that we support. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const headers = { Authorization: 'Bearer svc_sandbox_default', 'Content-Type': 'application/json' };
const flags = ['--clock', 'real', '--rate-limit', 'off', '--concurrent-calls', 'off'];

export async function dashboard() {
  const server = await ringback(flags);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (let placed = 0; placed < CALLS; placed += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => dial(server)));
    const paints = [];
    for (let opening = 0; opening < OPENINGS; opening++) paints.push(await firstPaint(browser, server));
    const page = await opened(browser, server);
    await page.locator('[role=option]').first().waitFor();
    const traffic = keepDialing(server);
    const keys = await nextPaints(page);
    const changes = await changesSeen(page, server);
    await traffic.stop();
    await page.close();
    const running = `${CALLS.toLocaleString('en-US')} calls, and ${A_SECOND} more a second`;
    return [
      figure(
        'first contentful paint of the dashboard',
        median(paints),
        'ms',
        { most: 1000 },
        `${CALLS.toLocaleString('en-US')} calls`,
      ),
      figure('from a key to the next paint, 95 of 100', percentile(keys, 0.95), 'ms', { most: 100 }, running),
      figure('from a dial to its row, 95 of 100', percentile(changes, 0.95), 'ms', { most: 200 }, running),
      ...(await dialRate(browser)),
      ...scores(server),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Dials a second with one dashboard open, of those without, on a server of its own that is reset between the rounds. */
async function dialRate(browser) {
  const server = await ringback(flags);
  const request = { method: 'POST', headers, body: bodyOf(TO) };
  const cost = async () => {
    const before = processorTimeOf(server.child.pid);
    const { total, perSecond } = await loaded(`${server.url}/v1/calls/dial`, request, SECONDS);
    return { perSecond, micros: ((processorTimeOf(server.child.pid) - before) * 1000) / total };
  };
  const reset = () => fetch(`${server.url}/_sandbox/reset`, { method: 'POST', headers });
  const rounds = [];
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const without = await cost();
      await reset();
      const page = await opened(browser, server);
      await page.locator('.connection-live').waitFor();
      const watched = await cost();
      // It has kept up: the newest call is in the list.
      await dial(server, '+12126669999');
      await page.locator('[role=option]', { hasText: '+1 212 666 9999' }).waitFor();
      await page.close();
      await reset();
      // The first round warms up.
      if (round >= 0) rounds.push({ without, watched });
    }
  } finally {
    await server.stop();
  }
  const name = 'dial with one dashboard open, of one with none';
  const medianOf = (when, key) => Math.round(median(rounds.map((each) => each[when][key])));
  const byRate = median(rounds.map(({ without, watched }) => watched.perSecond / without.perSecond));
  const byCost = median(rounds.map(({ without, watched }) => without.micros / watched.micros));
  const rates = `${medianOf('watched', 'perSecond')} of ${medianOf('without', 'perSecond')} dials a second`;
  const costs = `${medianOf('watched', 'micros')} instead of ${medianOf('without', 'micros')} µs a dial`;
  return [
    // The browser may take time from the server's core.
    figure(name, byRate, '', { least: 0.9 }, `${rates}, median of ${ROUNDS} pairs`),
    ...(canTell ? [figure(`${name}, by CPU`, byCost, '', { least: 0.9 }, costs)] : []),
  ];
}

/** What Lighthouse says of the first view, as on a desk and as on a phone whose processor is four times slower. */
function scores({ url }) {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-lighthouse-'));
  try {
    return ['desktop', 'mobile'].flatMap((form) => {
      const out = join(folder, `${form}.json`);
      const { status, stderr } = spawnSync(
        'npm',
        [
          'exec',
          '--yes',
          `--package=${LIGHTHOUSE}`,
          '--',
          'lighthouse',
          `${url}/_sandbox/ui/`,
          ...(form === 'desktop' ? ['--preset=desktop'] : []),
          '--only-categories=performance,accessibility',
          '--chrome-flags=--headless=new --no-sandbox',
          '--output=json',
          `--output-path=${out}`,
          '--quiet',
        ],
        { env: { ...process.env, CHROME_PATH: executablePath }, encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`Lighthouse ended with ${status}: ${stderr.slice(-500)}`);
      const { categories } = JSON.parse(readFileSync(out, 'utf8'));
      return Object.values(categories).map(({ title, score }) =>
        figure(`${title} by Lighthouse, ${form}`, Math.round(100 * score), '', { least: 95 }, 'first view'),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TO = '+12125550108';
const bodyOf = (to_number) => JSON.stringify({ from_number: '+14155550190', to_number });

async function dial({ url }, to = TO) {
  const answer = await fetch(`${url}/v1/calls/dial`, { method: 'POST', headers, body: bodyOf(to) });
  if (answer.status !== 202) throw new Error(`a dial was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).call_id;
}

async function opened(browser, { url }) {
  // The page does not let itself be asked for text to run.
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
  await page.goto(`${url}/_sandbox/ui/#/default/calls`);
  return page;
}

async function firstPaint(browser, server) {
  const page = await opened(browser, server);
  await page.locator('[role=option]').first().waitFor();
  const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await page.close();
  return paint;
}

function keepDialing(server) {
  let isOver = false;
  const done = (async () => {
    while (!isOver) await Promise.all([dial(server), sleep(1000 / A_SECOND)]);
  })();
  return {
    stop() {
      isOver = true;
      return done;
    },
  };
}

/** From the event of a key until the frame in which the selection has moved has been painted. */
async function nextPaints(page) {
  await page.evaluate(`
    window.paints = [];
    document.querySelector('[role=listbox]').addEventListener('keydown', (event) => {
      const pressed = event.timeStamp;
      requestAnimationFrame(() => setTimeout(() => window.paints.push(performance.now() - pressed)));
    });
  `);
  await page.getByRole('listbox').focus();
  for (let sample = 0; sample < SAMPLES; sample++) {
    await page.keyboard.press(sample % 2 === 0 ? 'ArrowDown' : 'End');
    await page.waitForFunction(`window.paints.length > ${sample}`);
  }
  return page.evaluate('window.paints');
}

/** From the moment a dial was answered until its row is in the list. */
async function changesSeen(page, server) {
  await page.keyboard.press('Home');
  const seen = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const number = `+1212666${String(1000 + sample)}`;
    const shown = number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
    const row = page.waitForFunction(
      `document.querySelector('[role=listbox]').textContent.includes(${JSON.stringify(shown)}) && Date.now()`,
    );
    await dial(server, number);
    const answered = Date.now();
    seen.push(Math.max(0, (await (await row).jsonValue()) - answered));
  }
  return seen;
}
