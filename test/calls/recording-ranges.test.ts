// Parts of a recording: ranges, HEAD and conditional requests, as players and download tools send them.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { rangeIn } from '../../src/control/byte-ranges.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });

describe('a recording', () => {
  let url: string;
  let whole: Buffer;
  let etag: string;

  const get = async (headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(url, { method, headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  beforeAll(async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=20s' });
    await sandbox.clock.untilIdle();
    ({ recording_url: url } = await client.readCall(id));
    const { bytes, headers } = await get();
    whole = bytes;
    etag = String(headers.get('etag'));
  });

  it('offers ranges, and names its bytes by an ETag', async () => {
    const { status, headers } = await get();
    expect(status).toBe(200);
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('content-length')).toBe(String(whole.length));
    expect(headers.get('content-range')).toBeNull();
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  });

  it('HEAD answers the same headers without the bytes', async () => {
    const { status, headers, bytes } = await get({}, 'HEAD');
    expect(status).toBe(200);
    expect(bytes).toHaveLength(0);
    for (const name of ['content-type', 'accept-ranges', 'etag']) expect(headers.get(name), name).not.toBeNull();
    expect(headers.get('content-length')).toBe(String(whole.length));
  });

  it('any single range is 206 with exactly those bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(whole.length * 2), async (first, more) => {
        const last = Math.min(whole.length - 1, first + more);
        const { status, headers, bytes } = await get({ Range: `bytes=${first}-${first + more}` });
        expect(status).toBe(206);
        expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${whole.length}`);
        expect(headers.get('content-length')).toBe(String(bytes.length));
        expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
      }),
      {
        numRuns: 20,
        examples: [
          [0, 0],
          [43, 1],
          [44, 0],
          [0, 43],
          [8043, 1],
          [whole.length - 1, 5],
        ],
      },
    );
  });

  it.each([
    ['bytes=100-', 100, undefined],
    ['bytes=-100', -100, undefined],
    ['bytes=-999999999', 0, undefined],
    ['BYTES=0-1', 0, 2],
  ])('%s is 206', async (Range, start, end) => {
    const { status, bytes } = await get({ Range });
    expect(status).toBe(206);
    expect(bytes.equals(whole.subarray(start, end))).toBe(true);
  });

  it.each(['bytes=160044-', 'bytes=99999999999999999999-', 'bytes=-0'])('%s is 416 with its length', async (Range) => {
    const answer = await client.get(new URL(url).pathname, { Range });
    expect(answer.status).toBe(416);
    expect(answer.headers['content-range']).toBe(`bytes */${whole.length}`);
    expect(answer.body.error).toMatchObject({ code: 'validation_error', fields: { Range: expect.any(String) } });
  });

  it.each([
    'bytes=5-2',
    'bytes=0-1,5-6',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'lines=0-1',
    '0-1',
    'bytes=1.5-2',
    'bytes=--1',
  ])('ignores the header %s', async (Range) => {
    const { status, bytes } = await get({ Range });
    expect(status).toBe(200);
    expect(bytes.equals(whole)).toBe(true);
  });

  it('takes up a download with If-Range if the file is still the same, and starts over otherwise', async () => {
    const Range = 'bytes=160000-';
    expect(await get({ Range, 'If-Range': etag })).toMatchObject({ status: 206 });
    for (const other of ['"another"', `W/${etag}`, 'Mon, 05 Jan 2026 15:00:00 GMT']) {
      const { status, bytes } = await get({ Range, 'If-Range': other });
      expect([status, bytes.length], other).toEqual([200, whole.length]);
    }
    expect(await get({ Range: 'bytes=999999999-', 'If-Range': '"another"' })).toMatchObject({ status: 200 });
  });

  it('is 304 to a client that has it', async () => {
    for (const named of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      const { status, bytes } = await get({ 'If-None-Match': named, Range: 'bytes=0-1' });
      expect([status, bytes.length], named).toEqual([304, 0]);
    }
    expect(await get({ 'If-None-Match': '"another"' })).toMatchObject({ status: 200 });
  });

  it('has another ETag than that of another call, and keeps its own', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=20s' });
    await sandbox.clock.untilIdle();
    const other = await fetch((await client.readCall(id)).recording_url, { method: 'HEAD' });
    expect(other.headers.get('etag')).not.toBe(etag);
    expect((await get()).headers.get('etag')).toBe(etag);
  });

  it('is sent in pieces: a client that leaves, or does not read, delays nobody', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=10m' });
    await sandbox.clock.untilIdle();
    const { recording_url } = await client.readCall(id);
    const before = bytesInUse('arrayBuffers');
    const slow = await Promise.all(Array.from({ length: 20 }, () => fetch(recording_url)));
    for (const { status, headers } of slow) {
      expect([status, headers.get('content-length')]).toEqual([200, '4800044']);
    }
    expect(await get()).toMatchObject({ status: 200 });
    // As files they would take 96 MB.
    expect(bytesInUse('arrayBuffers') - before).toBeLessThan(48_000_000);
    await Promise.all(slow.map((answer) => answer.body?.cancel()));
    expect(await get()).toMatchObject({ status: 200 });
  });

  it('a Range header never leads out of the file', () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
      fc.stringMatching(/^bytes=[\d, -]{0,12}$/),
    );
    fc.assert(
      fc.property(header, fc.integer({ min: 1, max: 5_000_000 }), (range, length) => {
        const read = rangeIn({ range }, '"tag"', length);
        if (read === undefined || read === 'unsatisfiable') return;
        expect(Number.isSafeInteger(read.start) && Number.isSafeInteger(read.end)).toBe(true);
        expect(0 <= read.start && read.start < read.end && read.end <= length).toBe(true);
      }),
    );
  });
});
