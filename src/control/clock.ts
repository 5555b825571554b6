// The clock of a world: `interface.md` section 4.
import { z } from 'zod';
import {
  type ClockSetting,
  changeMode,
  clockForm,
  LATEST,
  readClockSetting,
  readTimestamp,
  timeOf,
  timestamp,
  timestampForm,
  wall,
  writeClockSetting,
} from '../clock/clock.ts';
import { durationForm, readDuration } from '../clock/duration.ts';
import { type Advanced, AlreadyAdvancing, MOST_STEPS, NeverIdle } from '../clock/pacer.ts';
import type { House } from '../engine/house.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { shownDelivery } from './deliveries.ts';
import { route } from './route.ts';

const MOST_LISTED = 1000;
const LONGEST_TIMEOUT_MS = 600_000;

export const durationField = z.string().transform((text, context) => {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `must be ${durationForm}` });
  return z.NEVER;
});

export const instantField = z.string().transform((text, context) => {
  const ms = readTimestamp(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `must be ${timestampForm}` });
  return z.NEVER;
});

export const clockSettingField = z.string().transform((text, context) => {
  const setting = readClockSetting(text);
  if (setting) return setting;
  context.addIssue({ code: 'custom', message: `must be ${clockForm}` });
  return z.NEVER;
});

export interface ClockView {
  /** `real`, `manual`, `instant`, or a speed such as `20x`. */
  readonly mode: string;
  readonly speed: number;
  readonly now: string;
  /** Steps on the agenda, and deliveries that are pending or in flight. */
  readonly pending: number;
}

export function readClock(house: House, world: string): Promise<ClockView> {
  return house.store.transaction(world, (tx) => {
    const clock = tx.cell('clock');
    return {
      mode: writeClockSetting(clock),
      speed: clock.speed,
      now: timestamp(timeOf(clock, wall())),
      pending: tx.agendaSize() + house.deliverer.open(world, tx.cell('epoch')),
    };
  });
}

export interface ClockChange {
  readonly mode?: ClockSetting | undefined;
  readonly now?: number | undefined;
}

/** Sets mode and hands; going forward performs what lies between, as an advance does. */
export async function setClock(house: House, world: string, { mode, now }: ClockChange): Promise<ClockView> {
  if (house.pacer.isAdvancing(world)) throw advancing();
  if (now !== undefined) {
    await refusePast(house, world, 'now', now);
    await runAdvance(house, world, { to: now, timeoutMs: LONGEST_TIMEOUT_MS });
  }
  if (mode) {
    await house.store.transaction(world, (tx) => {
      tx.setCell('clock', changeMode(tx.cell('clock'), mode, wall()));
    });
    if (mode.mode === 'instant') await house.pacer.runOut(world);
  }
  return readClock(house, world);
}

/** Mode and speed are two ways of saying one thing, and may not contradict one another. */
function settingOf(mode: ClockSetting | undefined, speed: number | undefined): ClockSetting | undefined {
  if (speed === undefined) return mode;
  if (mode) {
    if (mode.speed === speed) return mode;
    throw invalidField('speed', `is ${speed}, where the mode ${writeClockSetting(mode)} goes at ${mode.speed}`);
  }
  const setting = speed === 1 ? readClockSetting('real') : readClockSetting(`${speed}x`);
  if (setting) return setting;
  throw invalidField(
    'speed',
    `is ${speed}; a clock that goes has more, and one that stands is the mode manual or instant`,
  );
}

export interface AdvanceRequest {
  readonly by?: number | undefined;
  readonly to?: number | undefined;
  readonly until?: 'idle' | undefined;
  readonly timeoutMs: number;
}

