// Bodies of many megabytes: they are read, hashed and decoded in turns with other work, so that requests run in between.
import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BODY_LIMIT, receiveBody } from '../../src/http/body.ts';
import { readLargeJson } from '../../src/http/large-json.ts';
import { Turns } from '../../src/scheduler/turns.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';

const { client } = useSandbox({ clock: 'manual' });
const documents = '/v1/caller-trust/documents';
const document = (content_base64: string) => ({ filename: 'a.pdf', content_type: 'application/pdf', content_base64 });
const hashOf = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const by = () => ({ turns: new Turns(), world: 'w' });
const requestOf = (size: number) =>
  Object.assign(new IncomingMessage(new Socket()), { headers: { 'content-length': String(size) } });
const read = (text: string) => readLargeJson(Buffer.from(text), ['file'], by());

/** Turns whose time passes a tenth of a millisecond with each piece of work, and how often requests ran in between. */
function countedTurns() {
  let now = 0;
  const counted = { rounds: 0 };
  const afterRequests = (callback: () => void): void => {
    counted.rounds += 1;
    setImmediate(callback);
  };
  return { turns: new Turns({ now: () => (now += 0.05), afterRequests }), counted };
}

describe('a large body', () => {
  it('is decoded in pieces, with requests in between', async () => {
    const content = Buffer.alloc(1024 * 1024, '%PDF-1.7 ');
    const { turns, counted } = countedTurns();
    const text = Buffer.from(JSON.stringify({ file: content.toString('base64') }));
    const { files } = await readLargeJson(text, ['file'], { turns, world: 'w' });
    expect([...files.values()][0]?.bytes.equals(content)).toBe(true);
    expect(counted.rounds).toBeGreaterThanOrEqual(8);
  });

  it('is read part by part, and hashed in turns', async () => {
    const size = 12 * BODY_LIMIT;
    const req = requestOf(size);
    const { turns, counted } = countedTurns();
    const body = receiveBody(req, size);
    body.admit({ turns, world: 'w' });
    const data = Buffer.alloc(size, 'ringback');
    for (let at = 0; at < size; at += BODY_LIMIT / 8) req.push(data.subarray(at, at + BODY_LIMIT / 8));
    req.push(null);
    const { bytes, sha256 } = await body.received;
    expect(bytes.equals(data)).toBe(true);
    expect(sha256).toBe(hashOf(data));
    expect(counted.rounds).toBeGreaterThanOrEqual(2);
  });

  it('takes no memory for all of it before its client has shown a key', async () => {
    const size = 64 * BODY_LIMIT;
    const req = requestOf(size);
    const before = bytesInUse('arrayBuffers');
    const body = receiveBody(req, size);
    req.push(Buffer.alloc(2 * BODY_LIMIT));
    await new Promise(setImmediate);
    expect(req.isPaused()).toBe(true);
    expect(bytesInUse('arrayBuffers') - before).toBeLessThan(8 * BODY_LIMIT);
    req.resume();
    req.push(null);
    expect((await body.received).bytes).toHaveLength(0);
  });

  it('of base64 takes no more memory than the file in it', async () => {
    const content = Buffer.alloc(1024 * 1024, '%PDF-1.7 ');
    const { files } = await read(JSON.stringify({ file: content.toString('base64') }));
    expect([...files.values()][0]?.bytes.buffer.byteLength).toBeLessThan(content.length + 16);
  });

  it('of a document is stored and journaled with the hashes of its bytes', async () => {
    const content = Buffer.alloc(2 * 1024 * 1024 + 1, '%PDF-1.7 ');
    const body = JSON.stringify(document(content.toString('base64')));
    const answer = await client.post(documents, body, { 'Content-Type': 'application/json' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toMatchObject({ sha256: hashOf(content) });
    const [journaled] = (await client.get('/_sandbox/requests?operation=uploadDocument')).body.data;
    const { request } = (await client.get(`/_sandbox/requests/${journaled.id}`)).body.data;
    expect(request.body_sha256).toBe(hashOf(body));
  });

  const long = Buffer.alloc(150_000, 'a long document').toString('base64');
  const content = Buffer.from(long, 'base64');

  it.each([
    ['plain', `{"file": "${long}"}`],
    ['with escaped slashes', `{"file": "${Buffer.alloc(150_000, 255).toString('base64').replaceAll('/', '\\/')}"}`],
    ['with every letter escaped', `{"file": "${long.replaceAll('Y', '\\u0059')}"}`],
    ['by an escaped name', `{"f\\u0069le" :\n "${long}"}`],
    ['beside other long strings', `{"note": "${'ü\\"'.repeat(60_000)}", "file": "${long}", "n": ["${long}"]}`],
    ['after what looks like a mark', `{"a": "\\u0000long 0", "b": "\\\\", "file": "${long}"}`],
  ])('has its file decoded: %s', async (_, text) => {
    const { file } = JSON.parse(text);
    const { json, files } = await read(text);
    const expected = Buffer.from(file, 'base64');
    expect(json).toMatchObject({ file: hashOf(expected) });
    expect(files.get(hashOf(expected))?.bytes.equals(expected)).toBe(true);
  });

  it('keeps the beginning of other long strings, and tells them apart', async () => {
    const [a, b, c] = await Promise.all(['x', 'y', 'x'].map((end) => read(`{"note": "${'é'.repeat(90_000)}${end}"}`)));
    expect(a?.json).toEqual({ note: expect.stringMatching(/^é{65536}/) });
    expect(a?.json).not.toEqual(b?.json);
    expect(a).toEqual(c);
  });

  it.each([
    ['without padding', 'A'.repeat(99_999)],
    ['with padding in the middle', `${'A'.repeat(99_998)}==${'A'.repeat(8)}`],
    ['with a line break', `${'A'.repeat(99_999)}\\n`],
    ['with an umlaut', `${'A'.repeat(99_999)}ü`],
  ])('has no file in what is not base64: %s', async (_, text) => {
    const { json, files } = await read(`{"file": "${text}"}`);
    expect(files.size).toBe(0);
    expect(json).toEqual({ file: '?' });
  });

  it.each([
    ['a line break in a long string', `{"a": "${'x'.repeat(300_000)}\n"}`, /cannot be parsed/],
    ['half an escape at the end of one', `{"a": "${'x'.repeat(300_000)}\\u00"}`, /cannot be parsed/],
    ['a long string without an end', `{"a": "${'x'.repeat(300_000)}`, /ends too early/],
    ['a long string whose end is escaped', `{"a": "${'x'.repeat(300_000)}\\"}`, /ends too early/],
    ['a comma too many', `{"a": "${'x'.repeat(300_000)}",}`, /position 300010$/],
    ['a reserved name beside a long string', `{"__proto__": {}, "a": "${'x'.repeat(300_000)}"}`, /reserved name/],
  ])('is refused as any other: with %s', async (_, text, reason) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'validation_error',
      detail: { fields: { body: expect.stringMatching(reason) } },
    });
  });

  it.each([
    ['numbers', `{"file": "${long}", "list": [${'1,'.repeat(BODY_LIMIT / 2)}1]}`],
    ['short strings', `{"list": [${'"a",'.repeat(BODY_LIMIT)}"a"], "file": "${long}"}`],
    ['a long name', `{"${'k'.repeat(2 * BODY_LIMIT)}": 1}`],
    ['space', `{"file": "${long}"${' '.repeat(2 * BODY_LIMIT)}}`],
  ])('is 413 with more than the usual limit beside its file: %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'payload_too_large', status: 413 });
  });

  it('of a document is compared by its content under an idempotency key', async () => {
    const headers = { 'Idempotency-Key': '6f1f4dc5-6d1c-4a4b-9a52-0c0c0d1f2a10' };
    const first = await client.post(documents, document(long), headers);
    const again = await client.post(documents, JSON.stringify(document(long), null, 2), {
      ...headers,
      'Content-Type': 'application/json',
    });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data.document_id).toBe(first.body.data.document_id);
    const other = await client.post(documents, document(Buffer.from(`${content}.`).toString('base64')), headers);
    expectError(other, 409, 'idempotency_conflict');
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
