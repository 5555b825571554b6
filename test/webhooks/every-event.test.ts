// Every event type by its natural cause: a receiver subscribed to all types gets the events of each cause in order, and
// each body shows the record as the API does at that instant. `spec.md` "Events"; the assumptions event_order,
// event_payloads and enterprise_events.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { violations } from '../../src/contract/check.ts';
import { enumOf, eventExamples } from '../../src/contract/document.ts';
import { type EventType, eventDefinition } from '../../src/events/catalogue.ts';
import { dataOf } from '../support/caller-trust.ts';
import type { Answer } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import type { Received } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { deliveriesOf, freshWorld, subscribe, typeInFlight } from '../support/webhooks.ts';
import { bodyFromApi } from './body-from-api.ts';
import { callCauses, callOutcomes } from './call-causes.ts';
import { type Cause, recordCauses, type Scene } from './event-causes.ts';

const SIGNATURE = 'x-service-signature-256';
const types = enumOf('EventType');
const causes: Readonly<Record<string, Cause>> = { ...callCauses, ...recordCauses };

const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

interface ReceivedEvent extends Received {
  readonly type: EventType;
  /** The body according to the API when the delivery arrived. */
  readonly fromApi: object;
}

interface Played {
  readonly events: readonly ReceivedEvent[];
  readonly scene: Scene;
}

const played = new Map<Cause, Promise<Played>>();

/** Plays a cause once in a new world, with a receiver that is subscribed to every event type. */
function play(cause: Cause): Promise<Played> {
  const playing = played.get(cause) ?? playIn(cause);
  played.set(cause, playing);
  return playing;
}

async function playIn({ act, events: expected }: Cause): Promise<Played> {
  const scene = { url: sandbox.url, ...freshWorld(sandbox) };
  const events: ReceivedEvent[] = [];
  const url = `${receiver.url}/${scene.world.name}`;
  receiver.onDelivery = async (delivery) => {
    const type = (await typeInFlight(scene.client, url, delivery.raw)) as EventType;
    const build = bodyFromApi[eventDefinition(type).schema];
    const fromApi = await build?.(scene.client, delivery.body).catch((error) => ({ error }));
    events.push({ ...delivery, type, fromApi: fromApi ?? {} });
  };
  // Subscribing to every type takes most of the time of this file. The list of events shows that there are no others.
  await subscribe(scene.client, url, ...(thorough ? types : new Set(expected.map(([type]) => type))));
  await act(scene);
  await scene.world.clock.untilIdle();
  return { events, scene };
}

/** The events that the platform signs. */
const signed: readonly EventType[] = ['number_purchased', 'number_released'];

const hmac = (raw: Buffer): string => createHmac('sha256', 'sandbox_signing_secret').update(raw).digest('hex');

describe('a receiver subscribed to every event', () => {
  it.each(Object.entries(causes))('gets the events of %s', async (_, cause) => {
    const { events, scene } = await play(cause);
    expect(events.map(({ type }) => type)).toEqual(cause.events.map(([type]) => type));
    const recorded = dataOf(await scene.client.get('/_sandbox/events?page_size=100'));
    expect(recorded).toHaveLength(events.length);
    for (const [index, { type, body, raw, headers, fromApi }] of events.entries()) {
      expect(body, type).toMatchObject(cause.events[index]?.[1] as object);
      expect(body, type).toEqual(fromApi);
      expect(violations(eventDefinition(type).schema, body), type).toEqual([]);
      expect(headers[SIGNATURE], type).toBe(signed.includes(type) ? hmac(raw) : undefined);
    }
    const ofRecorded = recorded.map(({ headers }: Answer['body']) => headers['X-service-Signature-256']).reverse();
    expect(ofRecorded).toEqual(events.map(({ headers }) => headers[SIGNATURE]));
    const accepted = {
      status: 'delivered',
      schema_violations: [],
      attempts: [expect.objectContaining({ response: expect.objectContaining({ status: 200 }) })],
    };
    const log = await deliveriesOf(scene.client);
    expect(log).toEqual(
      events.map(({ type, raw }) => expect.objectContaining({ ...accepted, event_type: type, body: raw.toString() })),
    );
  });

  it('gets each event type from one of these causes', () => {
    const met = Object.values(causes).flatMap(({ events }) => events.map(([type]) => type));
    expect([...new Set(met)].sort()).toEqual([...types].sort());
  });

  it('gets the events of calls with every scenario that lets one through', async () => {
    const scenarios: Answer['body'][] = dataOf(await client.get('/_sandbox/scenarios?kind=call&page_size=100'));
    const names = scenarios.filter(({ refuse }) => refuse.length === 0).map(({ name }) => name);
    expect(names.sort()).toEqual(Object.keys(callOutcomes).sort());
  });
});

/** A body without the values that differ in each run: ids, tokens, phone numbers, instants and lengths. */
function withoutValues(body: unknown): unknown {
  const kinds: readonly (readonly [kind: string, form: RegExp])[] = [
    ['a uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ['a token', /^[a-z]{3}_[0-9a-f]{24}$/],
    ['a phone number', /^\+1\d{10}$/],
    ['an instant', /^2026-01-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/],
    ['an integer', /^[1-9]\d*$/],
  ];
  return JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'area_code' ? value : (kinds.find(([, form]) => form.test(String(value)))?.[0] ?? value),
  );
}

describe('an example of the contract', () => {
  it.each(types)('for %s matches what a receiver gets, except for ids, numbers and instants', async (type) => {
    const example = eventExamples().get(type);
    const causesOf = Object.values(causes).filter(({ events }) =>
      events.some(([each, fields]) => each === type && expect.objectContaining(fields).asymmetricMatch(example)),
    );
    expect(causesOf.length).toBeGreaterThan(0);
    const { events } = await play(causesOf[0] as Cause);
    const bodies = events.filter((each) => each.type === type).map(({ body }) => withoutValues(body));
    expect(bodies).toContainEqual(withoutValues(example));
  });
});
