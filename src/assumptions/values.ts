// Assumption values as they are written in a fixture file or sent to the control API.
import { z } from 'zod';
import { type AssumptionValues, readAssumption } from './catalogue.ts';

/** Values of some assumptions, each one allowed by the ledger. */
export const assumptionValues = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .transform((values, context): AssumptionValues => {
    const read: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(values)) {
      const result = readAssumption(name, value);
      if ('problem' in result) context.addIssue({ code: 'custom', path: [name], message: result.problem });
      else read[name] = result.value;
    }
    return read;
  });
