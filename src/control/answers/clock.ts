// Answers of the routes of the clock, with the steps and deliveries that an advance lists.
import { z } from 'zod';
import { cause, count, instant, nullableInstant, Subject } from './fields.ts';
import { Delivery, DeliveryAttempt, DeliveryStatus, ScenarioSelection } from './journals.ts';

export const Tick = z
  .strictObject({
    every: z.string().describe('How often, such as `1m`.'),
    url: z.string().describe('Where to.'),
    next_at: instant.describe('When the next one is.'),
    sent: count.describe('How many were sent.'),
    skipped: count.describe(
      'How many instants had none, because the one before had no answer yet; never in an advance.',
    ),
  })
  .describe("POSTs at regular instants of the world's time.");

export const SentTick = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    at: instant,
    url: z.string().describe('Where it was sent, without secrets in the address.'),
    status: DeliveryStatus.describe('How far it is.'),
    attempt: DeliveryAttempt.nullable().describe('What was sent and answered; null as long as it is not.'),
  })
  .describe('A tick that was sent, or is about to be.');

export const Clock = z
  .strictObject({
    mode: z.string().describe('`real`, `manual`, `instant`, or a speed such as `20x`.'),
    speed: z.number().describe('World seconds per real second; 0 on a stopped clock.'),
    now: instant,
    pending: count.describe('Scheduled tasks, and deliveries that are pending or in flight; ticks aside.'),
    tick: Tick.optional().describe('The tick; absent if none is set.'),
  })
  .describe('The clock of a world.');

export const NextTask = z
  .strictObject({ at: nullableInstant.describe('When it is due; null if nothing is scheduled.') })
  .describe('The earliest task of the schedule.');

export const Step = z
  .strictObject({
    id: z.string().describe('The id of the journal entry.'),
    at: instant,
    subject: Subject.describe('The record whose status changed.'),
    trigger: z.string().describe('What caused the transition, such as `answer`.'),
    from: z.string().nullable().describe('The status before; null for a new record.'),
    to: z.string().nullable().describe('The status after.'),
    cause,
    scenario: ScenarioSelection.optional().describe(
      'The scenario that a new record plays, unless a request chose it: then the request has it.',
    ),
    error: z
      .string()
      .optional()
      .describe('Why a scheduled task failed: it had no effect, and is not run again. A bug of this server.'),
  })
  .describe('A status change of a record.');

export const AdvanceTotals = z
  .strictObject({
    steps: count.describe('The steps that happened, listed or not.'),
    deliveries: count.describe('The deliveries that were attempted, listed or not.'),
    ticks: count.optional().describe('The ticks; absent if there were none.'),
  })
  .describe('How much happened.');

export const Advance = z
  .strictObject({
    now: instant,
    complete: z.boolean().describe('False if the timeout or a reset ended it before the instant was reached.'),
    steps: z.array(Step).describe('The first 1,000 steps, in order.'),
    deliveries: z.array(Delivery).describe('The first 1,000 deliveries, in the order of their creation.'),
    totals: AdvanceTotals.describe('How much happened, listed or not.'),
  })
  .describe('What happened while the clock was advanced.');
