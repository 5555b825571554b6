// The request that a delivery sends: `spec.md` "Delivery shapes", with the ledger's event_payloads.
import { describe, expect, it } from 'vitest';
import { eventDefinition, eventTypes } from '../../src/events/catalogue.ts';
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

  /** By schema of a body: its fields, where the specification lists all of them. */
  const listed: Readonly<Record<string, readonly string[]>> = {
    CallEvent: [
      ...['id', 'from_number', 'to_number', 'direction', 'duration_seconds', 'status', 'failure_code'],
      ...['failure_category', 'disconnection_reason', 'created_at'],
    ],
    MessageEvent: [
      ...['id', 'phone_number', 'from_number', 'direction', 'status', 'contact_token', 'provider_id'],
      ...['error_message', 'channel', 'created_at'],
    ],
    NumberLifecycleEvent: ['triggerEvent', 'createdAt', 'payload'],
    Contact: ['id', 'name', 'phone_number', 'email', 'status', 'source', 'metadata', 'created_at', 'updated_at'],
    Appointment: [
      ...['id', 'title', 'description', 'contact_name', 'contact_email', 'start_time', 'end_time', 'timezone'],
      ...['status', 'event_type', 'scheduling_option', 'notes', 'created_at'],
    ],
    Enterprise: [
      ...['id', 'carrier_enterprise_id', 'legal_name', 'dba', 'status', 'rejection_reasons', 'synced_at'],
      ...['loa_document_id', 'reputation'],
    ],
  };
  /** The same where it lists some of them. */
  const partlyListed: typeof listed = {
    TextingRegistrationEvent: ['registration', 'status', 'reasons', 'texting_enabled_numbers'],
    WorkflowContactEvent: ['contact_id', 'job_id', 'outcome'],
  };
  const schemas: readonly string[] = eventTypes.map((type) => eventDefinition(type).schema);

  it.each(Object.keys({ ...listed, ...partlyListed }))('has in some event a body with the schema %s', (schema) => {
    expect(schemas).toContain(schema);
  });

  it.each(eventTypes)(
    'matches the contract for a fired %s, and is signed for number-lifecycle events only',
    async (type) => {
      const { client, world } = freshWorld(sandbox);
      const receiver = await newReceiver();
      await subscribe(client, hook(receiver), type);
      const event = await fire(client, type);
      await world.clock.advance('0s');
      expect(receiver.got).toHaveLength(1);
      const [{ body, raw, headers }] = receiver.got as [Received];
      const { schema } = eventDefinition(type);
      const keys = Object.keys(body);
      if (listed[schema]) expect(keys.sort()).toEqual([...listed[schema]].sort());
      expect(keys).toEqual(expect.arrayContaining([...(partlyListed[schema] ?? [])]));
      expect(event).toMatchObject({ event_type: type, payload: body, created_at: START, schema_violations: [] });
      const [delivery] = await deliveriesOf(client);
      expect(delivery).toMatchObject({ event_id: event.id, schema_violations: [], status: 'delivered' });
      const isSigned = schema === 'NumberLifecycleEvent';
      expect(headers[SIGNATURE]).toBe(isSigned ? hmac(raw, 'sandbox_signing_secret') : undefined);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(isSigned ? [SIGNATURE] : []);
    },
  );

  it.each([
    ['number_purchased', 'number.purchased', 'ACTIVE'],
    ['number_released', 'number.released', 'RELEASED'],
  ])('is an envelope around a number of the account for %s', async (type, triggerEvent, status) => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    if (status === 'RELEASED') await client.delete('/v1/phone-numbers/4191');
    await subscribe(client, hook(receiver), type);
    await world.clock.advance('90m');
    await fire(client, type, { id: 4191 });
    await world.clock.advance('0s');
    const { organization_id } = (await client.get('/v1/phone-numbers/4191')).body.data;
    expect(receiver.got[0]?.body).toEqual({
      triggerEvent,
      createdAt: '2026-01-05T16:30:00.000Z',
      payload: { id: 4191, phone_number: '+14155550191', area_code: '415', status, organization_id },
    });
    expect(receiver.got[0]?.raw.toString()).toMatch(/^\{"triggerEvent":".*","createdAt":".*","payload":\{"id":4191,/);
  });
});
