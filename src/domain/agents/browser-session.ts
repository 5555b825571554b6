// A room that a browser joins, with an agent in it or alone: `spec.md` "Browser call session". The room is a record; its
// token, and everything that holds this server's address, are made as the reply leaves.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { type CompletionContext, type Owner, ownedBy } from '../../engine/operation.ts';
import { token } from '../../identity/seeded.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { iceServersOf } from '../../tokens/ice-servers.ts';
import { JOIN_TOKEN_LIFE, signJoinToken } from '../../tokens/join-token.ts';

/** What a reply keeps of the room: everything else of the session follows from it. */
export interface OpenedRoom {
  readonly room_name: string;
  readonly agent_id: string | null;
  readonly identity: string;
}

/** Makes a room of that organization. */
export function openRoom(tx: Tx, owner: Owner, agent: Row<'agents'> | null): OpenedRoom {
  const { seed, name } = tx.world;
  const ordinal = tx.ordinal('rooms');
  const room_name = `room_${token(24, seed, name, 'rooms', ordinal)}`;
  // Names come again after a reset, and a token from before it must not open the new room.
  const identity = `caller_${token(24, seed, name, 'room callers', tx.state('epoch'), ordinal)}`;
  const agent_id = agent?.id ?? null;
  tx.put('rooms', {
    id: room_name,
    agent_id,
    created_at: timestamp(tx.at),
    private: { ...ownedBy(tx, owner), identity },
  });
  return { room_name, agent_id, identity };
}

/** What a browser needs to join the room, good from the moment that it leaves. */
async function admissionTo({ room_name, identity }: OpenedRoom, { now, origin }: CompletionContext) {
  const { host, hostname } = new URL(origin);
  const until = Math.floor(now / 1000) + JOIN_TOKEN_LIFE;
  return {
    token: await signJoinToken({ room: room_name, identity }, now),
    room_url: `ws://${host}/rooms/${room_name}`,
    room_name,
    expires_in: JOIN_TOKEN_LIFE,
    ice_servers: iceServersOf(hostname, identity, until),
  };
}

/** Completes the reply of an operation that sent an agent into a room. */
export async function completeSession(body: unknown, leaving: CompletionContext): Promise<unknown> {
  const room = (body as { data: OpenedRoom }).data;
  const { ice_servers, ...admission } = await admissionTo(room, leaving);
  const data: Schemas['BrowserCallSession'] = { ...admission, agent_id: room.agent_id as string, ice_servers };
  return { data };
}

/** Completes the reply of an operation that made a room for a browser alone. */
export async function completeWebrtcToken(body: unknown, leaving: CompletionContext): Promise<unknown> {
  const room = (body as { data: OpenedRoom }).data;
  const { ice_servers, ...admission } = await admissionTo(room, leaving);
  const data: Schemas['WebrtcToken'] = { ...admission, identity: room.identity, ice_servers };
  return { data };
}
