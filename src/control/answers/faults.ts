// Input and answers of the routes of faults.
import { z } from 'zod';
import { faultForm, MAX_FAULTS, respond } from '../../faults/form.ts';
import { count, instant, nullableInstant, resource } from './fields.ts';

export const RawAnswer = respond;

export const FaultToSet = faultForm;

export const FaultList = z
  .strictObject({ faults: z.array(FaultToSet).max(MAX_FAULTS).describe('Every fault of the world from now on.') })
  .describe('A list that replaces all faults.');

export const FaultsToSet = z.union([FaultToSet, FaultList]).describe('One fault to add, or a list that replaces all.');

export const WorldFault = z
  .strictObject({
    id: z.string().describe('The id of the fault, which `X-Sandbox-Fault-Applied` names.'),
    ...faultForm.shape,
    error: resource('ErrorCode').optional().describe('The error that the platform answers with.'),
    when: z.enum(['before', 'after']).describe('Before the effect of the request, or after it.'),
    probability: z.number().describe('How likely it happens to a request.'),
    created_at: instant,
    expires_at: nullableInstant.describe('When its `ttl` is over; null without one.'),
    matched: count.describe('How many requests have met its conditions.'),
    applied: count.describe('To how many of them it has happened.'),
  })
  .describe('A fault of a world, and what it has done.');

export const WorldFaultList = z
  .strictObject({ faults: z.array(WorldFault).describe('The faults of the world.') })
  .describe('All faults of a world.');

export const FaultChange = z
  .union([WorldFault, WorldFaultList])
  .describe('The fault that was added, or all faults of the world.');
