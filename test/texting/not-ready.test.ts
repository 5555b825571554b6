// Texts from numbers that are not ready: `spec.md` "Texting not ready", and the `sms` scenarios of `interface.md`
// section 3 that refuse.
import { describe, expect, it } from 'vitest';
import { destinationFor } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { FROM, playing } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { approveBrand, NUMBERS, registerCampaign, text } from '../support/texting.ts';
import { expectNotReady, listMessages, PROVISIONING, send, UNREGISTERED } from './setup.ts';

const { sandbox, client } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('texting that is not ready', () => {
  it.each([
    ['texting_not_ready', 'a2p_registration_required', 'none'],
    ['texting_pending', 'a2p_registration_pending', 'pending'],
    ['texting_rejected', 'a2p_registration_rejected', 'rejected'],
    ['texting_no_sender', 'no_sender', 'none'],
  ] as const)(
    'with the scenario %s is 403 with %s and %s, by header and by magic number',
    async (name, reason, status) => {
      expectNotReady(await text(client, {}, playing(name)), reason, status);
      expectNotReady(await text(client, { to_number: destinationFor(name, '307') }), reason, status);
      expect(await listMessages(client)).toEqual([]);
    },
  );

  it('is a2p_registration_required for a number without a registration', async () => {
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_required', 'none');
    expectNotReady(await text(client, { from_number: PROVISIONING }), 'a2p_registration_required', 'none');
  });

  it('is a2p_registration_pending for a number whose campaign is pending, until it is approved', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    await sandbox.clock.advance('59999ms');
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_pending', 'pending');
    await sandbox.clock.advance('1ms');
    const [event] = (await sandbox.events()).slice(-1);
    expect(event?.event_type).toBe('texting_registration_status_changed');
    expect((await send(client, { from_number: UNREGISTERED })).from_number).toBe(UNREGISTERED);
  });

  it('is a2p_registration_rejected for a number whose campaign is rejected, until a new registration', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }, playing('registration_rejected')), 201);
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_rejected', 'rejected');
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }), 201);
    expectNotReady(await text(client, { from_number: UNREGISTERED }), 'a2p_registration_pending', 'pending');
  });

  it.each(['+12125550190', '+14155550194'])('is no_sender for %s, which another organization has', async (from) => {
    expectNotReady(await text(client, { from_number: from }), 'no_sender', 'none');
  });

  it('is no_sender for a released number and for an approved one that is not active', async () => {
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [PROVISIONING] }), 201);
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client, { from_number: PROVISIONING }), 'no_sender', 'none');
    dataOf(await client.delete(`${NUMBERS}/4190`));
    expectNotReady(await text(client, { from_number: FROM }), 'no_sender', 'none');
  });

  it('reports the number closest to being ready if from_number is absent', async () => {
    for (const id of [4190, 4191]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectNotReady(await text(client), 'a2p_registration_required', 'none');
    await approveBrand(client, sandbox);
    dataOf(await registerCampaign(client, { phone_numbers: [UNREGISTERED] }, playing('registration_rejected')), 201);
    expectNotReady(await text(client), 'a2p_registration_pending', 'pending');
    await sandbox.clock.advance('60s');
    expectNotReady(await text(client), 'a2p_registration_rejected', 'rejected');
    for (const id of [4192, 4193]) dataOf(await client.delete(`${NUMBERS}/${id}`));
    expectNotReady(await text(client), 'no_sender', 'none');
  });

  it('has a hint and no Retry-After, and sends nothing', async () => {
    const answer = await text(client, { from_number: UNREGISTERED });
    expect(answer.body.error.resolution_hint).toBe(
      'Register a campaign with the number: POST /v1/brand/campaigns, which needs an approved brand.',
    );
    expect(answer.headers).not.toHaveProperty('retry-after');
    await sandbox.clock.untilIdle();
    expect(await listMessages(client)).toEqual([]);
    expect(await sandbox.events()).toEqual([]);
  });
});
