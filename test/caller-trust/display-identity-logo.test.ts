// The logo of a display identity: `spec.md` "When enterprise registration […] is required" (branded calling), and the
// assumption display_logo.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BmpForm, bmp, withNumber } from '../support/bmp.ts';
import { approve, contentOf, dataOf, IDENTITIES, IDENTITY, upload } from '../support/caller-trust.ts';
import { type Answer, expectError } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, sample, thorough } from '../support/thorough.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const submitIdentity = (more: object = {}, headers = {}): Promise<Answer> =>
  client.post(IDENTITIES, { ...IDENTITY, ...more }, headers);

describe('the logo of a display identity', () => {
  const submitWithLogo = async (content: Buffer, content_type = 'image/bmp'): Promise<Answer> => {
    const { document_id } = dataOf(await upload(client, content, { filename: 'logo.bmp', content_type }), 201);
    await sandbox.clock.advance('5s');
    return submitIdentity({ logo_document_id: document_id });
  };
  const expectRefused = (answer: Answer, found: string | RegExp): void => {
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
    const message = answer.body.error.fields.logo_document_id;
    expect(message).toMatch(found);
    expect(message).toContain(
      'exactly 256 by 256 pixels, with 1, 4, 8, 16, 24, 32 bits per pixel and at most 1000000 bytes',
    );
    expect(answer.headers['x-sandbox-assumptions']).toContain('display_logo');
  };

  it('is a verified BMP document that stays with the identity', async () => {
    await approve(client, sandbox);
    const logo = bmp();
    const { document_id } = dataOf(await upload(client, logo, { content_type: 'image/bmp' }), 201);
    const early = await submitIdentity({ logo_document_id: document_id });
    expectError(early, 409, 'conflict');
    expect(early.body.error.message).toContain('pending');
    await sandbox.clock.advance('5s');
    expect(dataOf(await submitIdentity({ logo_document_id: document_id }), 201).logo_document_id).toBe(document_id);
    await sandbox.clock.advance('60s');
    const [approved] = dataOf(await client.get(IDENTITIES));
    expect(approved).toMatchObject({ status: 'approved', logo_document_id: document_id });
    const { bytes, headers } = await contentOf(sandbox.url, client, approved.logo_document_id);
    expect(bytes.equals(logo)).toBe(true);
    expect(headers['content-type']).toBe('image/bmp');
  });

  it.each([
    ['names no document', 'nope', 404, 'not_found'],
    ['was denied', 'doc_old_logo', 409, 'conflict'],
  ])('that %s is rejected, and the response names the field', async (_, logo_document_id, status, code) => {
    await approve(client, sandbox);
    const answer = await submitIdentity({ logo_document_id });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
    expect(answer.body.error.message).toContain(`"${logo_document_id}"`);
  });

  const forms: readonly [string, BmpForm][] = [
    ['with rows from top to bottom', { height: -256 }],
    ['of 1 bit per pixel', { depth: 1 }],
    ['of 4 bits per pixel', { depth: 4 }],
    ['of 8 bits per pixel', { depth: 8 }],
    ['of 16 bits per pixel', { depth: 16 }],
    ['of 32 bits per pixel', { depth: 32 }],
    ['in the oldest version', { header: 12 }],
    ['in the OS/2 version', { header: 64 }],
    ['in the newest version, with colour masks', { header: 124, depth: 32, compression: 3 }],
    ['of exactly 1,000,000 bytes', { trailing: 1_000_000 - bmp().length }],
  ];
  it.each(sample(forms, ([, form]) => Object.keys(form).join()))('may be a BMP %s', async (_, form) => {
    await approve(client, sandbox);
    dataOf(await submitWithLogo(bmp(form)), 201);
  });

  it('may have a zero file size in its header, as some programs write it', async () => {
    await approve(client, sandbox);
    dataOf(await submitWithLogo(withNumber(bmp(), 2, 0)), 201);
  });

  it('is judged by its content, not by the declared content type', async () => {
    await approve(client, sandbox);
    dataOf(await submitWithLogo(bmp(), 'application/octet-stream'), 201);
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    expectRefused(
      await submitWithLogo(png),
      /declared image\/bmp, which is not a BMP: its bytes begin with 89 50 4e 47/,
    );
    expectRefused(
      await submitIdentity({ logo_document_id: 'doc_business_licence' }),
      /declared text\/plain, which is not a BMP/,
    );
  });

  const faults: readonly [string, Buffer, RegExp][] = [
    ['too narrow', bmp({ width: 255 }), /255 by 256 pixels, with 24 bits per pixel/],
    ['too high', bmp({ height: 257 }), /256 by 257 pixels/],
    ['too high with rows from top to bottom', bmp({ height: -257 }), /256 by 257 pixels/],
    ['too deep', bmp({ depth: 48 }), /48 bits per pixel/],
    ['of an unknown depth', bmp({ depth: 7 }), /7 bits per pixel/],
    ['one byte too large', bmp({ trailing: 1_000_001 - bmp().length }), /and 1000001 bytes/],
    ['compressed', bmp({ compression: 1, depth: 8 }), /a compressed BMP \(RLE8\)/],
    ['compressed with an unknown method', bmp({ compression: 77 }), /a compressed BMP \(method 77\)/],
    ['compressed with an OS/2 method', bmp({ header: 64, compression: 3 }), /a compressed BMP \(method 3\)/],
    ['cut off after its signature', Buffer.from('BM'), /ends after 2 bytes, within its headers/],
    ['cut off in its image header', bmp().subarray(0, 53), /ends after 53 bytes, within its headers/],
    [
      'cut off in its pixels',
      withNumber(bmp().subarray(0, -1), 2, 0),
      /its pixels end at byte 196662, and it has 196661/,
    ],
    ['shorter than its header says', bmp().subarray(0, -1), /claims to have 196662 bytes but has 196661/],
    ['four gigabytes long by its header', withNumber(bmp(), 2, 0xffff_ffff), /claims to have 4294967295 bytes/],
    ['said to have a header of four gigabytes', withNumber(bmp(), 14, 0xffff_ffff), /size of 4294967295 bytes/],
    ['said to have a header of 41 bytes', withNumber(bmp(), 14, 41), /size of 41 bytes/],
    ['zero pixels wide', withNumber(bmp(), 18, 0), /0 by 256 pixels/],
    ['of a negative width', withNumber(bmp(), 18, 0xffff_ff00), /-256 by 256 pixels/],
    ['of the lowest negative height', withNumber(bmp(), 22, 0x8000_0000), /256 by 2147483648 pixels/],
    ['of two planes', bmp({ planes: 2 }), /2 planes/],
    ['said to have pixels inside its headers', withNumber(bmp(), 10, 53), /begin at byte 53/],
    [
      'said to have pixels beyond its end',
      withNumber(bmp(), 10, 0xffff_ffff),
      /a truncated BMP: its pixels end at byte/,
    ],
  ];
  const withoutValues = ([, , found]: (typeof faults)[number]): string => found.source.replaceAll(/-?\d+/g, '');
  it.each(sample(faults, withoutValues))('is rejected if %s', async (_, content, found) => {
    await approve(client, sandbox);
    expectRefused(await submitWithLogo(content), found);
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
  });

  it('is accepted exactly if size, depth and length are allowed, for random headers', async () => {
    await approve(client, sandbox);
    const side = fc.oneof(fc.constantFrom(256, 256, 256, 255, 257), fc.integer({ min: 1, max: 300 }));
    const forms = fc.record({
      width: side,
      height: fc.tuple(side, fc.constantFrom(1, -1)).map(([height, sign]) => height * sign),
      depth: fc.constantFrom(1, 4, 8, 16, 24, 32, 2, 48, 64),
      header: fc.constantFrom(40, 52, 56, 108, 124),
      trailing: fc.constantFrom(0, 0, 900_000),
    });
    const isAllowed = ({ width, height, depth }: Required<Pick<BmpForm, 'width' | 'height' | 'depth'>>, size: number) =>
      width === 256 && Math.abs(height) === 256 && [1, 4, 8, 16, 24, 32].includes(depth) && size <= 1_000_000;
    await fc.assert(
      fc.asyncProperty(forms, async (form) => {
        const file = bmp(form);
        expect((await submitWithLogo(file)).status).toBe(isAllowed(form, file.length) ? 201 : 400);
      }),
      { numRuns: runs(6, 60) },
    );
  });

  it('with random header bytes is accepted or rejected with a clear error', async () => {
    await approve(client, sandbox);
    const changes = fc.array(fc.tuple(fc.nat(13 + 124), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(200), async (bytes, length) => {
        const file = bmp({ header: 124 });
        for (const [at, value] of bytes) file[at] = value;
        for (const content of [file, file.subarray(0, length + 1)]) {
          const answer = await submitWithLogo(content);
          if (answer.status !== 201) expectRefused(answer, /BMP/);
        }
      }),
      { numRuns: runs(5, 40) },
    );
  });

  it.runIf(thorough)('returns 409 once newer documents have displaced its content', async () => {
    await approve(client, sandbox);
    const { document_id } = dataOf(await upload(client, bmp()), 201);
    for (let n = 0; n < 4; n++) dataOf(await upload(client, Buffer.alloc(16 * 1024 * 1024)), 201);
    await sandbox.clock.advance('5s');
    const answer = await submitIdentity({ logo_document_id: document_id });
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
  });
});
