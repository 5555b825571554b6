// Bodies of many megabytes: they are read, hashed and decoded part by part, so that other requests run in between.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../src/http/body.ts';
import { sha256InParts } from '../../src/identity/seeded.ts';
import { expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { client } = useSandbox({ clock: 'manual' });
const documents = '/v1/caller-trust/documents';
const document = (content_base64: string) => ({ filename: 'a.pdf', content_type: 'application/pdf', content_base64 });

describe('a large body', () => {
  it('is hashed in parts to the same hash, with rounds of the event loop in between', async () => {
    const data = Buffer.alloc(3 * 1024 * 1024 + 7, 'ringback');
    let rounds = 0;
    const count = (): void => {
      rounds += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    expect(await sha256InParts(data)).toBe(createHash('sha256').update(data).digest('hex'));
    clearImmediate(immediate);
    expect(rounds).toBeGreaterThanOrEqual(6);
  });

  it('of a document is stored and journaled with the hashes of its bytes', async () => {
    const content = Buffer.alloc(2 * 1024 * 1024 + 1, '%PDF-1.7 ');
    const body = JSON.stringify(document(content.toString('base64')));
    const answer = await client.post(documents, body, { 'Content-Type': 'application/json' });
    expect(answer.status, answer.text).toBe(201);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(answer.body.data).toMatchObject({ sha256 });
    const [journaled] = (await client.get('/_sandbox/requests?operation=uploadDocument')).body.data;
    const { request } = (await client.get(`/_sandbox/requests/${journaled.id}`)).body.data;
    expect(request.body_sha256).toBe(createHash('sha256').update(body).digest('hex'));
  });

  it.each([
    [
      'two long strings and an escaped one',
      { a: 'x'.repeat(200_000), b: ['y'.repeat(200_000), 'z\n"\\'.repeat(30_000)] },
    ],
    ['a long name', { ['k'.repeat(300_000)]: 'v'.repeat(300_000) }],
    ['what looks like the mark of a long string', { a: 'x'.repeat(300_000), b: '\u0000long 0', c: '\\u0000' }],
    ['text beyond ASCII', { a: 'ü'.repeat(300_000), b: '€'.repeat(100_000) }],
    ['nothing long', { list: Array.from({ length: 100_000 }, (_, n) => n) }],
  ])('is parsed as any other: with %s', (_, value) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const req = { headers: { 'content-type': 'application/json' } } as IncomingMessage;
    expect(readJson(req, { bytes, tooLarge: false, sha256: null }, bytes.length)).toEqual(value);
  });

  it.each([
    ['a line break in a long string', `{"a": "${'x'.repeat(300_000)}\n"}`],
    ['a long string without an end', `{"a": "${'x'.repeat(300_000)}`],
    ['a comma too many', `{"a": "${'x'.repeat(300_000)}",}`],
    ['a reserved name beside a long string', `{"__proto__": {}, "a": "${'x'.repeat(300_000)}"}`],
  ])('is refused as any other: with %s', (_, text) => {
    const req = { headers: { 'content-type': 'application/json' } } as IncomingMessage;
    const bytes = Buffer.from(text);
    const refused = (): unknown => readJson(req, { bytes, tooLarge: false, sha256: null }, bytes.length);
    expect(refused).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });

  it.each([
    ['is empty', ''],
    ['has no padding', 'A'.repeat(65_535)],
    ['has padding in the middle', `${'A'.repeat(65_534)}==${'A'.repeat(8)}`],
    ['has a line break after many characters', `${'A'.repeat(300_000)}\nAAA`],
  ])('of a document that %s is refused', async (_, content) => {
    const answer = await client.post(documents, document(content));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({ content_base64: expect.stringContaining('base64') });
  });

  it.each([
    ['quotes, brackets and slashes in strings do not count', '"[[[\\\\\\"[[[\\\\"', 201],
    ['brackets after a long string do', `"${'x'.repeat(300)}", "deep": ${'['.repeat(300)}${']'.repeat(300)}`, 400],
  ])('is checked for its depth: %s', async (_, text, status) => {
    const body = `{"filename": "a.pdf", "content_type": "application/pdf", "content_base64": "JVBE", "note": ${text}}`;
    const padded = body.padEnd(1000);
    expect((await client.post(documents, padded, { 'Content-Type': 'application/json' })).status).toBe(status);
  });
});
