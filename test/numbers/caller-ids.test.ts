// Listing and adding caller IDs: `spec.md` "Caller ID" under "Resources and their fields" and "Caller IDs" under
// "Endpoints".
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { childOf, instant, pagesOf, START } from '../support/world.ts';
import {
  addCallerId,
  callerIdOf,
  codeOf,
  expectVerified,
  idOfCallerId,
  listCallerIds,
  NEW,
  PENDING,
  REVOKED,
  SECOND,
  verify,
} from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual' });
beforeEach(() => sandbox.reset());

const DAY = 86_400_000;

describe('the list of caller IDs', () => {
  it('has at least one of each state in the fixture, revoked included', async () => {
    const rows = (await listCallerIds(client)).map(({ phone_number, status, active }) => [
      phone_number,
      status,
      active,
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        [FROM, 'VERIFIED', true],
        [SECOND, 'VERIFIED', true],
        ['+14155550192', 'VERIFIED', true],
        [PENDING, 'PENDING_VERIFICATION', true],
        [REVOKED, 'REVOKED', false],
      ]),
    );
    expect(rows).toHaveLength(5);
  });

  it('shows every field of the specification', async () => {
    expect(await callerIdOf(client, FROM)).toEqual({
      caller_id_id: expect.stringMatching(/./),
      phone_number: FROM,
      status: 'VERIFIED',
      verified_at: instant(-90 * DAY + 60_000),
      certification_method: 'verification_call',
      cnam_display_name: 'HARBOR DENTAL',
      cnam_status: 'approved',
      rcd_display_name: null,
      rcd_status: null,
      active: true,
      created_at: instant(-90 * DAY),
      updated_at: instant(-90 * DAY + 60_000),
    });
  });

  it('has the meta of agents', async () => {
    expect((await client.get('/v1/caller-ids')).body.meta).toEqual({ page_size: 25, cursor: null });
  });

  it('is oldest first, as the assumption says', async () => {
    const created = (await listCallerIds(client)).map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort());
  });

  it('is paged by cursor and page_size, and pages do not shift when one is added', async () => {
    const before = await listCallerIds(client);
    const first = (await client.get('/v1/caller-ids?page_size=3')).body;
    await addCallerId(client, NEW);
    const second = (await client.get(`/v1/caller-ids?page_size=3&cursor=${first.meta.cursor}`)).body;
    expect([...first.data, ...second.data].map(({ phone_number }) => phone_number)).toEqual([
      ...before.map(({ phone_number }) => phone_number),
      NEW,
    ]);
    expect(second.meta).toEqual({ page_size: 3, cursor: null });
    const pages = await pagesOf(client, '/v1/caller-ids', 1);
    expect(pages.flatMap(({ data }) => data)).toEqual(await listCallerIds(client));
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=x', 'cursor=x', 'status=VERIFIED'])(
    'with %s returns 400 and names the parameter',
    async (query) => {
      const answer = await client.get(`/v1/caller-ids?${query}`);
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('adding a caller ID', () => {
  it('returns 201 and a PENDING_VERIFICATION caller ID, and lists it', async () => {
    const answer = await addCallerId(client, NEW);
    expect(answer.status).toBe(201);
    expect(answer.headers['x-sandbox-scenario']).toBe('verification_call');
    expect(answer.body.data).toEqual({
      caller_id_id: expect.stringMatching(/./),
      phone_number: NEW,
      status: 'PENDING_VERIFICATION',
      verified_at: null,
      certification_method: null,
      cnam_display_name: null,
      cnam_status: null,
      rcd_display_name: null,
      rcd_status: null,
      active: true,
      created_at: START,
      updated_at: START,
    });
    expect(await callerIdOf(client, NEW)).toEqual(answer.body.data);
    expect(await listCallerIds(client)).toHaveLength(6);
  });

  it.each([
    ['absent', {}],
    ['null', { phone_number: null }],
    ['a number', { phone_number: 12125550160 }],
    ['empty', { phone_number: '' }],
    ['without a plus sign', { phone_number: '12125550160' }],
    ['written with spaces', { phone_number: '+1 212 555 0160' }],
    ['too long', { phone_number: '+1234567890123456' }],
  ])('rejects a phone_number that is %s', async (_, body) => {
    const answer = await client.post('/v1/caller-ids', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
    expect(await listCallerIds(client)).toHaveLength(5);
  });

  it('returns 409 that names the state if it is VERIFIED, and changes nothing', async () => {
    const before = await listCallerIds(client);
    const answer = await addCallerId(client, FROM);
    expectError(answer, 409, 'conflict');
    expect(answer.body.error.message).toContain('VERIFIED');
    expect(await listCallerIds(client)).toEqual(before);
  });

  it('starts another verification call if it is pending: same id, new code, old code invalid', async () => {
    const { caller_id_id: id, created_at } = (await addCallerId(client, NEW)).body.data;
    const old = await codeOf(client, id);
    await sandbox.clock.advance('1m');
    const again = await addCallerId(client, NEW);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({ caller_id_id: id, status: 'PENDING_VERIFICATION', created_at });
    const code = await codeOf(client, id);
    expect(code).not.toBe(old);
    expectVerified(await verify(client, id, old), false);
    expectVerified(await verify(client, id, code), true);
    expect(await listCallerIds(client)).toHaveLength(6);
  });
});

describe('caller IDs of a child organization', () => {
  it("are invisible to its parent, and the parent's to the child", async () => {
    const child = await childOf(sandbox.url, client);
    const own = await listCallerIds(child);
    expect(own.map(({ phone_number, status }) => [phone_number, status])).toEqual([['+14155550194', 'VERIFIED']]);
    const id = own[0].caller_id_id;
    expectError(await verify(client, id, '000000'), 404, 'not_found');
    expectError(await client.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
    const above = await idOfCallerId(client, PENDING);
    expectError(await verify(child, above, await codeOf(client, above)), 404, 'not_found');
    expectError(await child.delete(`/v1/caller-ids/${above}`), 404, 'not_found');
    expect(await listCallerIds(child)).toEqual(own);
    expect((await callerIdOf(client, PENDING)).status).toBe('PENDING_VERIFICATION');
  });

  it('can be added by the child and stay invisible to the parent', async () => {
    const child = await childOf(sandbox.url, client);
    expect((await child.post('/v1/caller-ids', { phone_number: NEW })).status).toBe(201);
    expect(await callerIdOf(child, NEW)).toMatchObject({ status: 'PENDING_VERIFICATION' });
    expect(await callerIdOf(client, NEW)).toBeUndefined();
  });
});
