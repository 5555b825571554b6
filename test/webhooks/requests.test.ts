// The request that a delivery sends: `spec.md` "Delivery shapes", with the ledger's event_payloads.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { type Received, useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { deliveriesOf, fire, freshWorld, subscribe } from '../support/webhooks.ts';
import { START } from '../support/world.ts';
import { hmac, hook, SIGNATURE, UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);
const newReceiver = useReceivers();

describe('the request of a delivery', () => {
  it('is a JSON POST to the exact path and query, without sandbox or signature headers', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const path = '/hook/a%20b;c?x=1&y=%C3%A9&y=';
    await subscribe(client, receiver.url + path, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const [{ method, headers, raw, path: requested }] = receiver.got as [Received];
    expect([method, requested]).toEqual(['POST', path]);
    expect(headers).toEqual({
      host: new URL(receiver.url).host,
      connection: expect.any(String),
      'content-type': 'application/json',
      'content-length': String(raw.length),
    });
  });

  const flatCall = [
    'id',
    'from_number',
    'to_number',
    'direction',
    'duration_seconds',
    'status',
    'failure_code',
    'failure_category',
    'disconnection_reason',
    'created_at',
  ];
  const flatMessage = [
    'id',
    'phone_number',
    'from_number',
    'direction',
    'status',
    'contact_token',
    'provider_id',
    'error_message',
    'channel',
    'created_at',
  ];
  const contact = ['id', 'name', 'phone_number', 'email', 'status', 'source', 'metadata', 'created_at', 'updated_at'];
  const appointment = [
    'id',
    'title',
    'description',
    'contact_name',
    'contact_email',
    'start_time',
    'end_time',
    'timezone',
    'status',
    'event_type',
    'scheduling_option',
    'notes',
    'created_at',
  ];
  const enterprise = [
    'id',
    'carrier_enterprise_id',
    'legal_name',
    'dba',
    'status',
    'rejection_reasons',
    'synced_at',
    'loa_document_id',
    'reputation',
  ];
  const envelope = ['triggerEvent', 'createdAt', 'payload'];
  const keysOf: Record<string, readonly string[]> = {
    new_call: flatCall,
    call_completed: flatCall,
    call_no_answer: flatCall,
    call_voicemail: flatCall,
    call_busy: flatCall,
    call_failed: flatCall,
    'phone_call.ended': flatCall,
    contact_replied: flatMessage,
    sms_sent: flatMessage,
    sms_delivered: flatMessage,
    sms_failed: flatMessage,
    contact_created: contact,
    new_appointment: appointment,
    'enterprise.status.updated': enterprise,
    number_purchased: envelope,
    number_released: envelope,
  };
  const partlyKnown: Record<string, readonly string[]> = {
    texting_registration_status_changed: ['registration', 'status', 'reasons', 'texting_enabled_numbers'],
    workflow_contact_completed: ['contact_id', 'job_id', 'outcome'],
  };

  it('is covered here for every event type', async () => {
    const answer = await clientOf(sandbox.url).get('/_sandbox/catalog');
    const types = answer.body.data.events.map((each: { event_type: string }) => each.event_type).sort();
    expect(types).toEqual([...Object.keys(keysOf), ...Object.keys(partlyKnown)].sort());
  });

  it.each([...Object.keys(keysOf), ...Object.keys(partlyKnown)])(
    'matches the contract for a fired %s, and is signed for number-lifecycle events only',
    async (type) => {
      const { client, world } = freshWorld(sandbox);
      const receiver = await newReceiver();
      await subscribe(client, hook(receiver), type);
      const event = await fire(client, type);
      await world.clock.advance('0s');
      expect(receiver.got).toHaveLength(1);
      const [{ body, raw, headers }] = receiver.got as [Received];
      const keys = Object.keys(body);
      if (keysOf[type]) expect(keys.sort()).toEqual([...keysOf[type]].sort());
      else expect(keys).toEqual(expect.arrayContaining([...(partlyKnown[type] as string[])]));
      expect(event).toMatchObject({ event_type: type, payload: body, created_at: START, schema_violations: [] });
      const [delivery] = await deliveriesOf(client);
      expect(delivery).toMatchObject({ event_id: event.id, schema_violations: [], status: 'delivered' });
      expect(headers[SIGNATURE]).toBe(keysOf[type] === envelope ? hmac(raw, 'sandbox_signing_secret') : undefined);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(
        keysOf[type] === envelope ? [SIGNATURE] : [],
      );
    },
  );

  it.each([
    ['number_purchased', 'number.purchased', 'ACTIVE'],
    ['number_released', 'number.released', 'RELEASED'],
  ])('is an envelope around a number of the account for %s', async (type, triggerEvent, status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await subscribe(client, hook(receiver), type);
    await world.clock.advance('90m');
    await fire(client, type, { id: 4191 });
    await world.clock.advance('0s');
    const numbers = (await client.get('/v1/phone-numbers')).body.data;
    const { organization_id } = numbers.find(({ id }: { id: number }) => id === 4191);
    expect(receiver.got[0]?.body).toEqual({
      triggerEvent,
      createdAt: '2026-01-05T16:30:00.000Z',
      payload: { id: 4191, phone_number: '+14155550191', area_code: '415', status, organization_id },
    });
    expect(receiver.got[0]?.raw.toString()).toMatch(/^\{"triggerEvent":".*","createdAt":".*","payload":\{"id":4191,/);
  });
});
