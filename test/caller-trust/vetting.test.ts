// Vetting of an enterprise and its resubmission: `spec.md` "Enterprise" under "States and transitions"; the row
// resubmission of `interface.md` section 9 and the `enterprise` scenarios of section 3.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  DETAILS,
  dataOf,
  draft,
  enterpriseOf,
  IDENTITIES,
  IDENTITY,
  REMEDIATIONS,
  sign,
  submit,
} from '../support/caller-trust.ts';
import { type Answer, clientOf, expectError, playing } from '../support/client.ts';
import { startReceiver } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { subscribe } from '../support/webhooks.ts';
import { instant } from '../support/world.ts';
import { reach, readPdf, update } from './setup.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });
beforeEach(() => sandbox.reset());

const statusOf = async (): Promise<string> => (await enterpriseOf(client)).status;

describe('vetting', () => {
  it('approves the enterprise 20 to 40 seconds after submission and enables own-brand features', async () => {
    await draft(client);
    const pending = dataOf(await sign(client));
    await sandbox.clock.advance('19999ms');
    expect(await enterpriseOf(client)).toEqual(pending);
    expectError(await client.post(IDENTITIES, IDENTITY), 409, 'conflict');
    expectError(await client.post(REMEDIATIONS, { phone_numbers: ['+14155550191'] }), 409, 'conflict');
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(false);
    const { steps } = await sandbox.clock.advance('20001ms');
    expect(steps).toHaveLength(1);
    const at = steps[0]?.at;
    expect(await enterpriseOf(client)).toEqual({
      ...pending,
      status: 'APPROVED',
      synced_at: at,
      reputation: { ...pending.reputation, status: 'approved', last_synced_at: at },
    });
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(true);
    dataOf(await client.post(IDENTITIES, IDENTITY), 201);
    dataOf(await client.post(REMEDIATIONS, { phone_numbers: ['+14155550191'] }), 202);
  });

  it('rejects with reasons on the enterprise and its reputation', async () => {
    await draft(client);
    const answer = await sign(client, {}, playing('vetting_rejected'));
    expect(answer.headers['x-sandbox-scenario']).toBe('vetting_rejected');
    await sandbox.clock.advance('40s');
    const rejected = await enterpriseOf(client);
    expect(rejected.status).toBe('REJECTED');
    expect(rejected.rejection_reasons.length).toBeGreaterThan(0);
    expect(rejected.reputation).toMatchObject({ status: 'rejected', rejection_reasons: rejected.rejection_reasons });
    expect((await client.get('/v1/account')).body.data.footprint.own_brand_enterprise).toBe(false);
  });

  it('rejects with the reasons of a custom scenario', async () => {
    const reasons = '{ after: 1s, trigger: reject, with: { reasons: [Too small.] } }';
    const text = `kind: enterprise\nsummary: Custom.\ntimeline:\n  - ${reasons}\n`;
    dataOf(await client.put('/_sandbox/scenarios/too_small', text, { 'Content-Type': 'application/yaml' }), 201);
    await draft(client);
    dataOf(await sign(client, {}, playing('too_small')));
    await sandbox.clock.advance('1s');
    expect((await enterpriseOf(client)).rejection_reasons).toEqual(['Too small.']);
    await client.delete('/_sandbox/scenarios/too_small');
  });

  it('takes days with the scenario vetting_slow', async () => {
    await draft(client);
    dataOf(await sign(client, {}, playing('vetting_slow')));
    await sandbox.clock.advance('4d');
    expect(await statusOf()).toBe('PENDING_VETTING');
    await sandbox.clock.advance('1d');
    expect(await statusOf()).toBe('APPROVED');
  });

  it('plays the active scenarios on each submission, and none on the draft', async () => {
    await client.put('/_sandbox/active-scenarios/enterprise', { use: ['vetting_rejected', 'vetting_approved'] });
    await draft(client);
    await submit(client);
    await sandbox.clock.advance('40s');
    expect(await statusOf()).toBe('REJECTED');
    await submit(client);
    await sandbox.clock.advance('40s');
    expect(await statusOf()).toBe('APPROVED');
  });

  it('rejects a scenario of another kind with 400', async () => {
    await draft(client);
    const answer = await sign(client, {}, playing('busy'));
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
    expect(await statusOf()).toBe('DRAFT');
  });

  it('allows firing the event by hand, before a decision too, which does not change the enterprise', async () => {
    await reach(client, sandbox, 'PENDING_VETTING');
    const fire = async (): Promise<Answer['body']> =>
      dataOf(await client.post('/_sandbox/events', { event_type: 'enterprise.status.updated' }), 201);
    const pending = await enterpriseOf(client);
    const { id, carrier_enterprise_id, loa_document_id } = pending;
    const decided = { id, carrier_enterprise_id, loa_document_id, status: 'APPROVED', rejection_reasons: [] };
    expect((await fire()).payload).toMatchObject(decided);
    expect(await enterpriseOf(client)).toEqual(pending);
    await sandbox.clock.advance('40s');
    expect((await fire()).payload).toEqual(await enterpriseOf(client));
  });

  it('is complete on the next read on an instant clock', async () => {
    const world = sandbox.world('enterprise-instant');
    await world.clock.set('instant');
    const by = clientOf(sandbox.url, world.apiKey);
    await draft(by);
    expect(dataOf(await sign(by)).status).toBe('PENDING_VETTING');
    expect((await enterpriseOf(by)).status).toBe('APPROVED');
  });
});

