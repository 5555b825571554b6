// From which verified numbers a call may come: the row caller_id_ownership of the ledger, with both of its values.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, expectError, FROM } from '../support/client.ts';
import { agentsOf } from '../support/outbound.ts';
import { useFreshSandbox } from '../support/sandbox.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

/** The customer's own number at another provider, verified by a call. */
const ELSEWHERE = '+12125550160';

const from = (from_number: string): Promise<Answer> =>
  client.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });
const assume = (value: string): Promise<Answer> => client.put('/_sandbox/assumptions/caller_id_ownership', { value });

async function verifyElsewhere(): Promise<void> {
  const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: ELSEWHERE })).body.data;
  await sandbox.clock.advance('1m');
  const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body.data;
  const answer = await client.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code });
  expect(answer.body.data.verified).toBe(true);
}

describe('a verified number that is not a phone number of the account', () => {
  beforeEach(verifyElsewhere);

  it('may be dialed from by default', async () => {
    const answer = await from(ELSEWHERE);
    expect(answer.status, answer.text).toBe(202);
    const call = await client.readCall(answer.body.call_id);
    expect(call).toMatchObject({ from_number: ELSEWHERE, phone_number_id: null });
    expect((await from('+14155550199')).body.error.resolution_hint).toContain(ELSEWHERE);
  });

  it('may not be used where the ledger says inventory, and the hint names those that may', async () => {
    await assume('inventory');
    try {
      const [agent_id] = await agentsOf(client);
      const asked = { agent_id, from_number: ELSEWHERE };
      for (const answer of [
        await from(ELSEWHERE),
        await client.post('/v1/calls', { ...asked, to_number: '+12125550100' }),
        await client.post('/v1/jobs', { ...asked, to_numbers: ['+12125550100'] }),
      ]) {
        expectError(answer, 422, 'call_id_not_verified');
        expect(Object.keys(answer.body.error.fields)).toEqual(['from_number']);
        expect(answer.headers['x-sandbox-assumptions']).toContain('caller_id_ownership');
        expect(answer.body.error.resolution_hint).toContain(FROM);
        expect(answer.body.error.resolution_hint).not.toContain(ELSEWHERE);
      }
      expect((await from(FROM)).status).toBe(202);
    } finally {
      await assume('verified');
    }
  });

  it('is never chosen for a call or job without from_number', async () => {
    for (const id of [4190, 4191, 4193]) await client.delete(`/v1/phone-numbers/${id}`);
    const [agent_id] = await agentsOf(client);
    expectError(await client.post('/v1/calls', { agent_id, to_number: '+12125550100' }), 409, 'no_active_number');
    expectError(await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550100'] }), 409, 'no_active_number');
    expect((await from(ELSEWHERE)).status).toBe(202);
  });
});
