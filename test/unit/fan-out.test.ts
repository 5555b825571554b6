// From an event to its deliveries, in a store without a server.
import { describe, expect, it } from 'vitest';
import type { DeliveryEntry, EventEntry, Row } from '../../src/model.ts';
import type { Tx } from '../../src/store/store.ts';
import { emitAbout } from '../../src/webhooks/fan-out.ts';
import { contact, ORGANIZATION } from '../store/setup.ts';
import { plannedWorld, subscriptionOf } from './held-setup.ts';

const OTHER = '7b0d1c1e-0000-4000-8000-000000000000';
const person = contact('contact-1', 1, 'Ada');

const subscribe = (tx: Tx, id: string, more: Partial<Row<'subscriptions'>> = {}): void => {
  const subscription = { ...subscriptionOf(tx, id), event_type: 'contact_created', ...more } as const;
  tx.put('subscriptions', { ...subscription, private: { ...subscription.private, rank: tx.ordinal('subscriptions') } });
};
const ofOthers = { private: { organization_id: OTHER, rank: 1, signing_secret: null } };

const emit = (tx: Tx): EventEntry => emitAbout(tx, 'contact_created', 'contacts', 'contact-1', person);
const deliveriesIn = (tx: Tx): readonly DeliveryEntry[] => tx.journal('deliveries').entries;

describe('an event', () => {
  it('has an id of its journal, the instant of the world, its record, and one delivery for each subscription', async () => {
    const { transaction, at } = await plannedWorld();
    await at(90);
    const event = await transaction((tx) => {
      for (const id of ['one', 'two']) subscribe(tx, id);
      subscribe(tx, 'of another type', { event_type: 'call_busy' });
      return emit(tx);
    });
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
      at: '2026-01-05T15:01:30.000Z',
      event_type: 'contact_created',
      subject: { table: 'contacts', id: 'contact-1' },
      organization_id: ORGANIZATION,
      deliveries: 2,
      unheard: [],
    });
    expect(event).not.toHaveProperty('signed');
    expect(await transaction(deliveriesIn)).toMatchObject(
      ['one', 'two'].map((subscription_id) => ({
        id: expect.stringMatching(/^dlv_[0-9a-f]{24}$/),
        event_id: event.id,
        cause: event.id,
        at: event.at,
        subscription_id,
        organization_id: ORGANIZATION,
        subject: event.subject,
        body: event.body,
        status: 'pending',
        epoch: 1,
      })),
    );
  });

  it('says that it is signed where the world assumes so', async () => {
    const { transaction } = await plannedWorld({ event_payloads: 'enveloped_and_signed' });
    expect((await transaction(emit)).signed).toBe(true);
  });

  it.each<[why: string, subscriptions: Partial<Row<'subscriptions'>>[], unheard: readonly string[]]>([
    ['there is no subscription to its type', [], ['none_of_that_type']],
    ['all are of other organizations', [ofOthers, ofOthers], ['other_organization']],
    ['all are for other campaigns', [{ campaign_id: 'job-1' }], ['other_campaign']],
    ['each for a reason of its own', [{ campaign_id: 'job-1' }, ofOthers], ['other_organization', 'other_campaign']],
  ])('that nobody hears tells why: %s', async (_, subscriptions, unheard) => {
    const { transaction } = await plannedWorld();
    const event = await transaction((tx) => {
      for (const [n, more] of subscriptions.entries()) subscribe(tx, `subscription ${n}`, more);
      return emit(tx);
    });
    expect([event.deliveries, [...event.unheard].sort()]).toEqual([0, [...unheard].sort()]);
    expect(await transaction(deliveriesIn)).toEqual([]);
  });

  it('tells no reason if somebody hears it', async () => {
    const { transaction } = await plannedWorld();
    const event = await transaction((tx) => {
      subscribe(tx, 'other', ofOthers);
      subscribe(tx, 'own');
      return emit(tx);
    });
    expect([event.deliveries, event.unheard]).toEqual([1, []]);
  });

  it('of a campaign is heard by subscriptions to that one, and by those to all', async () => {
    const { transaction } = await plannedWorld();
    const entry = { ...person, private: { ...person.private, job_id: 'job-1' } };
    const heard = await transaction((tx) => {
      subscribe(tx, 'all');
      subscribe(tx, 'this one', { campaign_id: 'job-1' });
      subscribe(tx, 'another', { campaign_id: 'job-2' });
      emitAbout(tx, 'contact_created', 'contacts', 'contact-1', entry);
      return deliveriesIn(tx).map(({ subscription_id }) => subscription_id);
    });
    expect(heard).toEqual(['all', 'this one']);
  });
});

describe('an event whose delivery finds no room', () => {
  /** The share of deliveries has place for their own bytes, but not for a body as long as a contact. */
  const tight = 21_000;

  it('is refused together with the request that causes it', async () => {
    const { transaction } = await plannedWorld({}, tight);
    const refused = transaction((tx) => {
      subscribe(tx, 'one');
      return tx.withinBounds(() => emit(tx));
    });
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    expect(await transaction(deliveriesIn)).toEqual([]);
  });

  it('is refused before any delivery is written if there is room for some, but not for all', async () => {
    const { transaction } = await plannedWorld({}, 20 * tight);
    const written = await transaction((tx) => {
      for (let n = 0; n < 10; n++) subscribe(tx, `${n}`);
      tx.withinBounds(() => emit(tx));
      for (let n = 10; n < 200; n++) subscribe(tx, `${n}`);
      expect(() => tx.withinBounds(() => emit(tx))).toThrow('pending deliveries');
      return deliveriesIn(tx).length;
    });
    expect(written).toBe(10);
  });

  it('of a scheduled step goes on, with its delivery recorded as failed', async () => {
    const { transaction } = await plannedWorld({}, tight);
    const event = await transaction((tx) => {
      subscribe(tx, 'one');
      return emit(tx);
    });
    expect(event.deliveries).toBe(1);
    const attempt = {
      number: 1,
      at: event.at,
      request_headers: {},
      status: null,
      response_headers: null,
      response_body: null,
      latency_ms: 0,
      error_class: 'queue_full',
      error: expect.stringContaining('pending deliveries'),
    };
    expect(await transaction(deliveriesIn)).toMatchObject([{ status: 'failed', attempts: [attempt] }]);
  });
});
