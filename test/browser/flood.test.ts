// More messages of the stream than a dashboard can follow.
import { expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { hindrances, useDashboard } from './setup.ts';

const MESSAGES = 5000;

const dashboard = useDashboard();

it('shows the newest calls in a flood of messages, and follows all of them again once it is over', async () => {
  const api = clientOf(dashboard.sandbox.url);
  let flood = (): void => {};
  let connections = 0;
  const page = await dashboard.open('calls', {}, async (opened) => {
    await opened.routeWebSocket(/_sandbox\/stream/, (socket) => {
      connections += 1;
      socket.connectToServer().onMessage((text) => {
        socket.send(text);
        const { type, data, ...message } = JSON.parse(`${text}`);
        if (type !== 'open') return;
        const clock = JSON.stringify({ ...message, type: 'clock', data: data.clock });
        flood = () => {
          for (let sent = 0; sent < MESSAGES; sent++) socket.send(clock);
        };
      });
    });
  });
  const row = (number: string) => page.getByRole('listbox').getByRole('option', { name: number });
  await page.locator('.connection-live').waitFor();
  // Looked for before it happens: on a busy machine, it may be over by the time that the flood has been sent.
  const sampled = page.getByRole('status').getByText('Sampled').waitFor();
  flood();
  await sampled;
  await api.call('+16465550101');
  await row('+1 646 555 0101').waitFor();
  expect(await hindrances(page)).toEqual([]);
  await page.locator('.connection-live').waitFor();
  await api.call('+16465550102');
  await row('+1 646 555 0102').waitFor();
  await row('+1 646 555 0101').waitFor();
  expect(connections).toBe(2);
});
