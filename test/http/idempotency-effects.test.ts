// Repeated operations have the effect of one: `spec.md` "Common rules" under "Endpoints".
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, NOWHERE } from '../support/client.ts';
import { expectReplay, isReplay, useIdempotency } from './idempotency-setup.ts';
import { TO } from './setup.ts';

const { sandbox, client, eventTypes } = useIdempotency();

const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };

describe('idempotency keys on different operations', () => {
  it('a repeated DELETE of a subscription is its 204; without the key it is 404', async () => {
    const { id } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const path = `/api/v1/webhook_subscriptions/${id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.delete(path, key);
    expect([first.status, first.text]).toEqual([204, '']);
    const repeat = await client.delete(path, key);
    expect([repeat.status, repeat.text, isReplay(repeat)]).toEqual([204, '', true]);
    expectError(await client.delete(path), 404, 'not_found');
    expectError(await client.delete(path, { 'Idempotency-Key': randomUUID() }), 404, 'not_found');
  });

  it('a DELETE that found nothing is not stored', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const path = `/api/v1/webhook_subscriptions/${NOWHERE}`;
    expectError(await client.delete(path, key), 404, 'not_found');
    expectError(await client.delete(path, key), 404, 'not_found');
  });

  it('a repeated subscription is one subscription, with the id of the first', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const ids = [];
    for (let sent = 0; sent < 3; sent++) {
      ids.push((await client.post('/api/v1/webhook_subscriptions', subscription, key)).body.id);
    }
    expect(new Set(ids).size).toBe(1);
    const { data } = (await client.get('/api/v1/webhook_subscriptions')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  });

  it('a repeated change of an agent does not undo a later change', async () => {
    const [{ id }] = (await client.get('/v1/agents')).body.data;
    const path = `/v1/agents/${id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.patch(path, { name: 'First' }, key);
    await sandbox.clock.advance('1m');
    await client.patch(path, { name: 'Second' });
    const later = (await client.get(path)).text;
    const repeat = await client.patch(path, { name: 'First' }, key);
    expectReplay(repeat, first);
    expect(repeat.body.data.name).toBe('First');
    expect((await client.get(path)).text).toBe(later);
  });

  it('a repeated wrong code is one attempt, so the right one still verifies', async () => {
    const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: '+14155550155' })).body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    const path = `/v1/caller-ids/${caller_id_id}/verify`;
    const key = { 'Idempotency-Key': randomUUID() };
    for (let sent = 0; sent < 8; sent++) {
      const answer = await client.post(path, { verification_code: 'wrong' }, key);
      expect(answer.body.data.verified).toBe(false);
      expect(isReplay(answer)).toBe(sent > 0);
    }
    const right = await client.post(path, { verification_code });
    expect(right.body.data.verified).toBe(true);
  });

  it('a repeated verification replays its success after a revocation, without undoing it', async () => {
    const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: '+14155550155' })).body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    const path = `/v1/caller-ids/${caller_id_id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.post(`${path}/verify`, { verification_code }, key);
    expect(first.body.data.verified).toBe(true);
    await client.delete(path);
    expectReplay(await client.post(`${path}/verify`, { verification_code }, key), first);
    const { data } = (await client.get('/v1/caller-ids')).body;
    expect(data.find((each: { caller_id_id: string }) => each.caller_id_id === caller_id_id).status).toBe('REVOKED');
  });

  it('a repeated DELETE of a caller ID does not revoke it again after a new registration', async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    const { caller_id_id, phone_number } = data.find(({ status }: { status: string }) => status === 'VERIFIED');
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.delete(`/v1/caller-ids/${caller_id_id}`, key);
    expect(first.body.data).toMatchObject({ status: 'REVOKED', active: false });
    expect((await client.post('/v1/caller-ids', { phone_number })).body.data.caller_id_id).toBe(caller_id_id);
    expectReplay(await client.delete(`/v1/caller-ids/${caller_id_id}`, key), first);
    const after = (await client.get('/v1/caller-ids')).body.data;
    expect(after.find((each: { caller_id_id: string }) => each.caller_id_id === caller_id_id).status).toBe(
      'PENDING_VERIFICATION',
    );
  });

  it('a repeated caller ID makes one verification call with one code', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const ask = (): Promise<Answer> => client.post('/v1/caller-ids', { phone_number: '+14155550155' }, key);
    const { caller_id_id } = (await ask()).body.data;
    const code = async (): Promise<string> =>
      (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body.data.verification_code;
    const spoken = await code();
    expect((await ask()).body.data.caller_id_id).toBe(caller_id_id);
    expect(await code()).toBe(spoken);
    await client.post('/v1/caller-ids', { phone_number: '+14155550155' });
    expect(await code()).not.toBe(spoken);
  });

  it('a repeated hang-up keeps the status of the first', async () => {
    const id = await client.call(TO, { 'X-Sandbox-Scenario': 'answered;ring=1s;talk=1h' });
    await sandbox.clock.advance('10s');
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.post(`/v1/calls/${id}/hangup`, undefined, key);
    expect(first.body.data).toEqual({ call_id: id, status: 'COMPLETED' });
    const events = await eventTypes();
    expectReplay(await client.post(`/v1/calls/${id}/hangup`, undefined, key), first);
    expect(await eventTypes()).toEqual(events);
  });
});