describe('resubmission', () => {
  it.each(['submit', 'sign-and-submit'])(
    'by %s moves REJECTED to PENDING_VETTING and clears the reasons',
    async (way) => {
      await reach(client, sandbox, 'REJECTED');
      const rejected = await enterpriseOf(client);
      const again = dataOf(way === 'submit' ? await submit(client) : await sign(client));
      expect(again).toMatchObject({
        status: 'PENDING_VETTING',
        rejection_reasons: [],
        carrier_enterprise_id: rejected.carrier_enterprise_id,
        synced_at: instant(40_000),
        reputation: { status: 'pending', rejection_reasons: [], last_synced_at: instant(40_000) },
      });
      await sandbox.clock.advance('40s');
      expect(await statusOf()).toBe('APPROVED');
    },
  );

  it('needs a submit: an update alone submits nothing', async () => {
    await reach(client, sandbox, 'REJECTED');
    const { rejection_reasons } = await enterpriseOf(client);
    expect(dataOf(await update(client, { legal_name: 'Right, Inc.' }))).toMatchObject({
      status: 'REJECTED',
      rejection_reasons,
    });
    await sandbox.clock.advance('1d');
    expect(await statusOf()).toBe('REJECTED');
  });
});

it('an enterprise is rejected, updated and approved, its name is shown on caller IDs, and each decision is delivered', async () => {
  const receiver = await startReceiver();
  try {
    await subscribe(client, receiver.url, 'enterprise.status.updated');
    dataOf(await draft(client, { legal_name: 'Harbour Street Dentil' }), 201);
    dataOf(await sign(client, {}, playing('vetting_rejected')));
    await sandbox.clock.advance('1m');
    const rejected = await enterpriseOf(client);
    expect(rejected).toMatchObject({ status: 'REJECTED', rejection_reasons: [expect.any(String), expect.any(String)] });
    expectError(await client.post(IDENTITIES, IDENTITY), 409, 'conflict');

    dataOf(await update(client, { legal_name: DETAILS.legal_name }));
    const { loa_document_id } = dataOf(await sign(client));
    expect(loa_document_id).not.toBe(rejected.loa_document_id);
    expect((await readPdf(sandbox, client, loa_document_id)).text).toContain(DETAILS.legal_name);
    await sandbox.clock.advance('1m');
    const approved = await enterpriseOf(client);
    expect(approved).toMatchObject({ id: rejected.id, status: 'APPROVED', legal_name: DETAILS.legal_name });

    dataOf(await client.post(IDENTITIES, IDENTITY), 201);
    const shown = async (): Promise<unknown[]> => {
      const callerIds = dataOf(await client.get('/v1/caller-ids')) as Record<string, unknown>[];
      return callerIds.map(({ status, rcd_display_name, rcd_status }) => [status, rcd_display_name, rcd_status]);
    };
    expect(await shown()).toContainEqual(['VERIFIED', IDENTITY.display_name, 'pending']);
    await sandbox.clock.advance('1m');
    expect(await shown()).toContainEqual(['VERIFIED', IDENTITY.display_name, 'approved']);

    expect(receiver.got.map(({ body }) => body)).toEqual([rejected, approved]);
    for (const { headers } of receiver.got) expect(headers).not.toHaveProperty('x-service-signature-256');
  } finally {
    await receiver.close();
  }
});
