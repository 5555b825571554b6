// CNAM display names: `spec.md` "Other operations named without a shape", the rows of `interface.md` section 9 for
// /v1/phone-numbers, and the `cnam` scenarios of section 3.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, expectError, FROM, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { activeNumber, NUMBERS } from '../support/texting.ts';
import { callerIdOf, readNumber } from './setup.ts';

const { sandbox, client } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('a CNAM display name', () => {
  const setName = (cnam_display_name: unknown, id = 4191, headers = {}): Promise<Answer> =>
    client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name }, headers);

  it('is pending, and approved after 60 seconds, on the number and its caller ID, without an enterprise or brand', async () => {
    expectError(await client.get('/v1/caller-trust/enterprise'), 404, 'not_found');
    expectError(await client.get('/v1/brand'), 404, 'not_found');
    const number = dataOf(await setName('HARBOR NOTES'));
    expect(number).toMatchObject({ id: 4191, cnam_display_name: 'HARBOR NOTES', cnam_status: 'pending' });
    const shown = async (): Promise<unknown[]> => {
      const { cnam_display_name, cnam_status } = await readNumber(client, 4191);
      const callerId = await callerIdOf(client, '+14155550191');
      return [cnam_display_name, cnam_status, callerId.cnam_display_name, callerId.cnam_status];
    };
    expect(await shown()).toEqual(['HARBOR NOTES', 'pending', 'HARBOR NOTES', 'pending']);
    await sandbox.clock.advance('59999ms');
    expect(await shown()).toEqual(['HARBOR NOTES', 'pending', 'HARBOR NOTES', 'pending']);
    await sandbox.clock.advance('1ms');
    expect(await shown()).toEqual(['HARBOR NOTES', 'approved', 'HARBOR NOTES', 'approved']);
  });

  it('of an ordered number shows on its caller ID', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    dataOf(await setName('NEW YORK DESK', id));
    await sandbox.clock.advance('60s');
    expect(await callerIdOf(client, phone_number)).toMatchObject({
      cnam_display_name: 'NEW YORK DESK',
      cnam_status: 'approved',
    });
  });

  it('is rejected with the scenario cnam_rejected, and can be set again', async () => {
    dataOf(await setName('HARBOR NOTES'));
    await sandbox.clock.advance('60s');
    dataOf(await setName('HARBOR ONE', 4191, playing('cnam_rejected')));
    await sandbox.clock.advance('60s');
    // Not the name approved before: no other field shows the rejection.
    expect(await readNumber(client, 4191)).toMatchObject({ cnam_display_name: 'HARBOR ONE', cnam_status: 'rejected' });
    dataOf(await setName('HARBOR TWO'));
    expect(await readNumber(client, 4191)).toMatchObject({ cnam_display_name: 'HARBOR TWO', cnam_status: 'pending' });
    await sandbox.clock.advance('60s');
    expect((await readNumber(client, 4191)).cnam_status).toBe('approved');
  });

  it('replaces a pending one, whose decision is cancelled', async () => {
    dataOf(await setName('HARBOR ONE', 4191, playing('cnam_rejected')));
    await sandbox.clock.advance('30s');
    dataOf(await setName('HARBOR TWO'));
    await sandbox.clock.advance('59s');
    expect(await readNumber(client, 4191)).toMatchObject({ cnam_display_name: 'HARBOR TWO', cnam_status: 'pending' });
    await sandbox.clock.advance('1s');
    expect((await readNumber(client, 4191)).cnam_status).toBe('approved');
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });

  it('shows on its caller ID in the fixture, in every response with that caller ID', async () => {
    const shown = { cnam_display_name: 'HARBOR DENTAL', cnam_status: 'approved' };
    const { caller_id_id, ...callerId } = await callerIdOf(client, FROM);
    expect(callerId).toMatchObject(shown);
    expect(dataOf(await client.delete(`/v1/caller-ids/${caller_id_id}`))).toMatchObject(shown);
    expect(dataOf(await client.post('/v1/caller-ids', { phone_number: FROM }), 201)).toMatchObject(shown);
  });

  it.each(['A', 'Harbor Dental', 'HARBOR, 2 CO.', 'a1234567890123.', 'Policewoman Co', 'Caller Coffee'])(
    'may be %j',
    async (name) => {
      expect(dataOf(await setName(name)).cnam_display_name).toBe(name);
    },
  );

  it.each<[unknown, string]>([
    ['', 'empty'],
    ['SIXTEEN LETTERS.', 'over 15 characters'],
    ['1 HARBOR', 'leading digit'],
    [' HARBOR', 'leading space'],
    ['HARBOR-DENTAL', 'hyphen'],
    ['HARBOR & SON', 'ampersand'],
    ['CAFÉ', 'accent'],
    ['FBI', 'prohibited term'],
    ['F.B.I. Office', 'prohibited term with periods'],
    ['Harbor Police', 'prohibited term'],
    ['police.harbor', 'prohibited term'],
    ['US GOVERNMENT', 'prohibited term'],
    ['Medicare Plan', 'prohibited term'],
    ['Social.Security', 'prohibited term'],
    ['Unknown', 'generic name'],
    ['WIRELESS CALLER', 'generic name'],
    [null, 'null'],
    [7, 'number'],
    [undefined, 'missing'],
  ])('cannot be %j (%s)', async (name) => {
    const before = await readNumber(client, 4191);
    const answer = await setName(name);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['cnam_display_name']);
    expect(await readNumber(client, 4191)).toEqual(before);
  });
});
