// The form of a delivery plan, and the combinations that are refused. `interface.md` section 5.
import { z } from 'zod';
import { durationForm, parseDuration, parseDurationRange } from '../clock/duration.ts';
import { type DeliveryPlan, retrySchedules } from '../model.ts';

/** How often a delivery can be attempted again. */
const MAX_RETRIES = 100;
const MAX_TIMEOUT_MS = 60_000;

const probability = z.number().min(0).max(1).optional();

/** A text that passes a test, and stays as it is: an answer shows what was set. */
const text = (passes: (text: string) => boolean, error: string) =>
  z.string({ error }).refine((given) => passes(given), { error });

const duration = text((given) => parseDuration(given) !== undefined, `must be ${durationForm}`);
const limit = text((given) => {
  const ms = parseDuration(given) ?? 0;
  return ms > 0 && ms <= MAX_TIMEOUT_MS;
}, 'must be a duration such as 500ms or 2s, more than 0 and at most 60s').optional();

const tooManyRetries = `must be at most ${MAX_RETRIES} durations`;
const schedules = `one of ${retrySchedules.join(', ')}, or a list of durations such as ["1s", "5m"]`;

/** What a client sends; the document of the control API shows it. */
export const planForm = z
  .strictObject({
    duplicate: probability.describe('How likely an accepted delivery is sent a second time, from 0 to 1.'),
    reorder: probability.describe('How likely a delivery is swapped with the next one.'),
    drop: probability.describe('How likely a delivery is recorded, and never sent.'),
    tamper: probability.describe('How likely the body of an attempt is changed after it was signed.'),
    wrong_secret: probability.describe('How likely an attempt is signed with another secret.'),
    delay: text(
      (given) => parseDurationRange(given) !== undefined,
      'must be a duration such as 2s, or a range such as 1s..5s, the shorter one first (a century at most)',
    )
      .optional()
      .describe("How long a delivery waits first, on the world's clock: `2s` or `1s..5s`."),
    retries: z
      .union([z.enum(retrySchedules), z.array(duration).max(MAX_RETRIES, { error: tooManyRetries })], {
        error({ input }) {
          if (!Array.isArray(input)) return `must be ${schedules}`;
          return input.length > MAX_RETRIES ? tooManyRetries : undefined;
        },
      })
      .optional()
      .describe(
        "The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each.",
      ),
    timeout: z
      .strictObject({
        connect: limit.describe('To connect; 3s by default.'),
        answer: limit.describe('For the response; 10s by default.'),
        total: limit.describe('In all; by default 5s more than `answer`.'),
      })
      .optional()
      .describe('The time limits of an attempt, in real time.'),
    paused: z.boolean().optional().describe('Whether deliveries are held until it is false.'),
  })
  .describe('How deliveries are sent, and what goes wrong with them.') satisfies z.ZodType<DeliveryPlan>;
