// Answers of the route of coverage.
import { z } from 'zod';
import { count } from './fields.ts';

const counts = z.record(z.string(), count).describe('How often each was met, and others that need not be met.');
const percent = z.number().min(0).max(100);

const section = {
  total: count.describe('How many there are.'),
  met: count.describe('How many of them were met.'),
  percent: percent.describe('Which part of them was met, rounded down to a tenth.'),
  counts,
  not_met: z.array(z.string()).describe('The names of those that were not met.'),
};

export const CoveredPart = z.strictObject(section).describe('What was met of one kind of thing, and what not.');

export const CoveredOperation = z
  .strictObject({
    requests: count.describe('How many requests there were.'),
    statuses: z.record(z.string(), count).describe('By status; `broken` where the connection broke before the answer.'),
    error_codes: z.record(z.string(), count).describe('By error code.'),
    statuses_not_met: z.array(z.string()).describe('What else its contract says that it can answer.'),
  })
  .describe('What an operation has answered.');

export const CoveredOperations = z
  .strictObject({
    ...section,
    answers: z.record(z.string(), CoveredOperation).describe('What each operation that was called has answered.'),
  })
  .describe('The operations that were called, and those that were not.');

export const CoveredEvents = z
  .strictObject({
    ...section,
    emitted: z.record(z.string(), count).describe('How often each happened, whether or not a receiver got it.'),
  })
  .describe('The event types that a receiver has accepted, and those that none has.');

export const CoveredRetries = z
  .strictObject({
    expected: count.describe('How many requests were answered so.'),
    seen: count.describe('How many of them were sent again: the same key, or the same body without one.'),
  })
  .describe('Whether clients send requests again that have failed for a while.');

export const CoveredForgeries = z
  .strictObject({
    sent: count.describe('How many were sent.'),
    accepted: count.describe('How many of them a receiver has accepted: it does not verify the signature.'),
  })
  .describe('Deliveries whose signature is not right.');

const judged = z.enum(['operations', 'error_codes', 'event_types', 'call_outcomes', 'receiver_answers']);

export const CoverageMinimum = z
  .strictObject({
    percent: percent.describe('The `min` of the request.'),
    passed: z.boolean().describe('Whether every part that is judged reaches it.'),
    judged: z.array(judged).describe('The parts that are judged.'),
    below: z.array(judged).describe('Those that do not reach it.'),
  })
  .describe('Whether enough was met.');

export const Coverage = z
  .strictObject({
    worlds: z.array(z.string()).describe('The worlds that were added up; the first 1,000 of them.'),
    world_count: count.describe('How many worlds were added up.'),
    worlds_forgotten: count.describe('How many worlds have gone so long ago that the server has forgotten them.'),
    requests: count.describe('How many platform requests there were.'),
    replayed: count.describe('How many of them were answered from the record of their idempotency key.'),
    minimum: CoverageMinimum.nullable().describe('Null without `min`.'),
    operations: CoveredOperations.describe('Which operations were called, and what they answered.'),
    error_codes: CoveredPart.describe('The error codes of responses and of failed calls.'),
    event_types: CoveredEvents.describe('Which event types receivers have accepted.'),
    call_outcomes: CoveredPart.describe('The ways in which calls have ended.'),
    receiver_answers: CoveredPart.describe('What receivers of webhooks have answered.'),
    scenarios: CoveredPart.describe('The scenarios of the server that were played.'),
    record_statuses: CoveredPart.describe('The statuses that records other than calls have reached.'),
    faults: CoveredPart.describe('What control headers and faults have done to requests.'),
    delivery_troubles: CoveredPart.describe('What delivery plans have done to deliveries.'),
    retries: z
      .strictObject({
        after_429: CoveredRetries.describe('After 429.'),
        after_5xx: CoveredRetries.describe('After 500 to 599.'),
        after_broken: CoveredRetries.describe('After a connection that broke before the answer.'),
      })
      .describe('Whether clients try again after 429, after 5xx, and after a broken connection.'),
    signatures: z
      .strictObject({
        tampered: CoveredForgeries.describe('Signed deliveries whose body was changed.'),
        wrong_secret: CoveredForgeries.describe('Deliveries that were signed with another secret.'),
      })
      .describe('Whether receivers verify signatures.'),
    duplicates: CoveredForgeries.extend({
      accepted: count.describe('How many of them a receiver has accepted. Whether it took them twice, it alone knows.'),
    }).describe('Deliveries that were sent more than once by a delivery plan.'),
  })
  .describe('What the tests have met of the platform, and what not.');
