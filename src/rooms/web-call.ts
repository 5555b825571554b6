// What a room does to the records of its world: who comes and goes, the call that begins with the first browser and ends
// with the last, and what is said on it; and what those in a room are to be told of these records.
import type { Schemas } from '../contract/document.ts';
import { addVisitor, type Processes, removeVisitor, visitorsIn } from '../domain/calls/room-visitors.ts';
import { serializeCall } from '../domain/calls/serialize-call.ts';
import { serializeTurn } from '../domain/calls/transcripts.ts';
import { callIn, joinCall, leaveCall, MAX_TURNS, speak } from '../domain/calls/web-calls.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { transactSlice } from '../engine/transact-slice.ts';
import { ApiError } from '../errors/api-error.ts';
import { callIsLive } from '../lifecycles/call.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import type { Admission } from './admission.ts';

export interface RoomParts extends Pick<SandboxContext, 'store' | 'secrets' | 'runTask' | 'turns' | 'log'> {
  readonly processes: Processes;
}

/** A browser in a room. */
export interface Visit extends Admission {
  /** A name of its own. */
  readonly id: string;
}

/** What a browser finds when it comes. */
export interface Arrival {
  /** The world's; a room of another epoch is gone. */
  readonly epoch: number;
  /** The call in the room; undefined if there is none. */
  readonly call: string | undefined;
  /** Who else is there. */
  readonly others: readonly string[];
}

/** Comes into a room, and joins its call. Undefined if the room is gone. */
export function enter(parts: RoomParts, { world, room, id }: Visit): Promise<Arrival | undefined> {
  return transact(parts, world, room.private.cause ?? null, (tx) => {
    addVisitor(tx, room.id, id, parts.processes);
    const call = joinCall(tx, room.id)?.id;
    return { epoch: tx.state('epoch'), call, others: othersIn(tx, parts, room.id, id) };
  }).catch(ifGone(undefined));
}

/** Leaves a room, and ends its call if nobody is left. */
export function leave(parts: RoomParts, { world, room, id }: Visit): Promise<void> {
  return transact(parts, world, room.private.cause ?? null, (tx) => {
    if (removeVisitor(tx, room.id, id, parts.processes)) leaveCall(tx, room.id);
  }).catch(ifGone(undefined));
}

/** Ends the call of a room, if there is one. */
export function hangUp(parts: RoomParts, { world, room }: Admission): Promise<void> {
  return transact(parts, world, room.private.cause ?? null, (tx) => leaveCall(tx, room.id)).catch(ifGone(undefined));
}

/** Says something in a room, to which the agent replies. Rejects with `conflict` if no call is in it. */
export function say(parts: RoomParts, { world, room }: Admission, text: string): Promise<void> {
  return transact(parts, world, room.private.cause ?? null, (tx) => {
    const call = callIn(tx, room.id);
    if (!call) throw new ApiError('conflict', { message: 'The call in this room has ended.' });
    if ((call.private.turns?.length ?? 0) >= MAX_TURNS)
      throw new ApiError('conflict', { message: `${MAX_TURNS} turns have been spoken on this call; hang up.` });
    speak(tx, call, text);
  });
}

/** What a browser in a room is to be told. */
export interface News {
  readonly epoch: number;
  readonly others: readonly string[];
  /** What was said after the turns that it has heard. */
  readonly turns: readonly Schemas['TranscriptTurn'][];
  /** The call as the platform shows it, without the address of its recording; undefined while it lasts. */
  readonly ended: Schemas['Call'] | undefined;
}

/** For how many browsers is read what is new before others get their turn: a tenth of a millisecond each. */
const SLICE = 10;

interface Told extends Visit {
  readonly call: string | undefined;
  readonly heard: number;
}

/** What these browsers in rooms of a world are to be told, in their order. Rejects with NoSuchWorld. */
export async function newsFor(parts: RoomParts, world: string, visits: readonly Told[]): Promise<News[]> {
  const news: News[] = [];
  for (let from = 0; from < visits.length; from += SLICE) {
    const slice = visits.slice(from, from + SLICE);
    news.push(...(await transactSlice(parts, world, (tx) => slice.map((visit) => newsOf(tx, parts, visit)))));
  }
  return news;
}

function newsOf(tx: Tx, parts: RoomParts, { id, room, call, heard }: Told): News {
  const found = call === undefined ? undefined : tx.get('calls', call);
  const turns = found?.private.turns ?? [];
  return {
    epoch: tx.state('epoch'),
    others: othersIn(tx, parts, room.id, id),
    turns: found ? turns.slice(heard).map((turn) => serializeTurn(turn, found.private.agent)) : [],
    ended: found && !callIsLive(found) ? serializeCall(tx, found, false) : undefined,
  };
}

function othersIn(tx: Tx, { processes }: RoomParts, name: string, id: string): string[] {
  const room = tx.get('rooms', name);
  return room ? visitorsIn(tx, room, processes).filter((each) => each !== id) : [];
}
