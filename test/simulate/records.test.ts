// POST /_sandbox/simulate/{new-contact, new-appointment} (`interface.md` section 5): the records and their events.
import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Answer, clientOf, expectError, NOWHERE } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';
import { childOf, childOrganization, instant } from '../support/world.ts';
import { HOUR, simulations } from './setup.ts';

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual' });
const { simulate, created } = simulations(client);

describe('a new contact', () => {
  it('is kept as it was sent, and emits contact_created', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'contact_created');
    await world.clock.advance('1h');
    const body = {
      name: 'Rowan Example',
      phone_number: '+14155550181',
      email: 'rowan@mail.example',
      status: 'new',
      source: 'website',
      metadata: { campaign: 'spring', tags: ['a', 'b'] },
    };
    const contact = await created('new-contact', body, by);
    expect(contact).toEqual({ ...body, id: expect.any(String), created_at: instant(HOUR), updated_at: instant(HOUR) });
    expect((await by.get(`/v1/contacts/${contact.id}`)).body.data).toEqual(contact);
    expect((await by.get('/v1/contacts')).body.data[0]).toEqual(contact);
    await world.clock.untilIdle();
    expect(receiver.got.map((delivery) => delivery.body)).toEqual([contact]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
    const events = (await world.events()).filter(({ event_type }) => event_type === 'contact_created');
    expect(events.map(({ subject, schema_violations }) => [subject?.id, schema_violations])).toEqual([
      [contact.id, []],
    ]);
  });

  it('may be created with {}', async () => {
    expect(await created('new-contact')).toMatchObject({
      name: expect.any(String),
      phone_number: expect.stringMatching(/^\+1415555(017\d|018\d)$/),
      email: null,
      metadata: null,
    });
  });

  it('may have no name and no number', async () => {
    expect(await created('new-contact', { name: null, phone_number: null })).toMatchObject({
      name: null,
      phone_number: null,
    });
  });

  it('that a key of a sub-entity simulates belongs to that sub-entity, as an appointment does', async () => {
    const child = await childOf(sandbox.url, freshWorld(sandbox).client);
    const { id } = await created('new-contact', {}, child);
    expect((await child.get(`/v1/contacts/${id}`)).status).toBe(200);
    const appointment = await created('new-appointment', {}, child);
    expect((await child.get('/v1/appointments')).body.data[0].id).toBe(appointment.id);
  });

  it('of a sub-entity is sent to its subscriptions only', async () => {
    const child = await childOf(sandbox.url, client);
    await subscribe(client, `${receiver.url}/umbrella`, 'contact_created');
    await subscribe(child, `${receiver.url}/child`, 'contact_created');
    const { id } = await created('new-contact', { organization_id: await childOrganization(client) });
    expect((await child.get(`/v1/contacts/${id}`)).status).toBe(200);
    expectError(await client.get(`/v1/contacts/${id}`), 404, 'not_found');
    await sandbox.clock.untilIdle();
    expect(receiver.got.map(({ path }) => path)).toEqual(['/child']);
  });

  it.each([
    [{ phone_number: '4155550181' }, 400, 'phone_number'],
    [{ email: 'nobody' }, 400, 'email'],
    [{ metadata: [] }, 400, 'metadata'],
    [{ status: 7 }, 400, 'status'],
    [{ nmae: 'x' }, 400, 'nmae'],
    [{ organization_id: 'nope' }, 400, 'organization_id'],
    [{ organization_id: NOWHERE }, 404, 'organization_id'],
  ] as const)('with an invalid field is refused, and none is created (case %#)', async (body, status, field) => {
    const answer = await simulate('new-contact', body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get('/v1/contacts')).body.meta.total_results).toBe(3);
  });
});

