// Display identities: `spec.md` "When enterprise registration […] is required" (branded calling) and the `rcd_*` fields
// of "Caller ID"; the row cnam_status, rcd_status of `interface.md` section 9, and the ledger's display_logo.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type BmpForm, bmp, withNumber } from './support/bmp.ts';
import {
  approve,
  contentOf,
  dataOf,
  draft,
  IDENTITIES,
  IDENTITY,
  playing,
  sign,
  upload,
} from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { runs, thorough } from './support/thorough.ts';
import { childOf, instant, pagesOf } from './support/world.ts';

const PENDING = '+14155550193';

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const brand = (more: object = {}, headers = {}): Promise<Answer> =>
  client.post(IDENTITIES, { ...IDENTITY, ...more }, headers);
const callerIds = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get('/v1/caller-ids'));
const rcdOf = async (number: string): Promise<[string, string]> => {
  const found = (await callerIds()).find(({ phone_number }) => phone_number === number);
  return [found.rcd_display_name, found.rcd_status];
};

describe('submitting a display identity', () => {
  it('answers 201 with one that waits for its review', async () => {
    const enterprise = await approve(client, sandbox);
    const answer = await brand();
    expect(answer.headers['x-sandbox-scenario']).toBe('display_identity_approved');
    expect(dataOf(answer, 201)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enterprise_id: enterprise.id,
      ...IDENTITY,
      logo_document_id: null,
      status: 'pending',
      rejection_reasons: [],
      created_at: instant(40_000),
      updated_at: instant(40_000),
    });
    expect(dataOf(await client.get(IDENTITIES))).toEqual([answer.body.data]);
  });

  it('is approved 60 seconds later', async () => {
    await approve(client, sandbox);
    const submitted = dataOf(await brand(), 201);
    await sandbox.clock.advance('59999ms');
    expect(dataOf(await client.get(IDENTITIES))).toEqual([submitted]);
    await sandbox.clock.advance('1ms');
    const approved = { ...submitted, status: 'approved', updated_at: instant(100_000) };
    expect(dataOf(await client.get(IDENTITIES))).toEqual([approved]);
  });

  it('can be rejected, with reasons', async () => {
    await approve(client, sandbox);
    dataOf(await brand({}, playing('display_identity_rejected')), 201);
    await sandbox.clock.advance('60s');
    const [rejected] = dataOf(await client.get(IDENTITIES));
    expect(rejected).toMatchObject({ status: 'rejected', rejection_reasons: [expect.stringMatching(/./)] });
    expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'rejected']);
  });

  it('is 409 without an enterprise, and with one that is not APPROVED; the answer names the state', async () => {
    expectError(await brand(), 409, 'conflict');
    await draft(client);
    for (const state of ['DRAFT', 'PENDING_VETTING', 'REJECTED']) {
      if (state === 'PENDING_VETTING') await sign(client, {}, playing('vetting_rejected'));
      if (state === 'REJECTED') await sandbox.clock.advance('40s');
      const answer = await brand();
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(new RegExp(`is ${state};.*APPROVED`));
    }
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
    expect(await rcdOf(FROM)).toEqual([null, null]);
  });

  it.each([
    ['display_name', undefined, 'display_name'],
    ['display_name', null, 'display_name'],
    ['display_name', '', 'display_name'],
    ['display_name', ' ', 'display_name'],
    ['display_name', 'x'.repeat(36), 'display_name'],
    ['call_reasons', undefined, 'call_reasons'],
    ['call_reasons', 'Reminder', 'call_reasons'],
    ['call_reasons', [], 'call_reasons'],
    ['call_reasons', ['a', 'a'], 'call_reasons'],
    ['call_reasons', Array.from({ length: 11 }, (_, n) => `Reason ${n}`), 'call_reasons'],
    ['call_reasons', ['x'.repeat(65)], 'call_reasons.0'],
    ['call_reasons', ['fine', ''], 'call_reasons.1'],
    ['logo_document_id', 5, 'logo_document_id'],
    ['logo_document_id', '', 'logo_document_id'],
  ])('with an invalid %s is 400 and names it (case %#)', async (field, value, named) => {
    await approve(client, sandbox);
    const answer = await brand({ [field]: value });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([named]);
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
  });

  it('takes a name of 35 characters, ten reasons of 64, and a field that it does not know', async () => {
    await approve(client, sandbox);
    const call_reasons = Array.from({ length: 10 }, (_, n) => String(n).repeat(64));
    dataOf(await brand({ display_name: 'x'.repeat(35), call_reasons, color: 'red' }), 201);
  });

  it('is listed newest first, counted, and paged', async () => {
    await approve(client, sandbox);
    for (const display_name of ['One', 'Two', 'Three']) dataOf(await brand({ display_name }), 201);
    const { data, meta } = (await client.get(IDENTITIES)).body;
    expect(data.map((each: { display_name: string }) => each.display_name)).toEqual(['Three', 'Two', 'One']);
    expect(meta).toEqual({ cursor: null, total_results: 3, page_size: 25 });
    expect((await pagesOf(client, IDENTITIES, 2)).flatMap((page) => page.data)).toEqual(data);
  });
});

