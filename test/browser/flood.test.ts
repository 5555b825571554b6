// More messages of the stream than a dashboard can follow.
import { expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { hindrances, useDashboard } from './setup.ts';

const MESSAGES = 5000;

/** Lets the page's streams be found, each with a message of its clock. */
const FIND_STREAMS = `
window.streams = [];
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    window.streams.push(this);
    this.addEventListener('message', ({ data: text }) => {
      const { type, data, ...message } = JSON.parse(text);
      if (type === 'open') this.clock = JSON.stringify({ ...message, type: 'clock', data: data.clock });
    });
  }
};`;

/** In the page itself, so that they come at once however busy the machine is. */
const FLOOD = `{
  const [stream] = window.streams;
  for (let sent = 0; sent < ${MESSAGES}; sent++) stream.dispatchEvent(new MessageEvent('message', { data: stream.clock }));
}`;

const dashboard = useDashboard();

it('shows the newest calls in a flood of messages, and follows all of them again once it is over', async () => {
  const api = clientOf(dashboard.sandbox.url);
  const page = await dashboard.open('calls', {}, async (opened) => {
    await opened.addInitScript({ content: FIND_STREAMS });
  });
  const row = (number: string) => page.getByRole('listbox').getByRole('option', { name: number });
  await page.locator('.connection-live').waitFor();
  // Looked for before it happens: on a busy machine, it may be over by the time that the flood has been sent.
  const sampled = page.getByRole('status').getByText('Sampled').waitFor();
  await page.evaluate(FLOOD);
  await sampled;
  await api.call('+16465550101');
  await row('+1 646 555 0101').waitFor();
  expect(await hindrances(page)).toEqual([]);
  await page.locator('.connection-live').waitFor();
  await api.call('+16465550102');
  await row('+1 646 555 0102').waitFor();
  await row('+1 646 555 0101').waitFor();
  expect(await page.evaluate('window.streams.length')).toBe(2);
});
