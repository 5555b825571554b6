// What people do in the dashboard, in a real browser.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { until } from '../support/until.ts';
import { hindrances, useDashboard } from './setup.ts';

describe('the dashboard in a browser', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;
  const api = () => clientOf(sandbox.url);
  const inbox = () => `${sandbox.url}/_sandbox/inbox/hooks?world=default`;

  it('dials busy from the pad, draws the timeline as the clock is stepped, and says why', async () => {
    await sandbox.subscribe(inbox(), ['call_busy']);
    const page = await dashboard.open('dial');
    await page.getByLabel('To', { exact: true }).fill('');
    for (const digit of '+12125550101') {
      await page.getByRole('button', { name: digit === '+' ? /^Plus/ : new RegExp(`^${digit}`) }).click();
    }
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const call = page.getByRole('region', { name: 'The call' });
    await call.locator('.record-actions').getByText('Queued').waitFor();
    await page.getByRole('button', { name: 'Next event' }).click();
    await call.locator('.record-actions').getByText('Busy').waitFor();
    const segments = call.getByRole('list', { name: 'States over time' }).getByRole('listitem');
    await until(() => segments.locator('.segment-name').allTextContents()).toEqual(['Queued', 'Busy']);
    await until(() => call.locator('.hang-event').allTextContents()).toContain('Eventcall_busy');
    await call.locator('.hang-delivery').getByText('Delivered').waitFor();
    await until(() => call.locator('.why').textContent()).toContain('busy');
    expect(await hindrances(page)).toEqual([]);
  });

  it('sends a delivery again, and shows both attempts', async () => {
    const page = await dashboard.open('deliveries');
    await page.getByRole('listbox').getByRole('option').first().click();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.locator('.attempt-number', { hasText: '2' }).waitFor();
    await page.getByText('Sent again by hand').waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  it('checks signatures as a receiver does: those that fit, and those that do not', async () => {
    const receiver = (name: string) => `${sandbox.url}/_sandbox/inbox/${name}?world=default`;
    await sandbox.subscribe(receiver('sound'), ['number_purchased']);
    await sandbox.subscribe(receiver('tampered'), ['number_purchased'], { tamper: 1 });
    await api().post('/v1/phone-numbers', { area_code: '312' });
    await sandbox.clock.untilIdle();
    const page = await dashboard.open('deliveries');
    const check = async (name: string) => {
      await page.getByRole('option', { name: 'number_purchased' }).filter({ hasText: name }).click();
      await page.locator('.record-sub', { hasText: name }).waitFor();
      return page.locator('.verdict').textContent();
    };
    expect(await check('sound')).toContain('Checked: it fits the secret');
    expect(await check('tampered')).toContain('it does not fit the secret and these bytes');
    expect(await hindrances(page)).toEqual([]);
  });

  it('steps the clock and sets how fast it runs', async () => {
    await sandbox.reset();
    const page = await dashboard.open();
    const time = page.locator('.clock-time');
    await time.getByText('15:00:00').waitFor();
    await page.getByLabel('Size of a step').selectOption('1m');
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await time.getByText('15:01:00').waitFor();
    await page.getByLabel('Speed of the clock').selectOption('instant');
    await until(async () => (await api().get('/_sandbox/clock')).body.data.mode).toBe('instant');
    await sandbox.clock.set('manual');
  });

  it('shows calls as they come, and what was said and recorded once they have ended', async () => {
    const page = await dashboard.open();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    const id = await api().call('+13125550100');
    const row = page.getByRole('listbox').getByRole('option', { name: '+1 312 555 0100' });
    await row.getByText('Queued').waitFor();
    await row.click();
    await sandbox.clock.advance('1m');
    await row.getByText('Completed').waitFor();
    await page.getByRole('heading', { name: 'Transcript' }).waitFor();
    const source = await page.getByLabel('Recording of the call').getAttribute('src');
    expect((await fetch(`${sandbox.url}${source}`)).headers.get('content-type')).toBe('audio/wav');
    await page.waitForURL(`**${id}`);
    expect(await hindrances(page)).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const page = await dashboard.open();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const selected = page.getByRole('listbox').getByRole('option', { selected: true });
    await until(() => selected.getAttribute('aria-posinset')).toBe('2');
    await page.keyboard.press('Home');
    await until(() => selected.getAttribute('aria-posinset')).toBe('1');
  });

  it('follows keys that come faster than it draws', async () => {
    const page = await dashboard.open();
    await page.getByRole('listbox').getByRole('option').nth(3).waitFor();
    await page.evaluate(`
      const list = document.querySelector('[role=listbox]');
      for (let pressed = 0; pressed < 3; pressed += 1)
        list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    `);
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    await until(() => chosen.getAttribute('aria-posinset')).toBe('3');
    await page.goto(`${sandbox.url}/_sandbox/ui/#/default/dial`);
    await page.getByRole('textbox', { name: 'To' }).fill('+1');
    await page.evaluate("for (const key of document.querySelectorAll('.key:not([aria-label])')) key.click();");
    await until(() => page.getByRole('textbox', { name: 'To' }).inputValue()).toBe('+11234567890');
  });

  it('shows text of records as text, whatever it looks like', async () => {
    const name = '<img src=x onerror="document.title=\'broken\'">';
    await api().post('/v1/sms/send', { to_number: '+12125550140', body: name, from_number: '+14155550190' });
    const page = await dashboard.open('requests');
    await page.getByRole('listbox').getByRole('option').first().click();
    await page.locator('.block pre').first().getByText('<img src=x', { exact: false }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await until(() => page.title()).toBe('Requests · default · Ringback');
    expect(await hindrances(page)).toEqual([]);
  });

  it('asks nothing of any other server', async () => {
    const page = await dashboard.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.reload();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    expect([...new Set(asked)]).toEqual([sandbox.url]);
  });
});

describe('a dashboard that loses its server', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;

  /** Opens a page whose connection can be cut. */
  async function cuttable(name: string) {
    let isCut = false;
    let cut: (() => Promise<void>) | undefined;
    const page = await dashboard.open(name, {}, async (opened) => {
      await opened.routeWebSocket(/_sandbox\/stream/, (socket) => {
        if (isCut) return void socket.close({ code: 1011 });
        socket.connectToServer();
        cut = () => socket.close({ code: 1011 });
      });
    });
    await page.locator('.connection-live').waitFor();
    return {
      page,
      async cut() {
        isCut = true;
        await cut?.();
        await page.getByText('Reconnecting').waitFor();
      },
      async mend() {
        isCut = false;
        await page.locator('.connection-live').waitFor();
      },
    };
  }

  it('says so, and goes on without a gap when the server is back', async () => {
    const { page, cut, mend } = await cuttable('calls');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.setViewportSize({ width: 380, height: 780 });
    await cut();
    const { x, width } = (await page.getByText('Reconnecting').boundingBox()) ?? { x: 0, width: 0 };
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(380);
    const id = await clientOf(sandbox.url).call('+16465550101');
    await mend();
    await page.getByRole('listbox').getByRole('option', { name: '+1 646 555 0101' }).click();
    await page.waitForURL(`**${id}`);
  });

  const text = { to_number: '+12125550140', from_number: '+14155550190', body: 'While you were away' };
  it.each([
    ['messages', 'While you were away', () => clientOf(sandbox.url).post('/v1/sms/send', text)],
    ['requests', '/v1/usage', () => clientOf(sandbox.url).get('/v1/usage')],
    ['deliveries', 'contact_created', () => sandbox.simulate.newContact({ phone_number: '+12125550177' })],
    ['faults', 'Happened to 0 requests of 0', () => sandbox.fault({ operation: 'getMe', respond: { status: 502 } })],
    ['worlds', 'made-meanwhile', () => clientOf(sandbox.url).post('/_sandbox/worlds', { name: 'made-meanwhile' })],
  ] as const)('shows on the page of %s what happened meanwhile', async (name, shown, happen) => {
    await sandbox.subscribe(`${sandbox.url}/_sandbox/inbox/away?world=default`, ['contact_created']);
    const { page, cut, mend } = await cuttable(name);
    await cut();
    await happen();
    expect(await page.locator('main').getByText(shown).count()).toBe(0);
    await mend();
    await page.locator('main').getByText(shown).first().waitFor();
  });
});

describe('the dashboard of a server with a control token', () => {
  const dashboard = useDashboard({ controlToken: 'open-sesame' });

  it('asks for the token once, and puts it into no address', async () => {
    const page = await dashboard.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('websocket', (socket) => asked.push(socket.url()));
    await page.getByLabel('Control token', { exact: false }).fill('wrong');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByText('did not accept').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.getByLabel('Control token', { exact: false }).fill('open-sesame');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.locator('.connection-live').waitFor();
    await page.reload();
    await page.locator('.connection-live').waitFor();
    await page.getByLabel('World').selectOption('demo');
    await page.waitForURL('**#/demo/calls');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    expect(asked.some((url) => url.includes('/_sandbox/stream'))).toBe(true);
    expect(asked.filter((url) => url.includes('sesame') || url.includes('token'))).toEqual([]);
    expect(page.url()).not.toContain('sesame');
  });
});