describe('a new appointment', () => {
  it('is kept as it was sent, and emits new_appointment', async () => {
    const { world, client: by } = freshWorld(sandbox);
    await subscribe(by, receiver.url, 'new_appointment');
    const body = {
      title: 'Check-up',
      description: 'The yearly one',
      contact_name: 'Rowan Example',
      contact_email: 'rowan@mail.example',
      start_time: '2026-01-07T10:00:00.000Z',
      end_time: '2026-01-07T10:45:00.000Z',
      timezone: 'America/New_York',
      status: 'pending',
      event_type: 'check-up',
      scheduling_option: 'web',
      notes: 'Bring the card.',
    };
    const appointment = await created('new-appointment', body, by);
    expect(appointment).toEqual({ ...body, id: expect.any(String), created_at: instant(0) });
    expect((await by.get('/v1/appointments')).body.data[0]).toEqual(appointment);
    await world.clock.untilIdle();
    expect(receiver.got.map((delivery) => delivery.body)).toEqual([appointment]);
    expect(receiver.got[0]?.headers).not.toHaveProperty('x-service-signature-256');
    const events = (await world.events()).filter(({ event_type }) => event_type === 'new_appointment');
    expect(events.map(({ subject, schema_violations }) => [subject?.id, schema_violations])).toEqual([
      [appointment.id, []],
    ]);
  });

  it('with {} is booked by the newest contact for tomorrow', async () => {
    const { name, email } = await created('new-contact', { name: 'Rowan Example', email: 'rowan@mail.example' });
    await sandbox.clock.advance('20m');
    expect(await created('new-appointment')).toMatchObject({
      contact_name: name,
      contact_email: email,
      start_time: instant(25 * HOUR),
      end_time: instant(25.5 * HOUR),
      status: 'confirmed',
    });
  });

  it('is booked by the requested contact', async () => {
    const [, second] = (await client.get('/v1/contacts')).body.data;
    expect(await created('new-appointment', { contact_id: second.id })).toMatchObject({
      contact_name: second.name,
      contact_email: second.email,
    });
  });

  it('has its times in UTC and the requested duration', async () => {
    const body = { start_time: '2026-02-01T09:00:00+01:00', lasts: '90m' };
    expect(await created('new-appointment', body)).toMatchObject({
      start_time: '2026-02-01T08:00:00.000Z',
      end_time: '2026-02-01T09:30:00.000Z',
    });
  });

  it.each([
    [{ start_time: 'tomorrow' }, 400, 'start_time'],
    [{ start_time: '2026-02-30T09:00:00Z' }, 400, 'start_time'],
    [{ start_time: '2026-02-01T09:00:00Z', end_time: '2026-02-01T09:00:00Z' }, 400, 'end_time'],
    [{ timezone: 'Mars/Olympus' }, 400, 'timezone'],
    [{ contact_email: 'nobody' }, 400, 'contact_email'],
    [{ contact_id: 'nope' }, 400, 'contact_id'],
    [{ contact_id: NOWHERE }, 404, 'contact_id'],
    [{ organization_id: NOWHERE }, 404, 'organization_id'],
    [{ lasts: '0' }, 400, 'lasts'],
    [{ start_time: '9999-12-31T23:59:59.999Z' }, 400, 'end_time'],
    [{ when: 'now' }, 400, 'when'],
  ] as const)('with an invalid field is refused, and none is created (case %#)', async (body, status, field) => {
    const answer = await simulate('new-appointment', body);
    expectError(answer, status, status === 400 ? 'validation_error' : 'not_found');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect((await client.get('/v1/appointments')).body.meta.total_results).toBe(2);
  });

  it('by a contact of a sub-entity is accepted for that sub-entity only', async () => {
    const child = await childOf(sandbox.url, client);
    const [theirs] = (await child.get('/v1/contacts')).body.data;
    expectError(await simulate('new-appointment', { contact_id: theirs.id }), 404, 'not_found');
    const organization_id = await childOrganization(client);
    const { id } = await created('new-appointment', { contact_id: theirs.id, organization_id });
    expect((await child.get('/v1/appointments')).body.data.map((each: Answer['body']) => each.id)).toEqual([id]);
  });
});

describe('a simulation', () => {
  it('is the same for the same seed, and differs between worlds', async () => {
    const [one, two] = [await createSandbox({ clock: 'manual' }), await createSandbox({ clock: 'manual' })];
    try {
      const play = async (own: Sandbox, key: string): Promise<string[]> => {
        const by = clientOf(own.url, key);
        const texts = [];
        for (const what of ['inbound-call', 'new-contact', 'new-appointment'])
          texts.push((await simulate(what, {}, by)).text);
        return texts;
      };
      const first = await play(one, 'svc_test_sim');
      expect(await play(two, 'svc_test_sim')).toEqual(first);
      for (const [n, text] of (await play(two, 'svc_test_sim-2')).entries()) expect(text).not.toBe(first[n]);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
