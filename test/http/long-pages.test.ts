// A page with much metadata is made, hashed and sent in parts, between which other requests are served.
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { longJson, shortJson } from '../../src/http/long-body.ts';
import { finished } from '../store/setup.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';

const page = (length: number, text = 'x'.repeat(20_000)) => ({
  data: Array.from({ length }, (_, n) => ({ n, text, unset: undefined })),
  meta: { page_size: length },
});

describe('the JSON of a page', () => {
  it.each([
    ['a short one', page(9, 'y')],
    ['one without items', page(0)],
    ['one that has only items', { data: ['a', 'b', null] }],
    ['what is no page', { data: ['a', 'b'], more: 1 }],
    ['a record', { data: { a: 'x'.repeat(300_000) } }],
  ])('is written at once for %s', (_, body) => {
    expect(shortJson(body)).toBe(JSON.stringify(body));
  });

  it('is written in pieces and parts where it is long, with the same bytes', () => {
    const body = { ...page(100), meta: { ü: '€' } };
    const text = Buffer.from(JSON.stringify(body));
    expect(shortJson(body)).toBe(undefined);
    let pieces = 0;
    const told: number[] = [];
    const counted = longJson(body, (bytes) => told.push(bytes));
    const next = counted.next.bind(counted);
    counted.next = () => {
      pieces += 1;
      return next();
    };
    const { parts, bytes, sha256 } = finished(counted);
    expect(pieces).toBeGreaterThan(100);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(100_000);
    expect(Buffer.concat(parts).equals(text)).toBe(true);
    expect([bytes, sha256]).toEqual([text.length, createHash('sha256').update(text).digest('hex')]);
    expect(told.at(-1)).toBe(bytes);
  });
});

describe('a long page of the API', () => {
  const { sandbox } = useSandbox({ clock: 'manual', rateLimit: 'off' });
  let world: ReturnType<typeof freshWorld>;
  beforeAll(async () => {
    world = freshWorld(sandbox);
    for (let n = 0; n < 20; n++) {
      const metadata = { text: `${n} ${'ü'.repeat(50_000)}` };
      expect((await world.client.post('/_sandbox/simulate/new-contact', { name: `c${n}`, metadata })).status).toBe(201);
    }
  });

  it('is what a short one is, and its journal has the length and the hash of all of it', async () => {
    const { status, headers, bytes } = await fetched(`${sandbox.url}/v1/contacts?page_size=20`, world.world.apiKey);
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    const { data, meta } = JSON.parse(bytes.toString());
    expect([data.length, meta.page_size]).toEqual([20, 20]);
    const alone = (await world.client.get(`/v1/contacts/${data[7].id}`)).body.data;
    expect(data[7]).toEqual(alone);
    const { response } = (await world.client.get(`/_sandbox/requests/${headers['x-sandbox-request-id']}`)).body.data;
    expect(response).toMatchObject({
      body_bytes: bytes.length,
      body_sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(response.body.length).toBeGreaterThan(10_000);
    expect(response.headers['Content-Length']).toBe(String(bytes.length));
  });

  it('is nowhere written at once', async () => {
    const writing = vi.spyOn(JSON, 'stringify');
    const { bytes } = await fetched(`${sandbox.url}/v1/contacts?page_size=20`, world.world.apiKey);
    const longest = Math.max(...writing.mock.results.map(({ value }) => String(value ?? '').length));
    writing.mockRestore();
    expect(bytes.length).toBeGreaterThan(20 * 50_000);
    expect(longest).toBeLessThan(4 * 51_000);
  });

  it('is broken off half-way where a fault truncates it', async () => {
    const truncated = fetched(`${sandbox.url}/v1/contacts?page_size=20`, world.world.apiKey, {
      'X-Sandbox-Fault': 'truncate',
    });
    await expect(truncated).rejects.toThrow('aborted');
  });
});

interface Fetched {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
}

function fetched(url: string, key: string, headers: Record<string, string> = {}): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { Authorization: `Bearer ${key}`, ...headers } }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode, headers: res.headers, bytes: Buffer.concat(chunks) }));
      res.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}