describe('the logo of a display identity', () => {
  const asked = async (content: Buffer, content_type = 'image/bmp'): Promise<Answer> => {
    const { document_id } = dataOf(await upload(client, content, { filename: 'logo.bmp', content_type }), 201);
    await sandbox.clock.advance('5s');
    return brand({ logo_document_id: document_id });
  };
  const expectRefused = (answer: Answer, found: string | RegExp): void => {
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
    const said = answer.body.error.fields.logo_document_id;
    expect(said).toMatch(found);
    expect(said).toContain(
      'exactly 256 by 256 pixels, with 1, 4, 8, 16, 24, 32 bits per pixel and at most 1000000 bytes',
    );
    expect(answer.headers['x-sandbox-assumptions']).toContain('display_logo');
  };

  it('is a verified BMP, stays with the identity, and can be read', async () => {
    await approve(client, sandbox);
    const logo = bmp();
    const { document_id } = dataOf(await upload(client, logo, { content_type: 'image/bmp' }), 201);
    const early = await brand({ logo_document_id: document_id });
    expectError(early, 409, 'conflict');
    expect(early.body.error.message).toContain('pending');
    await sandbox.clock.advance('5s');
    expect(dataOf(await brand({ logo_document_id: document_id }), 201).logo_document_id).toBe(document_id);
    await sandbox.clock.advance('60s');
    const [approved] = dataOf(await client.get(IDENTITIES));
    expect(approved).toMatchObject({ status: 'approved', logo_document_id: document_id });
    const { bytes, headers } = await contentOf(sandbox.url, client, approved.logo_document_id);
    expect(bytes.equals(logo)).toBe(true);
    expect(headers.get('content-type')).toBe('image/bmp');
  });

  it.each([
    ['names nothing', 'nope', 404, 'not_found'],
    ['was denied', 'doc_old_logo', 409, 'conflict'],
  ])('that %s is refused, by its field', async (_, logo_document_id, status, code) => {
    await approve(client, sandbox);
    const answer = await brand({ logo_document_id });
    expectError(answer, status, code);
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
    expect(answer.body.error.message).toContain(`"${logo_document_id}"`);
  });

  it.each<[string, BmpForm]>([
    ['whose first row is the top one', { height: -256 }],
    ['of one bit a pixel', { depth: 1 }],
    ['of four bits a pixel', { depth: 4 }],
    ['of eight bits a pixel', { depth: 8 }],
    ['of sixteen bits a pixel', { depth: 16 }],
    ['of 32 bits a pixel', { depth: 32 }],
    ['in the oldest form', { header: 12 }],
    ['in the form of OS/2', { header: 64 }],
    ['in the newest form, with masks for its colours', { header: 124, depth: 32, compression: 3 }],
    ['of exactly 1,000,000 bytes', { trailing: 1_000_000 - bmp().length }],
  ])('may be a BMP %s', async (_, form) => {
    await approve(client, sandbox);
    dataOf(await asked(bmp(form)), 201);
  });

  it('may claim to be shorter than it is, as some programs write it', async () => {
    await approve(client, sandbox);
    dataOf(await asked(withNumber(bmp(), 2, 0)), 201);
  });

  it('is looked at itself: what it was declared as does not count', async () => {
    await approve(client, sandbox);
    dataOf(await asked(bmp(), 'application/octet-stream'), 201);
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    expectRefused(await asked(png), /declared image\/bmp, which is not a BMP: its bytes begin with 89 50 4e 47/);
    expectRefused(
      await brand({ logo_document_id: 'doc_business_licence' }),
      /declared text\/plain, which is not a BMP/,
    );
  });

  it.each<[string, Buffer, RegExp]>([
    ['too narrow', bmp({ width: 255 }), /255 by 256 pixels, with 24 bits per pixel/],
    ['too high', bmp({ height: 257 }), /256 by 257 pixels/],
    ['too high, its first row being the top one', bmp({ height: -257 }), /256 by 257 pixels/],
    ['too deep', bmp({ depth: 48 }), /48 bits per pixel/],
    ['of a depth that there is not', bmp({ depth: 7 }), /7 bits per pixel/],
    ['one byte too large', bmp({ trailing: 1_000_001 - bmp().length }), /and 1000001 bytes/],
    ['compressed', bmp({ compression: 1, depth: 8 }), /a compressed BMP \(RLE8\)/],
    ['compressed in a way that there is not', bmp({ compression: 77 }), /a compressed BMP \(method 77\)/],
    ['compressed in the way of OS/2', bmp({ header: 64, compression: 3 }), /a compressed BMP \(method 3\)/],
    ['nothing but its first letters', Buffer.from('BM'), /ends after 2 bytes, within its headers/],
    ['cut off in its second header', bmp().subarray(0, 53), /ends after 53 bytes, within its headers/],
    [
      'cut off in its pixels',
      withNumber(bmp().subarray(0, -1), 2, 0),
      /its pixels end at byte 196662, and it has 196661/,
    ],
    ['shorter than it claims', bmp().subarray(0, -1), /claims to have 196662 bytes but has 196661/],
    ['claiming four gigabytes', withNumber(bmp(), 2, 0xffff_ffff), /claims to have 4294967295 bytes/],
    ['claiming a header of four gigabytes', withNumber(bmp(), 14, 0xffff_ffff), /size of 4294967295 bytes/],
    ['claiming a header of 41 bytes', withNumber(bmp(), 14, 41), /size of 41 bytes/],
    ['of no width', withNumber(bmp(), 18, 0), /0 by 256 pixels/],
    ['of a negative width', withNumber(bmp(), 18, 0xffff_ff00), /-256 by 256 pixels/],
    ['of the height that has no opposite', withNumber(bmp(), 22, 0x8000_0000), /256 by 2147483648 pixels/],
    ['of two planes', bmp({ planes: 2 }), /2 planes/],
    ['with pixels within its headers', withNumber(bmp(), 10, 53), /begin at byte 53/],
    ['with pixels far away', withNumber(bmp(), 10, 0xffff_ffff), /a truncated BMP: its pixels end at byte/],
  ])('is refused %s', async (_, content, found) => {
    await approve(client, sandbox);
    expectRefused(await asked(content), found);
    expect(dataOf(await client.get(IDENTITIES))).toEqual([]);
  });

  it('is taken where all that is asked of it holds, and refused else, whatever its headers say', async () => {
    await approve(client, sandbox);
    const side = fc.oneof(fc.constantFrom(256, 256, 256, 255, 257), fc.integer({ min: 1, max: 300 }));
    const forms = fc.record({
      width: side,
      height: fc.tuple(side, fc.constantFrom(1, -1)).map(([height, sign]) => height * sign),
      depth: fc.constantFrom(1, 4, 8, 16, 24, 32, 2, 48, 64),
      header: fc.constantFrom(40, 52, 56, 108, 124),
      trailing: fc.constantFrom(0, 0, 900_000),
    });
    const holds = ({ width, height, depth }: Required<Pick<BmpForm, 'width' | 'height' | 'depth'>>, size: number) =>
      width === 256 && Math.abs(height) === 256 && [1, 4, 8, 16, 24, 32].includes(depth) && size <= 1_000_000;
    await fc.assert(
      fc.asyncProperty(forms, async (form) => {
        const file = bmp(form);
        expect((await asked(file)).status).toBe(holds(form, file.length) ? 201 : 400);
      }),
      { numRuns: runs(15, 60) },
    );
  });

  it('never fails but clearly, whatever bytes its headers are', async () => {
    await approve(client, sandbox);
    const changes = fc.array(fc.tuple(fc.nat(13 + 124), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(200), async (bytes, length) => {
        const file = bmp({ header: 124 });
        for (const [at, value] of bytes) file[at] = value;
        for (const hostile of [file, file.subarray(0, length + 1)]) {
          const answer = await asked(hostile);
          if (answer.status !== 201) expectRefused(answer, /BMP/);
        }
      }),
      { numRuns: runs(10, 40) },
    );
  });

  it.runIf(thorough)('is 409 once newer documents have taken the room of its bytes', async () => {
    await approve(client, sandbox);
    const { document_id } = dataOf(await upload(client, bmp()), 201);
    for (let n = 0; n < 4; n++) dataOf(await upload(client, Buffer.alloc(16 * 1024 * 1024)), 201);
    await sandbox.clock.advance('5s');
    const answer = await brand({ logo_document_id: document_id });
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['logo_document_id']);
  });
});

