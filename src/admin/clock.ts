// The clock of a world: read it, set it, advance it. `interface.md` section 4.
import {
  type ClockSetting,
  changeMode,
  formatClockSetting,
  LATEST_INSTANT,
  parseClockSetting,
  timestamp,
  worldTime,
} from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { TICK } from '../model.ts';
import {
  type AdvanceGoal,
  type AdvanceResult,
  AlreadyAdvancing,
  type MayList,
  NeverIdle,
  TooManyTicks,
} from '../scheduler/advance.ts';
import type { Appended } from '../store/history.ts';
import { singleTasks } from '../store/periodic-tasks.ts';
import { advanceInProgress, worldNeverIdle, worldNeverRests } from './advance-errors.ts';
import { serializeDelivery } from './deliveries.ts';
import { type Reader, sees } from './reader.ts';
import { hasTooManyTicks, serializeTick, type TickView, tooManyTicks } from './ticks.ts';
import { maySee } from './timeline/subject.ts';

type Parts = Pick<SandboxContext, 'store' | 'work' | 'scheduler' | 'openWork'>;

/** The longest real time that an advance may take. */
export const MAX_ADVANCE_MS = 600_000;

export interface ClockView {
  /** `real`, `manual`, `instant`, or a speed such as `20x`. */
  readonly mode: string;
  /** World seconds per real second; 0 on a stopped clock. */
  readonly speed: number;
  /** An ISO 8601 timestamp. */
  readonly now: string;
  /** Scheduled tasks, and deliveries that are pending or in flight; ticks aside. */
  readonly pending: number;
  /** Absent if none is set. */
  readonly tick?: TickView;
}

export function readClock(
  { store, work, openWork }: Pick<Parts, 'store' | 'work' | 'openWork'>,
  world: string,
): Promise<ClockView> {
  return store.transaction(world, (tx) => {
    const clock = tx.state('clock');
    const tick = tx.get('ticks', TICK);
    return {
      mode: formatClockSetting(clock),
      speed: clock.speed,
      now: timestamp(worldTime(clock, tx.systemTime)),
      pending: singleTasks(tx) + (work.shared?.countOpen(tx) ?? openWork.count(world, tx.state('epoch'))),
      ...(tick && { tick: serializeTick(tick) }),
    };
  });
}

/** When the earliest scheduled task is due, ticks included; null if there is none. */
export function readNextTask({ store }: Pick<Parts, 'store'>, world: string): Promise<{ readonly at: string | null }> {
  return store.transaction(world, (tx) => {
    const next = tx.nextTask();
    return { at: next ? timestamp(next.at) : null };
  });
}

export interface ClockChange {
  readonly mode?: ClockSetting | undefined;
  /** Another way to set the mode; 1 is `real`. */
  readonly speed?: number | undefined;
  /** Milliseconds; not in the past of the world. */
  readonly now?: number | undefined;
}

/** Sets the mode and the time. Setting the time runs everything scheduled up to then, as an advance does. */
export async function setClock(parts: Parts, world: string, { mode, speed, now }: ClockChange): Promise<ClockView> {
  const { store, scheduler } = parts;
  const setting = settingOf(mode, speed);
  if (scheduler.isAdvancing(world)) throw advanceInProgress();
  if (now !== undefined) {
    await refusePast(parts, world, 'now', now);
    await run(parts, world, { to: now, timeoutMs: MAX_ADVANCE_MS });
  }
  if (setting) {
    await store.transaction(world, (tx) => {
      tx.setState('clock', changeMode(tx.state('clock'), setting, tx.systemTime));
    });
    await finishIfInstant(parts, world);
  }
  return readClock(parts, world);
}

/** On an instant clock, runs everything that is scheduled. */
export async function finishIfInstant(
  { store, scheduler }: Pick<SandboxContext, 'store' | 'scheduler'>,
  world: string,
): Promise<void> {
  const { mode } = await store.transaction(world, (tx) => tx.state('clock'));
  if (mode === 'instant') await scheduler.runUntilIdle(world);
}

/** `mode` and `speed` set the same thing, and must not contradict each other. */
function settingOf(mode: ClockSetting | undefined, speed: number | undefined): ClockSetting | undefined {
  if (speed === undefined || mode?.speed === speed) return mode;
  if (mode)
    throw invalidField('speed', `is ${speed}, but the mode ${formatClockSetting(mode)} has speed ${mode.speed}`);
  const setting = speed === 1 ? parseClockSetting('real') : parseClockSetting(`${speed}x`);
  if (setting) return setting;
  throw invalidField('speed', `is ${speed}; must be more than 0; to stop the clock, set mode to manual or instant`);
}

