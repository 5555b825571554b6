// Answers of the routes of the catalogues and of the assumption ledger.
import { z } from 'zod';
import { resource } from './fields.ts';
import { Scenario } from './scenarios.ts';

export const MagicNumber = z
  .strictObject({
    number: z.string().describe('The last two digits of `+1 NPA 555 01XX`.'),
    scenario: z.string().describe('The scenario that it plays.'),
    kind: z.string().describe('The kind of that scenario.'),
  })
  .describe('A phone number that plays a scenario.');

export const ErrorEntry = z
  .strictObject({
    code: resource('ErrorCode').describe('The code.'),
    status: z.int().nullable().describe('The HTTP status; null for codes that only a call resource has.'),
    category: resource('ErrorCategory').nullable().describe('Its category; null for codes without one.'),
    retryable: z.boolean().describe('Whether the same request can succeed later.'),
    meaning: z.string().describe('What it means.'),
    synchronous: z.boolean().describe('Whether a response can have it.'),
  })
  .describe('An error code of the platform.');

export const EventEntry = z
  .strictObject({
    event_type: resource('EventType').describe('The type.'),
    family: z.enum(['call', 'message', 'number_lifecycle', 'resource']).describe('The shape of its body.'),
    signed: z.boolean().describe('Whether its deliveries carry a signature.'),
    fires_when: z.string().describe('When it happens.'),
    schema: z.string().describe("The name of its body's schema in the contract."),
  })
  .describe('An event type.');

export const Catalog = z
  .strictObject({
    scenarios: z.array(Scenario).describe('Every scenario of this world.'),
    numbers: z.array(MagicNumber).describe('Every magic number of this world.'),
    errors: z.array(ErrorEntry).describe('Every error code.'),
    events: z.array(EventEntry).describe('Every event type.'),
    scopes: z.array(resource('Scope')).describe('Every scope.'),
  })
  .describe('What this server knows.');

const value = z.union([z.string(), z.number()]);

export const AssumptionRange = z
  .strictObject({
    minimum: z.number().describe('The least.'),
    maximum: z.number().describe('The most.'),
    or: z.string().optional().describe('What is allowed besides an integer.'),
  })
  .describe('The numbers that an assumption can be set to.');

export const Assumption = z
  .strictObject({
    name: z.string().describe('The name of the assumption.'),
    value: value.describe('Its value in this world.'),
    default: value.describe('Its value unless another one is set.'),
    allowed: z
      .union([z.array(value), AssumptionRange])
      .nullable()
      .describe('The values, or the range, that it can be set to; null if it cannot be set.'),
    rule: z.string().describe('What follows from it.'),
    words: z.string().describe('The words of the specification that it stands in for.'),
    used_in: z.array(z.string()).describe('The operations and webhooks that rest on it.'),
  })
  .describe('A choice where the specification is silent.');