/** The barrier; `conflict` while another advance is under way, or where the world never comes to rest. */
export async function advance(house: House, world: string, request: AdvanceRequest): Promise<Advanced> {
  const { by, to, until, timeoutMs } = request;
  if ([by, to, until].filter((given) => given !== undefined).length !== 1) {
    throw new ApiError('validation_error', {
      fields: { by: 'give one of by, to and until' },
      hint: 'Send { "by": "30s" }, { "to": "<timestamp>" } or { "until": "idle" }.',
    });
  }
  if (until === undefined) {
    if (to !== undefined) await refusePast(house, world, 'to', to);
    const goal = to ?? (await nowOf(house, world)) + (by ?? 0);
    if (goal > LATEST) throw invalidField('by', 'leads beyond the year 9999');
    return runAdvance(house, world, { to: goal, timeoutMs });
  }
  return runAdvance(house, world, { to: 'idle', timeoutMs });
}

function nowOf(house: House, world: string): Promise<number> {
  return house.store.transaction(world, (tx) => timeOf(tx.cell('clock'), wall()));
}

async function refusePast(house: House, world: string, field: string, instant: number): Promise<void> {
  const now = await nowOf(house, world);
  if (instant >= now) return;
  throw invalidField(field, `lies in the past of this world, where it is ${timestamp(now)}`);
}

async function runAdvance(
  house: House,
  world: string,
  goal: Parameters<House['pacer']['advance']>[1],
): Promise<Advanced> {
  try {
    return await house.pacer.advance(world, goal);
  } catch (error) {
    if (error instanceof AlreadyAdvancing) throw advancing();
    if (error instanceof NeverIdle) throw neverIdle(error);
    throw error;
  }
}

function advancing(): ApiError {
  return new ApiError('conflict', {
    message: 'An advance of this world is under way.',
    hint: 'Wait for its answer; a receiver must not advance the clock that waits for it.',
  });
}

function neverIdle({ made }: NeverIdle): ApiError {
  if ('trigger' in made) {
    const { trigger, subject } = made;
    return new ApiError('conflict', {
      message: `The world is still not idle: ${trigger} of ${subject.table} ${subject.id} is planned again and again, and nothing has come of it ${MOST_STEPS} times.`,
      hint: 'A job that waits for a free line looks again every second: end the calls that take it, or cancel the job.',
    });
  }
  const last = made.slice(-1000).map(({ subject, trigger }) => `${trigger} of ${subject.table}`);
  const counts = new Map<string, number>();
  for (const name of last) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return new ApiError('conflict', {
    message: `After ${MOST_STEPS} steps the world is still not idle; what refills it: ${most.map(([name]) => name).join(', ')}.`,
    hint: 'A receiver that dials again on each event never lets it rest; advance by a duration instead.',
  });
}

/** An advance as the control API shows it. */
export function shownAdvance({ now, complete, steps, deliveries }: Advanced) {
  return {
    now: timestamp(now),
    complete,
    steps: steps.slice(0, MOST_LISTED),
    deliveries: deliveries.slice(0, MOST_LISTED).map(shownDelivery),
    totals: { steps: steps.length, deliveries: deliveries.length },
  };
}

export const clockRoutes = [
  route({
    method: 'get',
    path: '/clock',
    summary: "The world's clock",
    handle: async ({ house, world }) => ({ data: await readClock(house, world) }),
  }),
  route({
    method: 'put',
    path: '/clock',
    summary: 'Set the mode, or move the hands forward',
    body: z.strictObject({
      mode: clockSettingField.optional(),
      speed: z.number().min(0).max(1_000_000).optional(),
      now: instantField.optional(),
      /** What GET answers can be sent back; this part of it is nothing to set. */
      pending: z.number().optional(),
    }),
    async handle({ house, world, body: { mode, speed, now } }) {
      return { data: await setClock(house, world, { mode: settingOf(mode, speed), now }) };
    },
  }),
  route({
    method: 'post',
    path: '/clock/advance',
    summary: 'Run everything up to an instant, and what it causes, before answering',
    body: z.strictObject({
      by: durationField.optional(),
      to: instantField.optional(),
      until: z.literal('idle').optional(),
      timeout: durationField.refine((ms) => ms <= LONGEST_TIMEOUT_MS, { error: 'must be at most 10m' }).default(30_000),
    }),
    async handle({ house, world, body: { timeout, ...goal } }) {
      return { data: shownAdvance(await advance(house, world, { ...goal, timeoutMs: timeout })) };
    },
  }),
];
