// The clock of a world: `interface.md` section 4.
import { z } from 'zod';
import {
  type ClockSetting,
  changeMode,
  clockForm,
  formatClockSetting,
  LATEST_INSTANT,
  parseClockSetting,
  parseTimestamp,
  systemNow,
  timestamp,
  timestampForm,
  worldTime,
} from '../clock/clock.ts';
import { durationForm, parseDuration } from '../clock/duration.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { type AdvanceResult, AlreadyAdvancing, MAX_STEPS, NeverIdle } from '../scheduler/scheduler.ts';
import { serializeDelivery } from './deliveries.ts';
import { route } from './route.ts';

const MOST_LISTED = 1000;
const LONGEST_TIMEOUT_MS = 600_000;

export const durationField = z.string({ error: `must be ${durationForm}` }).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `must be ${durationForm}` });
  return z.NEVER;
});

export const instantField = z.string({ error: `must be ${timestampForm}` }).transform((text, context) => {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `must be ${timestampForm}` });
  return z.NEVER;
});

export const clockSettingField = z.string({ error: `must be ${clockForm}` }).transform((text, context) => {
  const setting = parseClockSetting(text);
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

export function readClock(sandbox: SandboxContext, world: string): Promise<ClockView> {
  return sandbox.store.transaction(world, (tx) => {
    const clock = tx.state('clock');
    return {
      mode: formatClockSetting(clock),
      speed: clock.speed,
      now: timestamp(worldTime(clock, systemNow())),
      pending: tx.taskCount() + sandbox.deliverer.openCount(world, tx.state('epoch')),
    };
  });
}

export interface ClockChange {
  readonly mode?: ClockSetting | undefined;
  readonly now?: number | undefined;
}

/** Sets mode and hands; going forward performs what lies between, as an advance does. */
export async function setClock(sandbox: SandboxContext, world: string, { mode, now }: ClockChange): Promise<ClockView> {
  if (sandbox.scheduler.isAdvancing(world)) throw advancing();
  if (now !== undefined) {
    await refusePast(sandbox, world, 'now', now);
    await runAdvance(sandbox, world, { to: now, timeoutMs: LONGEST_TIMEOUT_MS });
  }
  if (mode) {
    await sandbox.store.transaction(world, (tx) => {
      tx.setState('clock', changeMode(tx.state('clock'), mode, systemNow()));
    });
    if (mode.mode === 'instant') await sandbox.scheduler.runUntilIdle(world);
  }
  return readClock(sandbox, world);
}

/** Mode and speed are two ways of saying one thing, and may not contradict one another. */
function settingOf(mode: ClockSetting | undefined, speed: number | undefined): ClockSetting | undefined {
  if (speed === undefined) return mode;
  if (mode) {
    if (mode.speed === speed) return mode;
    throw invalidField('speed', `is ${speed}, where the mode ${formatClockSetting(mode)} goes at ${mode.speed}`);
  }
  const setting = speed === 1 ? parseClockSetting('real') : parseClockSetting(`${speed}x`);
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
export async function advance(sandbox: SandboxContext, world: string, request: AdvanceRequest): Promise<AdvanceResult> {
  const { by, to, until, timeoutMs } = request;
  if ([by, to, until].filter((given) => given !== undefined).length !== 1) {
    throw new ApiError('validation_error', {
      fields: { by: 'give one of by, to and until' },
      hint: 'Send { "by": "30s" }, { "to": "<timestamp>" } or { "until": "idle" }.',
    });
  }
  if (until === undefined) {
    if (to !== undefined) await refusePast(sandbox, world, 'to', to);
    const goal = to ?? (await nowOf(sandbox, world)) + (by ?? 0);
    if (goal > LATEST_INSTANT) throw invalidField('by', 'leads beyond the year 9999');
    return runAdvance(sandbox, world, { to: goal, timeoutMs });
  }
  return runAdvance(sandbox, world, { to: 'idle', timeoutMs });
}

function nowOf(sandbox: SandboxContext, world: string): Promise<number> {
  return sandbox.store.transaction(world, (tx) => worldTime(tx.state('clock'), systemNow()));
}

async function refusePast(sandbox: SandboxContext, world: string, field: string, instant: number): Promise<void> {
  const now = await nowOf(sandbox, world);
  if (instant >= now) return;
  throw invalidField(field, `lies in the past of this world, where it is ${timestamp(now)}`);
}

async function runAdvance(
  sandbox: SandboxContext,
  world: string,
  goal: Parameters<SandboxContext['scheduler']['advance']>[1],
): Promise<AdvanceResult> {
  try {
    return await sandbox.scheduler.advance(world, goal);
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
      message: `The world is still not idle: ${trigger} of ${subject.table} ${subject.id} is planned again and again, and nothing has come of it ${MAX_STEPS} times.`,
      hint: 'A job that waits for a free line looks again every second: end the calls that take it, or cancel the job.',
    });
  }
  const last = made.slice(-1000).map(({ subject, trigger }) => `${trigger} of ${subject.table}`);
  const counts = new Map<string, number>();
  for (const name of last) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return new ApiError('conflict', {
    message: `After ${MAX_STEPS} steps the world is still not idle; what refills it: ${most.map(([name]) => name).join(', ')}.`,
    hint: 'A receiver that dials again on each event never lets it rest; advance by a duration instead.',
  });
}

/** An advance as the control API shows it. */
export function serializeAdvance({ now, complete, steps, deliveries }: AdvanceResult) {
  return {
    now: timestamp(now),
    complete,
    steps: steps.slice(0, MOST_LISTED),
    deliveries: deliveries.slice(0, MOST_LISTED).map(serializeDelivery),
    totals: { steps: steps.length, deliveries: deliveries.length },
  };
}

export const clockRoutes = [
  route({
    method: 'get',
    path: '/clock',
    summary: "The world's clock",
    handle: async ({ sandbox, world }) => ({ data: await readClock(sandbox, world) }),
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
    async handle({ sandbox, world, body: { mode, speed, now } }) {
      return { data: await setClock(sandbox, world, { mode: settingOf(mode, speed), now }) };
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
    async handle({ sandbox, world, body: { timeout, ...goal } }) {
      return { data: serializeAdvance(await advance(sandbox, world, { ...goal, timeoutMs: timeout })) };
    },
  }),
];