/** How far to advance: exactly one of `by`, `to` and `until`. */
export interface AdvanceRequest {
  /** Milliseconds. */
  readonly by?: number | undefined;
  /** Milliseconds of the world's time. */
  readonly to?: number | undefined;
  readonly until?: 'idle' | undefined;
  /** Real milliseconds after which the advance stops where it is. */
  readonly timeoutMs: number;
}

export type Advance = ReturnType<typeof serializeAdvance>;

/**
 * Runs everything up to an instant, and what it causes, before it returns. `conflict` while another advance is in
 * progress, or if the world never becomes idle; `validation_error` for an instant in the past.
 */
export async function advance(
  parts: Parts,
  world: string,
  { by, to, until, timeoutMs, ...reader }: AdvanceRequest & Reader,
): Promise<Advance> {
  if ([by, to, until].filter((given) => given !== undefined).length !== 1) {
    throw new ApiError('validation_error', {
      fields: { by: 'is required, or else to or until; exactly one of the three' },
      hint: 'Send { "by": "30s" }, { "to": "<timestamp>" } or { "until": "idle" }.',
    });
  }
  const mayList = await whatMayBeListed(parts, world, reader);
  if (until === 'idle') {
    const idle = run(parts, world, { to: 'idle', timeoutMs, mayList });
    return serializeAdvance(await idle.catch((error) => throwWhyBusy(parts, world, reader, error)));
  }
  if (to !== undefined) await refusePast(parts, world, 'to', to);
  const goal = to ?? (await nowOf(parts, world)) + (by ?? 0);
  if (goal > LATEST_INSTANT)
    throw invalidField('by', `ends after ${timestamp(LATEST_INSTANT)}, the latest possible time`);
  return serializeAdvance(await run(parts, world, { to: goal, timeoutMs, mayList }));
}

/** Undefined for a reader who sees the whole world: then nothing has to be checked. */
async function whatMayBeListed(
  { store }: Pick<Parts, 'store'>,
  world: string,
  reader: Reader,
): Promise<MayList | undefined> {
  const seesAll = await store.transaction(world, (tx) => sees(tx, reader, null));
  return seesAll ? undefined : (tx, each) => isListed(each) && maySee(tx, reader, each);
}

const isListed = (each: Appended): each is Appended & { readonly journal: 'steps' | 'deliveries' } =>
  each.journal === 'steps' || each.journal === 'deliveries';

function nowOf({ store }: Pick<Parts, 'store'>, world: string): Promise<number> {
  return store.transaction(world, (tx) => worldTime(tx.state('clock'), tx.systemTime));
}

async function refusePast(parts: Parts, world: string, field: string, instant: number): Promise<void> {
  const now = await nowOf(parts, world);
  if (instant < now) throw invalidField(field, `is in the past of this world: its time is ${timestamp(now)}`);
}

async function run(
  { scheduler, store }: Pick<Parts, 'scheduler' | 'store'>,
  world: string,
  goal: AdvanceGoal,
): Promise<AdvanceResult> {
  const { to } = goal;
  if (to !== 'idle' && (await store.transaction(world, (tx) => hasTooManyTicks(tx, to)))) throw tooManyTicks();
  try {
    return await scheduler.advance(world, goal);
  } catch (error) {
    if (error instanceof AlreadyAdvancing) throw advanceInProgress();
    if (error instanceof TooManyTicks) throw tooManyTicks();
    throw error;
  }
}

/** Names what keeps the world busy, as far as this reader may see it. */
async function throwWhyBusy(
  { store }: Pick<Parts, 'store'>,
  world: string,
  reader: Reader,
  error: unknown,
): Promise<never> {
  if (!(error instanceof NeverIdle)) throw error;
  const { evidence } = error;
  throw await store.transaction(world, (tx) => {
    if (!('task' in evidence)) {
      const latest = evidence.slice(-1000);
      return worldNeverRests(latest.filter((entry) => maySee(tx, reader, { journal: 'steps', entry })));
    }
    const { table, id } = evidence.task.subject;
    const owner = tx.get(table, id)?.private.organization_id ?? null;
    return worldNeverIdle(sees(tx, reader, owner) ? evidence : null);
  });
}

function serializeAdvance({ now, complete, steps, deliveries, totals }: AdvanceResult) {
  return { now: timestamp(now), complete, steps, deliveries: deliveries.map(serializeDelivery), totals };
}
