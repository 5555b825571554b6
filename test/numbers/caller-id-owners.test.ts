// Which numbers can become a caller ID, and for whom: only dialable ones, and never those that another organization of
// the world holds (`interface.md` sections 2 and 3).
import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, expectError, FROM } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { NUMBERS } from '../support/texting.ts';
import { childOf, clientWith } from '../support/world.ts';
import { addCallerId, callerIdOf, codeOf, dialFrom, expectVerified, listCallerIds, NEW, verify } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });

/** A key of the default fixture's sub-entity. */
let child: Client;
beforeEach(async () => {
  await sandbox.reset();
  child = await childOf(sandbox.url, client);
});

const OF_CHILD = '+14155550194';

const undialable = [
  ...['+15', '+1911', '+1411', '+1988', '+911', '+112', '+999', '+1976', '+19005550123', '+12129761234'],
  ...['+11125550100', '+12121550100', '+1212555010', '+121255501000', '+999123456789', '+4412345'],
];

describe('a number that cannot be called', () => {
  it.each(undialable)('%s cannot become a caller ID', async (number) => {
    const before = await listCallerIds(client);
    const answer = await addCallerId(client, number);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
    expect(await listCallerIds(client)).toEqual(before);
  });

  it.each(undialable)('%s cannot be texted', async (to_number) => {
    const answer = await client.post('/v1/sms/send', { to_number, body: 'Hello' });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['to_number']);
  });

  it.each(['+442079460018', '+61491570156', '+18005550123'])('unlike %s, which can become one', async (number) => {
    expect((await addCallerId(client, number)).status).toBe(201);
  });
});

describe('a number of another organization of the world', () => {
  it.each([
    ['an umbrella cannot verify a number of its child', OF_CHILD, () => client],
    ['a child cannot verify a number of its umbrella', FROM, () => child],
    ['a child cannot verify an unverified number of its umbrella', '+14155550193', () => child],
  ])('%s', async (_, number, by) => {
    const before = await listCallerIds(by());
    const answer = await addCallerId(by(), number);
    expectError(answer, 409, 'conflict');
    expect(Object.keys(answer.body.error.fields)).toEqual(['phone_number']);
    expect(answer.headers['x-sandbox-assumptions']).toContain('create_caller_id');
    expectError(await dialFrom(by(), number), 422, 'call_id_not_verified');
    expect(await listCallerIds(by())).toEqual(before);
  });

  it('is no longer a caller ID of the umbrella once the child orders it', async () => {
    const { caller_id_id } = (await addCallerId(client, NEW)).body.data;
    await sandbox.clock.advance('1m');
    expectVerified(await verify(client, caller_id_id, await codeOf(client, caller_id_id)), true);
    expect((await dialFrom(client, NEW)).status).toBe(202);

    expect((await child.post(NUMBERS, { phone_number: NEW })).status).toBe(201);
    await sandbox.clock.advance('1m');
    expect(await callerIdOf(client, NEW)).toMatchObject({ status: 'REVOKED', active: false });
    expectError(await dialFrom(client, NEW), 422, 'call_id_not_verified');
    expectError(await addCallerId(client, NEW), 409, 'conflict');
    expect((await dialFrom(child, NEW)).status).toBe(202);
  });

  it('can be verified by anyone once it is released', async () => {
    await child.delete(`${NUMBERS}/4194`);
    expect((await addCallerId(client, OF_CHILD)).status).toBe(201);
  });

  it('may be verified by both if it belongs to neither', async () => {
    for (const by of [client, child]) expect((await addCallerId(by, NEW)).status).toBe(201);
  });
});

describe('records of an umbrella and its child', () => {
  it('are each read, changed and deleted by their own organization only: 404 for the other', async () => {
    const scopes: string[] = (await client.get('/_sandbox/catalog')).body.data.scopes;
    const parent = await clientWith(sandbox.url, client, { scopes });
    const sides: [by: Client, number: number, digits: string][] = [
      [parent, 4194, OF_CHILD],
      [child, 4190, FROM],
    ];
    for (const [by, number, digits] of sides) {
      const theirs = (await callerIdOf(by === parent ? child : parent, digits)).caller_id_id;
      for (const answer of [
        await by.get(`${NUMBERS}/${number}`),
        await by.patch(`${NUMBERS}/${number}`, { name: 'Mine' }),
        await by.put(`${NUMBERS}/${number}/cnam`, { cnam_display_name: 'MINE' }),
        await by.delete(`${NUMBERS}/${number}`),
        await by.post(`/v1/caller-ids/${theirs}/verify`, { verification_code: '123456' }),
        await by.delete(`/v1/caller-ids/${theirs}`),
      ]) {
        expectError(answer, 404, 'not_found');
      }
      expect((await listCallerIds(by)).map(({ phone_number }) => phone_number)).not.toContain(digits);
    }
    expect((await dialFrom(child, OF_CHILD)).status).toBe(202);
    expect((await dialFrom(client, FROM)).status).toBe(202);
  });
});
