// Matchers for test runners, over the handle of a world: what fails says what came nearest, and prints the timeline. They
// are the same for Vitest and Jest. `interface.md` section 8.
import { isDeepStrictEqual } from 'node:util';
import { isObject, shown } from './arguments.ts';
import type { SandboxWorld } from './handle.ts';
import type { Delivery, EventType } from './types.ts';
import { timelineOf, whatHappened } from './what-happened.ts';

/** Which request is meant; every field that is given must match. */
export interface RequestMatch {
  readonly method?: string;
  readonly path?: string;
  readonly operation?: string;
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

/** The matchers as they are called: `await expect(sandbox).toHaveDelivered('call_busy')`. */
export interface SandboxMatchers<Result = unknown> {
  /**
   * A receiver has accepted a delivery of that type, whose body has these fields.
   *
   * @example
   * await expect(sandbox).toHaveDelivered('call_busy', { to_number: '+12125550101' });
   */
  toHaveDelivered(type: EventType, fields?: Readonly<Record<string, unknown>>): Result;
  /**
   * The platform has received such a request; as often as `times` says, or at least once.
   *
   * @example
   * await expect(sandbox).toHaveReceivedRequest({ operation: 'dialCall', body: { to_number: '+12125550101' } }, 1);
   */
  toHaveReceivedRequest(match: RequestMatch, times?: number): Result;
  /**
   * The call has ended, with that status if one is given.
   *
   * @example
   * await expect(sandbox).toHaveEnded(call_id, 'BUSY');
   */
  toHaveEnded(callId: string, status?: string): Result;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

const running: readonly (string | null)[] = ['QUEUED', 'RINGING', 'IN_PROGRESS'];
/** How many near misses a message names. */
const MOST_NAMED = 3;

export const sandboxMatchers = {
  async toHaveDelivered(
    world: SandboxWorld,
    type: EventType,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<Verdict> {
    checkWorld(world, 'toHaveDelivered');
    if (typeof type !== 'string' || !isObject(fields)) {
      throw new TypeError(
        "toHaveDelivered takes an event type, and fields of its body: toHaveDelivered('call_busy', { … })",
      );
    }
    const ofType = await world.deliveries({ event_type: type });
    const accepted = ofType.filter((delivery) => delivery.status === 'delivered' && hasFields(delivery, fields));
    const pass = accepted.length > 0;
    const wanted = Object.keys(fields).length === 0 ? type : `${type} with ${JSON.stringify(fields)}`;
    const nearest = pass ? accepted : ofType;
    const drawn = await timelineOf(world, nearest.at(-1)?.id);
    const misses = nearest.slice(-MOST_NAMED).map(({ status, url, body }) => `\n  ${status} ${url} ${body}`);
    const others = misses.length > 0 ? `Nearest:${misses.join('')}` : await whatHappened(world, type);
    return { pass, message: () => `${world.name} has ${pass ? '' : 'not '}delivered ${wanted}. ${others}${drawn}` };
  },

  async toHaveReceivedRequest(world: SandboxWorld, match: RequestMatch, times?: number): Promise<Verdict> {
    checkWorld(world, 'toHaveReceivedRequest');
    const count = times === undefined ? { at_least: 1 } : { exactly: times };
    const verified = await world.control.call('verifyRequests', { body: { match, ...count } });
    const misses = ('misses' in verified ? (verified.misses ?? []) : []).slice(0, MOST_NAMED);
    const nearest = misses.map((miss) => `\n  ${miss.method} ${miss.path} ${miss.status}: ${JSON.stringify(miss)}`);
    const drawn = await timelineOf(world, misses[0]?.id);
    const wanted = `${JSON.stringify(match)}${times === undefined ? '' : ` ${times} times`}`;
    const found = `${world.name} has received ${verified.actual} such requests`;
    const rest = nearest.length > 0 ? ` Nearest:${nearest.join('')}${drawn}` : '';
    return { pass: verified.passed, message: () => `${found}; wanted: ${wanted}.${rest}` };
  },

  async toHaveEnded(world: SandboxWorld, callId: string, status?: string): Promise<Verdict> {
    checkWorld(world, 'toHaveEnded');
    if (typeof callId !== 'string') throw new TypeError(`toHaveEnded takes the id of a call; got ${shown(callId)}`);
    const timeline = await world.control.call('getCallTimeline', { path: { id: callId } });
    const hasEnded = !running.includes(timeline.status);
    const pass = hasEnded && (status === undefined || timeline.status === status);
    const drawn = await timelineOf(world, callId);
    const wanted = status === undefined ? '' : `, wanted: ${status}`;
    return { pass, message: () => `the call ${callId} is ${timeline.status}${wanted}.${drawn}` };
  },
};

function hasFields({ body }: Delivery, fields: Readonly<Record<string, unknown>>): boolean {
  const payload: unknown = JSON.parse(body);
  if (typeof payload !== 'object' || payload === null) return false;
  return Object.entries(fields).every(([name, value]) => isDeepStrictEqual(Reflect.get(payload, name), value));
}

/** A world's handle has them all; whoever calls from JavaScript may give anything. */
function checkWorld(world: unknown, matcher: string): void {
  if (typeof world === 'object' && world !== null && 'deliveries' in world && 'control' in world) return;
  throw new TypeError(
    `${matcher} is about a sandbox or a world of it: expect(sandbox).${matcher}(…); got ${shown(world)}`,
  );
}
