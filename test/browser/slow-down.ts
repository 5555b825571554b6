// Makes a page as slow as on a machine that is busy, to find tests and pages that race: `BROWSER_SLOWDOWN=6 npm run
// test:browser` gives it a sixth of the processor, and what it asks, is answered and is told over the stream comes late.
import { setTimeout } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const slowdown = Number(process.env.BROWSER_SLOWDOWN ?? 1);

/** The longest that a request waits, and as long for its answer, in milliseconds. */
const MOST_MS = 40 * slowdown;

export async function slowDown(page: Page): Promise<void> {
  if (!(slowdown > 1)) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await session.send('Network.enable');
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...unlimited, latency: MOST_MS });
  let count = 0;
  // Spread evenly, and alike in every run.
  const nextWait = (): number => {
    count += 1;
    return (((count * 7) % 10) / 10) * MOST_MS;
  };
  await page.context().route(/\/(_sandbox|v1|api|docs)/, async (route) => {
    await pause(nextWait());
    await route.fallback();
  });
  // The waits are alike, so that messages stay in order.
  await page.context().routeWebSocket(/_sandbox\/stream/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void setTimeout(() => socket.send(message), MOST_MS));
  });
}
