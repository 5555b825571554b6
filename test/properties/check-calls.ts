// No state goes backwards, and every call ends, with its events in their order and once each.
import { expect } from 'vitest';
import type { ModelWorld } from './model.ts';
import { CALL_EVENTS } from './steps.ts';

const RANKS = ['QUEUED', 'RINGING', 'IN_PROGRESS'];
/** Of a status that ends a call. */
const ENDED = RANKS.length;

const rankOf = (status: string): number => {
  const rank = RANKS.indexOf(status);
  return rank < 0 ? ENDED : rank;
};

function note(world: ModelWorld, id: string, status: string): void {
  const before = world.statuses.get(id);
  world.statuses.set(id, status);
  if (before === undefined || before === status) return;
  if (rankOf(before) === ENDED || rankOf(status) < rankOf(before)) {
    throw new Error(`the call ${id} of ${world.name} went from ${before} to ${status}`);
  }
}

/** Reads the latest calls, and compares them with what was seen of them before. */
export async function noteStatuses(world: ModelWorld): Promise<void> {
  const { data } = await world.must('GET', '/v1/calls?page_size=5');
  for (const { id, status } of data) note(world, id, status);
}

const outcomes: Readonly<Record<string, string>> = {
  BUSY: 'call_busy',
  NO_ANSWER: 'call_no_answer',
  VOICEMAIL: 'call_voicemail',
  FAILED: 'call_failed',
};

/** To be called when nothing is pending any more. */
export async function checkCalls(world: ModelWorld): Promise<void> {
  const { data } = await world.must('GET', '/v1/calls?page_size=100');
  const status = new Map<string, string>(data.map((call: { id: string; status: string }) => [call.id, call.status]));
  const events = (await world.must('GET', '/_sandbox/events?page_size=1000')).data.reverse();
  const typesOf = new Map<string, string[]>();
  for (const { event_type, payload } of events) {
    if (!CALL_EVENTS.includes(event_type) && event_type !== 'call_voicemail') continue;
    typesOf.set(payload.id, [...(typesOf.get(payload.id) ?? []), event_type]);
  }
  for (const id of world.calls) if (!status.has(id)) throw new Error(`the call ${id} of ${world.name} is gone`);
  const unknown = [...typesOf.keys()].filter((id) => !world.calls.includes(id));
  expect(unknown.length, `calls that nobody has made in ${world.name}`).toBeLessThanOrEqual(world.lost);
  for (const [id, types] of typesOf) {
    const ended = status.get(id) ?? 'none';
    note(world, id, ended);
    if (rankOf(ended) < ENDED) throw new Error(`the call ${id} of ${world.name} stays ${ended}`);
    const outcome = outcomes[ended];
    expect(types, `events of the call ${id} of ${world.name}`).toEqual([
      'new_call',
      'call_completed',
      ...(outcome === undefined ? [] : [outcome]),
      'phone_call.ended',
    ]);
  }
}
