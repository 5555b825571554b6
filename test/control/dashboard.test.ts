// How the dashboard is served at `/_sandbox/ui/`: interface.md section 5, and section 10 for the prefix.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, root } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';

const folder = join(root, 'dist/dashboard');
const KiB = 1024;

beforeAll(build);

describe('the dashboard', () => {
  const { sandbox } = useSandbox();
  const get = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}${path}`, { redirect: 'manual', ...init });
  /** The addresses of script and style in the page. */
  const assetsIn = (html: string): string[] =>
    [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path ?? '');

  it('is a page that needs no key, and whose policy allows nothing inline and nothing from elsewhere', async () => {
    const answer = await get('/_sandbox/ui/', { headers: { Authorization: 'Bearer whatever' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    expect(html).not.toMatch(/<style|<script>|https?:|\son\w+=/);
    expect(assetsIn(html)).toHaveLength(2);
  });

  it('takes at most 60 KiB compressed for its first view, and names no other host', () => {
    const files = readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));
    const compressed = files.filter((file) => file.endsWith('.gz'));
    expect(compressed.length).toBeGreaterThanOrEqual(4);
    expect(compressed.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(60 * KiB);
    const texts = files.filter((file) => /\.(js|css|html)$/.test(file)).map((file) => readFileSync(file, 'utf8'));
    // The namespaces of XML are names and not addresses.
    const hosts = texts.flatMap((text) =>
      [...text.matchAll(/https?:\/\/(?!www\.w3\.org\/)[\w.-]+/g)].map(([host]) => host),
    );
    expect(hosts).toEqual([]);
  });

  it('sends what is named by its content once, compressed as the browser takes it', async () => {
    const html = await (await get('/_sandbox/ui/')).text();
    for (const path of assetsIn(html)) {
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
        ['br;q=0', null],
      ] as const) {
        const answer = await get(`/_sandbox/ui/${path}`, { headers: { 'Accept-Encoding': accepted } });
        expect(answer.headers.get('content-encoding')).toBe(coding);
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(answer.headers.get('vary')).toBe('Accept-Encoding');
        expect(await answer.text()).toBe(readFileSync(join(folder, path), 'utf8'));
      }
    }
  });

  it('is not sent again to a browser that has it', async () => {
    const first = await get('/_sandbox/ui/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/_sandbox/ui/', { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await get('/_sandbox/ui/', { headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('is where the root leads a browser to, while programs get JSON', async () => {
    const browser = await get('/', { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/_sandbox/ui/']);
    const program = await get('/');
    expect(await program.json()).toMatchObject({ data: { name: 'ringback', dashboard: '/_sandbox/ui/' } });
    const short = await get('/_sandbox/ui');
    expect([short.status, short.headers.get('location')]).toEqual([308, '/_sandbox/ui/']);
  });

  it('answers other methods with 405, and paths that it does not have with 404', async () => {
    const posted = await get('/_sandbox/ui/', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['assets/none.js', 'index.html.br', '../package.json', '%2e%2e/main.js', 'assets']) {
      const answer = await get(`/_sandbox/ui/${path}`);
      expect(`${path} ${answer.status}`).toBe(`${path} 404`);
    }
    const head = await get('/_sandbox/ui/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('a page of another origin', () => {
  const { wire } = useSandbox();

  it('cannot read the dashboard, but may lead a person there', async () => {
    const path = '/_sandbox/ui/';
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      expect((await wire.send({ path, key: null, headers })).status).toBe(403);
    }
    const framed = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
    expect((await wire.send({ path, key: null, headers: framed })).status).toBe(403);
    const opened = { ...framed, 'Sec-Fetch-Dest': 'document' };
    expect((await wire.send({ path, key: null, headers: opened })).status).toBe(200);
  });
});

describe('below a path prefix', () => {
  const { sandbox } = useSandbox({ publicUrl: 'https://sandbox.example.com/voice' });

  it('the dashboard is served, and redirects keep the prefix', async () => {
    const { port } = new URL(sandbox.url);
    const get = (path: string, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', headers });
    expect((await get('/voice/_sandbox/ui')).headers.get('location')).toBe('/voice/_sandbox/ui/');
    expect((await get('/voice/', { Accept: 'text/html' })).headers.get('location')).toBe('/voice/_sandbox/ui/');
    expect((await get('/voice/_sandbox/ui/')).status).toBe(200);
  });
});
