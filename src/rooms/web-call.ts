// What a room does to the records of its world: starts a call with the first browser, stores what is said on it, ends
// it.
import type { Schemas } from '../contract/document.ts';
import { serializeCall } from '../domain/calls/serialize-call.ts';
import { serializeTurn } from '../domain/calls/transcripts.ts';
import { callIn, joinCall, leaveCall, MAX_TURNS, speak } from '../domain/calls/web-calls.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError } from '../errors/api-error.ts';
import { callIsLive } from '../lifecycles/call.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Admission } from './admission.ts';

export type RoomParts = Pick<SandboxContext, 'store' | 'secrets' | 'runTask' | 'turns' | 'log'>;

export interface JoinedCall {
  readonly call_id: string;
  /** What was said so far: the agent's greeting, and what came after it. */
  readonly turns: readonly Schemas['TranscriptTurn'][];
}

/** Joins the call of a room; `known` is called before anybody can be told that it has ended. */
export function join(
  parts: RoomParts,
  { world, room }: Admission,
  known: (call: string) => void,
): Promise<JoinedCall | undefined> {
  const { id, private: own } = room;
  return transact(parts, world, own.cause ?? null, (tx) => {
    const call = joinCall(tx, id);
    if (!call) return undefined;
    known(call.id);
    const { agent, turns = [] } = call.private;
    return { call_id: call.id, turns: turns.map((turn) => serializeTurn(turn, agent)) };
  }).catch(ifGone(undefined));
}

/** Says something in a room; resolves to it and the agent's reply. Rejects with `conflict` if no call is in it. */
export function say(parts: RoomParts, { world, room }: Admission, text: string): Promise<Schemas['TranscriptTurn'][]> {
  return transact(parts, world, room.private.cause ?? null, (tx) => {
    const call = callIn(tx, room.id);
    if (!call) throw new ApiError('conflict', { message: 'The call in this room has ended.' });
    if ((call.private.turns?.length ?? 0) >= MAX_TURNS)
      throw new ApiError('conflict', { message: `${MAX_TURNS} turns have been spoken on this call; hang up.` });
    return speak(tx, call, text).map((turn) => serializeTurn(turn, call.private.agent));
  });
}

/** Ends the call of a room, if there is one. */
export function leave(parts: RoomParts, { world, room }: Admission): Promise<void> {
  return transact(parts, world, room.private.cause ?? null, (tx) => leaveCall(tx, room.id)).catch(ifGone(undefined));
}

/** The call as the platform shows it, without the address of its recording; undefined while it lasts. */
export function endedCallOf(parts: RoomParts, world: string, id: string): Promise<Schemas['Call'] | undefined> {
  return parts.store.transaction(world, (tx) => {
    const call = tx.get('calls', id);
    return call && !callIsLive(call) ? serializeCall(tx, call, false) : undefined;
  });
}