describe('what caller IDs show of it', () => {
  it('is its name on every verified one, pending and then approved, and nothing on any other', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    for (const status of ['pending', 'approved']) {
      for (const callerId of await callerIds()) {
        const shown = callerId.status === 'VERIFIED' ? [IDENTITY.display_name, status] : [null, null];
        expect([callerId.rcd_display_name, callerId.rcd_status], callerId.phone_number).toEqual(shown);
      }
      await sandbox.clock.advance('60s');
    }
  });

  it('is the approved one again once a newer one was rejected', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    await sandbox.clock.advance('60s');
    for (const display_name of ['New name', 'Newer name']) {
      dataOf(await brand({ display_name }, playing('display_identity_rejected')), 201);
      expect(await rcdOf(FROM)).toEqual([display_name, 'pending']);
      await sandbox.clock.advance('60s');
      expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'approved']);
    }
    const statuses = dataOf(await client.get(IDENTITIES)).map((each: { status: string }) => each.status);
    expect(statuses).toEqual(['rejected', 'rejected', 'approved']);
  });

  it('is one that is still pending where a newer one was rejected first, and the newest where all were', async () => {
    await approve(client, sandbox);
    dataOf(await brand({}, playing('display_identity_rejected;wait=2m')), 201);
    dataOf(await brand({ display_name: 'New name' }, playing('display_identity_rejected;wait=1m')), 201);
    await sandbox.clock.advance('1m');
    expect(await rcdOf(FROM)).toEqual([IDENTITY.display_name, 'pending']);
    await sandbox.clock.advance('1m');
    expect(await rcdOf(FROM)).toEqual(['New name', 'rejected']);
  });

  it('is that of the newest', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    await sandbox.clock.advance('60s');
    dataOf(await brand({ display_name: 'New name' }), 201);
    expect(await rcdOf(FROM)).toEqual(['New name', 'pending']);
    await sandbox.clock.advance('60s');
    expect(await rcdOf(FROM)).toEqual(['New name', 'approved']);
  });

  it('comes with verification, and goes when the caller ID is revoked', async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    await sandbox.clock.advance('60s');
    expect(await rcdOf(PENDING)).toEqual([null, null]);
    const { caller_id_id } = dataOf(await client.post('/v1/caller-ids', { phone_number: PENDING }), 201);
    const path = `/_sandbox/caller-ids/${caller_id_id}/verification-code`;
    const { verification_code } = dataOf(await client.get(path));
    dataOf(await client.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code }));
    expect(await rcdOf(PENDING)).toEqual([IDENTITY.display_name, 'approved']);
    const revoked = dataOf(await client.delete(`/v1/caller-ids/${caller_id_id}`));
    expect([revoked.rcd_display_name, revoked.rcd_status]).toEqual([null, null]);
    expect(await rcdOf(PENDING)).toEqual([null, null]);
  });

  it("is the organization's own: a child's caller IDs show nothing of it", async () => {
    await approve(client, sandbox);
    dataOf(await brand(), 201);
    const child = await childOf(sandbox.url, client);
    expect((await callerIds(child)).map(({ rcd_status }) => rcd_status)).toEqual([null]);
    expect(dataOf(await child.get(IDENTITIES))).toEqual([]);
    expectError(await child.post(IDENTITIES, IDENTITY), 409, 'conflict');
  });
});
