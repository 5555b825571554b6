// Matchers for test runners, over the handle of a world: a failure shows what came closest, and the timeline. They are
// the same for Vitest and Jest. `interface.md` section 8.
import type { components } from '../client/control-api.d.ts';
import { isObject, shown } from './arguments.ts';
import { fieldsText, hasFields, isAsymmetric } from './fields.ts';
import type { SandboxWorld } from './handle.ts';
import type { EventType } from './types.ts';
import { timelineOf, whatHappened } from './what-happened.ts';

/** Which request is meant; every field that is given must match. The server compares, so values are plain JSON. */
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
   * A receiver has accepted a delivery of that type, whose body has these fields; values may be asymmetric matchers such as
   * `expect.any(String)`.
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

/** What Vitest and Jest bind a matcher to. */
interface Runner {
  readonly isNot: boolean;
}

const running: readonly (string | null)[] = ['QUEUED', 'RINGING', 'IN_PROGRESS'];
/** How many deliveries or requests a message names, and how many differences of each. */
const MOST_NAMED = 3;

export const sandboxMatchers = {
  async toHaveDelivered(
    this: Runner,
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
    const accepted = ofType.filter((each) => each.status === 'delivered' && hasFields(JSON.parse(each.body), fields));
    const pass = accepted.length > 0;
    const wanted = Object.keys(fields).length === 0 ? type : `${type} with ${fieldsText(fields)}`;
    const named = (pass ? accepted : ofType).slice(-MOST_NAMED);
    const lines = named.map(({ status, url, body }) => `\n  ${status} ${url} ${body}`);
    const others =
      lines.length > 0 ? `${pass ? 'Delivered' : 'Nearest'}:${lines.join('')}` : await whatHappened(world, type);
    const drawn = await timelineOf(world, named.at(-1)?.id);
    return {
      pass,
      message: () => `World ${world.name} has ${pass ? '' : 'not '}delivered ${wanted}. ${others}${drawn}`,
    };
  },

  async toHaveReceivedRequest(
    this: Runner,
    world: SandboxWorld,
    match: RequestMatch,
    times?: number,
  ): Promise<Verdict> {
    checkWorld(world, 'toHaveReceivedRequest');
    checkPlain(match, 'match');
    if (times !== undefined && !(Number.isSafeInteger(times) && times >= 0)) {
      throw new TypeError(`toHaveReceivedRequest: times must be an integer of 0 or more; got ${shown(times)}`);
    }
    const count = times === undefined ? { at_least: 1 } : { exactly: times };
    const verified = await world.control.call('verifyRequests', { body: { match, ...count } });
    const misses = ('misses' in verified ? (verified.misses ?? []) : []).slice(0, MOST_NAMED);
    const drawn = await timelineOf(world, misses[0]?.id);
    const often = times === undefined ? (this.isNot ? 'none' : 'at least 1') : `${this.isNot ? 'not ' : ''}${times}`;
    const wanted = `${often} of ${JSON.stringify(match)}`;
    const found = `World ${world.name} has received ${verified.actual} such requests; expected ${wanted}.`;
    const nearest = misses.length > 0 ? ` Nearest:${misses.map(missed).join('')}${drawn}` : '';
    return { pass: verified.passed, message: () => `${found}${nearest}` };
  },

  async toHaveEnded(this: Runner, world: SandboxWorld, callId: string, status?: string): Promise<Verdict> {
    checkWorld(world, 'toHaveEnded');
    if (typeof callId !== 'string') throw new TypeError(`toHaveEnded takes the id of a call; got ${shown(callId)}`);
    const timeline = await world.control.call('getCallTimeline', { path: { id: callId } });
    const hasEnded = !running.includes(timeline.status);
    const pass = hasEnded && (status === undefined || timeline.status === status);
    const drawn = await timelineOf(world, callId);
    const expected = `${this.isNot ? 'not ' : ''}${status ?? 'an end'}`;
    return { pass, message: () => `Call ${callId} is ${timeline.status}; expected ${expected}.${drawn}` };
  },
};

/** A request that does not match, and where it differs. */
function missed({ id, method, path, status, differences }: components['schemas']['NearMiss']): string {
  const lines = differences.slice(0, MOST_NAMED).map(({ field, expected, actual }) => {
    const found = actual === undefined ? 'is absent' : `is ${JSON.stringify(actual)}`;
    return `\n    ${field} ${found}; expected ${JSON.stringify(expected)}`;
  });
  const more = differences.length - lines.length;
  return `\n  ${method} ${path} -> ${status}  ${id}${lines.join('')}${more > 0 ? `\n    and ${more} more` : ''}`;
}

/** What JSON would leave out or change would match more than the caller means. */
function checkPlain(value: unknown, name: string): void {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return;
  if (Array.isArray(value) || isPlainObject(value)) {
    for (const [key, each] of Object.entries(value)) checkPlain(each, `${name}.${key}`);
    return;
  }
  throw new TypeError(
    `toHaveReceivedRequest: ${name} is ${shown(value)}; must be plain JSON. ` +
      'For anything else, read the requests with requests() and compare those.',
  );
}

/** Also an object of another realm, such as that in which Jest runs a test file. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isAsymmetric(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A world's handle has them all; JavaScript callers may pass anything. */
function checkWorld(world: unknown, matcher: string): void {
  if (typeof world === 'object' && world !== null && 'deliveries' in world && 'control' in world) return;
  throw new TypeError(
    `${matcher} is about a sandbox or a world of it: expect(sandbox).${matcher}(…); got ${shown(world)}`,
  );
}
