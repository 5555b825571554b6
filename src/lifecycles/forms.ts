// The forms of trigger inputs that several lifecycles share.
import { z } from 'zod';

/** Of a trigger that takes no input. */
export const noInput = z.strictObject({});

export const rejection = z.strictObject({ reasons: z.array(z.string().min(1)).min(1) });
