// What a receiver can tell apart by the body alone: `docs/webhooks.md`, "Tell events apart".
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/events/catalogue.ts';
import { useSandbox } from '../support/sandbox.ts';
import { fire, freshWorld } from '../support/webhooks.ts';
import { UNLIMITED } from './setup.ts';

const { sandbox } = useSandbox(UNLIMITED);

describe('the bodies of events', () => {
  it.each([
    ['+12125550101', 'call_busy'],
    ['+12125550102', 'call_no_answer'],
    ['+12125550103', 'call_voicemail'],
    ['+12125550104', 'call_failed'],
  ])('about the end of a call to %s are the same bytes, and differ from its beginning', async (number, outcome) => {
    const { client, world } = freshWorld(sandbox);
    await client.call(number);
    await world.clock.untilIdle();
    const [begun, ...ended] = await world.events();
    expect(ended.map(({ event_type }) => event_type)).toEqual(['call_completed', outcome, 'phone_call.ended']);
    expect(new Set(ended.map(({ body }) => body)).size).toBe(1);
    expect(ended.map(({ body }) => body)).not.toContain(begun?.body);
  });

  it('name their event only if they are about a phone number', async () => {
    const { client } = freshWorld(sandbox);
    const naming: string[] = [];
    for (const type of eventTypes) {
      const { body } = await fire(client, type);
      if (body.includes(`"${type}"`) || body.includes(`"${type.replace('_', '.')}"`)) naming.push(type);
    }
    expect(naming).toEqual(['number_purchased', 'number_released']);
  });
});
