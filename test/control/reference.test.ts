// How the reference is served at `/docs`: interface.md section 5.
import express from 'express';
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { serveReference } from '../../src/control/reference.ts';
import { allErrors } from '../../src/errors/catalogue.ts';
import { keysOf } from '../../src/typed-keys.ts';
import { temporaryFolders } from '../support/folders.ts';
import { build } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';

beforeAll(build);

describe('the reference', () => {
  const { sandbox } = useSandbox();
  const get = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}${path}`, { redirect: 'manual', ...init });
  const pages = ['/docs', '/docs/control', '/docs/errors', '/docs/guides', '/docs/guides/webhooks'];

  it.each(pages)('is a page at %s that needs no key, with nothing inline and nothing from elsewhere', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    expect(html).not.toMatch(/<style|<script>|<script[^>]*src="https?:|\son\w+="/);
    for (const [, asset] of html.matchAll(/(?:src|href)="([./]*docs\/assets\/[^"]+)"/g)) {
      const { status } = await get(new URL(asset ?? '', `${sandbox.url}${path}`).pathname);
      expect(`${asset} ${status}`).toBe(`${asset} 200`);
    }
  });

  it('introduces every guide with its first sentence', async () => {
    const html = await (await get('/docs/guides')).text();
    const cards = [...html.matchAll(/<li><a href="guides\/([\w-]+)">([^<]+)<\/a><p>([^<]*)<\/p>/g)];
    expect(cards.map(([, name]) => name)).toEqual(expect.arrayContaining(['webhooks', 'browser-calls', 'changelog']));
    for (const [, name, , sentence] of cards) expect(sentence, name).toMatch(/^\S.*\.$/s);
    expect(html).toContain('>Time</a><p>Each world has one clock.</p>');
  });

  it('has a section, with what was answered, for every error that a response can have', async () => {
    const html = await (await get('/docs/errors')).text();
    for (const code of keysOf(allErrors)) expect(html).toContain(`<section id="${code}">`);
    expect(html).toContain('"code": "rate_limited"');
  });

  it('is shown the contract as this server has it', async () => {
    const html = await (await get('/docs')).text();
    const [, address = ''] = /data-document="([^"]+)"/.exec(html) ?? [];
    const text = await (await get(`/${address}`)).text();
    for (const id of loadContract().operations.keys()) expect(text).toContain(`"operationId":"${id}"`);
  });

  it('refuses other methods with 405, and answers 404 for pages that it does not have', async () => {
    const posted = await get('/docs', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/docs/none', '/docs/assets/none.js', '/docs/%2e%2e/main.js', '/docs/index.html.gz']) {
      const answer = await get(path);
      expect(`${path} ${answer.status}`).toBe(`${path} 404`);
    }
    const slash = await get('/docs/errors/');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs/errors']);
  });
});

describe('a reference that has not been built', () => {
  const folderOf = temporaryFolders();

  it('says how to build it, and leaves the errors to the page that needs no build', async () => {
    const app = express().use(serveReference(folderOf()));
    app.use((_, res) => void res.send('passed on'));
    const { status, body } = await request(app).get('/docs');
    expect([status, body.error.resolution_hint]).toEqual([404, expect.stringContaining('npm run build')]);
    expect((await request(app).get('/docs/errors')).text).toBe('passed on');
  });
});
