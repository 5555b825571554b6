// Configuring phone numbers: `spec.md` "Other operations named without a shape", and the rows of `interface.md` section 9
// for /v1/phone-numbers.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { expectError, FROM, NOWHERE } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { activeNumber, NUMBERS, order } from '../support/texting.ts';
import { childOf, instant } from '../support/world.ts';
import { agentNamed, readNumber } from './setup.ts';

const { sandbox, client } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('configuring a number', () => {
  it('changes only the fields in the request', async () => {
    const before = await readNumber(client, 4190);
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, { name: 'Reception' }))).toEqual({
      ...before,
      name: 'Reception',
    });
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, {})).name).toBe('Reception');
    expect(dataOf(await client.patch(`${NUMBERS}/4190`, { name: null })).name).toBeNull();
    expect(await readNumber(client, 4190)).toEqual({ ...before, name: null });
  });

  it('assigns the agent that answers it from now on', async () => {
    const { id, phone_number } = await activeNumber(client, sandbox);
    const agent = await agentNamed(client, 'Front desk assistant');
    dataOf(await client.patch(`${NUMBERS}/${id}`, { agent_id: agent.id }));
    expect((await agentNamed(client, 'Front desk assistant')).phone_number).toEqual({
      id,
      phone_number,
      provider: 'carrier',
      is_active: true,
    });
    const answer = await client.post('/_sandbox/simulate/inbound-call', { to_number: phone_number });
    expect(dataOf(answer, 201)).toMatchObject({ to_number: phone_number, phone_number_id: String(id) });
    // The agent answered another number before; nobody answers that one now.
    expectError(await client.post('/_sandbox/simulate/inbound-call', { to_number: FROM }), 409, 'conflict');
  });

  it('takes it from its previous agent, and null assigns none', async () => {
    const other = await agentNamed(client, 'Reminder caller');
    dataOf(await client.patch(`${NUMBERS}/4190`, { agent_id: other.id }));
    expect((await agentNamed(client, 'Front desk assistant')).phone_number).toBeNull();
    expect((await agentNamed(client, 'Reminder caller')).phone_number.id).toBe(4190);
    await sandbox.clock.advance('1h');
    dataOf(await client.patch(`${NUMBERS}/4190`, { agent_id: null }));
    expect(await agentNamed(client, 'Reminder caller')).toMatchObject({
      phone_number: null,
      updated_at: instant(3_600_000),
    });
  });

  it('during provisioning shows on the agent, also once the number is active', async () => {
    const { id } = dataOf(await order(client), 201);
    const agent = await agentNamed(client, 'Reminder caller');
    dataOf(await client.patch(`${NUMBERS}/${id}`, { agent_id: agent.id }));
    expect((await agentNamed(client, 'Reminder caller')).phone_number).toMatchObject({ id, is_active: false });
    await sandbox.clock.advance('8s');
    expect((await agentNamed(client, 'Reminder caller')).phone_number).toMatchObject({ id, is_active: true });
  });

  it.each([
    [{ name: 7 }, 400, 'name'],
    [{ name: '' }, 400, 'name'],
    [{ name: 'x'.repeat(256) }, 400, 'name'],
    [{ agent_id: 'nope' }, 400, 'agent_id'],
    [{ agent_id: NOWHERE, name: 'Other' }, 404, 'agent_id'],
  ] as const)(
    'returns an error that names the field for an invalid body, and changes nothing (case %#)',
    async (body, status, field) => {
      const before = await readNumber(client, 4190);
      const answer = await client.patch(`${NUMBERS}/4190`, body);
      expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
      expect(Object.keys(answer.body.error.fields)).toEqual([field]);
      expect(await readNumber(client, 4190)).toEqual(before);
    },
  );

  it("returns 404 for a child's number with an agent of the parent", async () => {
    const child = await childOf(sandbox.url, client);
    const agent = await agentNamed(client, 'Reminder caller');
    expectError(await child.patch(`${NUMBERS}/4194`, { agent_id: agent.id }), 404, 'not_found');
  });
});

describe('an unknown number id', () => {
  it.each(['1', '0', '-1', '4190.0', 'x', NOWHERE, '4194', 'constructor'])(
    '%s returns 404 from every operation',
    async (id) => {
      for (const answer of [
        await client.get(`${NUMBERS}/${id}`),
        await client.patch(`${NUMBERS}/${id}`, { name: 'x' }),
        await client.delete(`${NUMBERS}/${id}`),
        await client.put(`${NUMBERS}/${id}/cnam`, { cnam_display_name: 'HARBOR' }),
      ]) {
        expectError(answer, 404, 'not_found');
      }
    },
  );
});
