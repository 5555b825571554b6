// Browser calls: the page that talks to an agent, and a page of a customer that does the same.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { root } from '../support/program.ts';
import { until } from '../support/until.ts';
import { expectToFit, hindrances, useDashboard } from './setup.ts';

/** The page that the guide shows. */
const page = /```html\n([\s\S]*?)```/.exec(readFileSync(`${root}docs/browser-calls.md`, 'utf8'))?.[1];

describe('the page that talks to an agent', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;

  it('joins its room, says something, hears the agent, and shows the call that remains', async () => {
    const page = await dashboard.open('talk');
    await page.getByRole('button', { name: 'Join the room' }).click();
    const turns = page.getByRole('log', { name: 'What is said' }).getByRole('listitem');
    await turns.first().getByText('agent').waitFor();
    await sandbox.clock.advance('4s');
    await page.getByLabel('Say', { exact: true }).fill('<b>Is there parking</b> close by?');
    await page.keyboard.press('Enter');
    await turns.nth(1).getByText('<b>Is there parking</b> close by?').waitFor();
    await turns.nth(1).getByText('+4 s').waitFor();
    await turns.nth(2).getByText('The lot behind the building').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await expectToFit(page, 380, 'a room');
    await page.getByRole('button', { name: 'Hang up' }).click();
    const call = page.getByRole('region', { name: 'The call' });
    await call.locator('.record-actions').getByText('Completed').waitFor();
    await call.getByRole('heading', { name: 'Transcript' }).waitFor();
    await call.getByText('<b>Is there parking</b> close by?').waitFor();
    const [latest] = (await clientOf(sandbox.url).get('/v1/calls?page_size=1')).body.data;
    expect(latest).toMatchObject({ status: 'COMPLETED', from_number: '+266696687', to_number: '+266696687' });
    expect(await hindrances(page)).toEqual([]);
  });

  it('ends the call when the page is left', async () => {
    const page = await dashboard.open('talk');
    await page.getByRole('button', { name: 'Join the room' }).click();
    await page.getByRole('log', { name: 'What is said' }).getByRole('listitem').first().waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    const row = page.getByRole('listbox').getByRole('option').first();
    await row.getByText('A browser').waitFor();
    await row.getByText('Completed').waitFor();
  });
});

describe('a page of a customer, of another origin', () => {
  const dashboard = useDashboard();
  const { sandbox } = dashboard;

  it('talks to the agent as the guide shows it', async () => {
    const client = clientOf(sandbox.url);
    const [agent] = (await client.get('/v1/agents')).body.data;
    const server = createServer(async (req, res) => {
      if (req.url !== '/web-call') return void res.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
      const { body } = await client.post(`/v1/agents/${agent.id}/web-call`);
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(body.data));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const opened = await dashboard.visit('/docs/errors');
      await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      const said = opened.getByRole('listitem');
      await said.getByText(`agent: ${agent.greeting}`).waitFor();
      await opened.getByLabel('Say').fill('What should I bring with me?');
      await opened.getByRole('button', { name: 'Say' }).click();
      await said.getByText('user: What should I bring with me?').waitFor();
      await said.getByText('A photo ID will do').waitFor();
      await opened.getByRole('button', { name: 'Hang up' }).click();
      await said.getByText('COMPLETED after 0 s').waitFor();
      await until(() => said.count()).toBe(4);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
