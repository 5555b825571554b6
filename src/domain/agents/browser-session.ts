// A room that a browser joins, with an agent in it or alone: `spec.md` "Browser call session". The room is a record; its
// token, and all fields that contain this server's address, are computed when the response is sent.
import { assumed } from '../../assumptions/catalogue.ts';
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import type { CompletionContext } from '../../engine/operation.ts';
import { type Owner, ownedBy } from '../../engine/records.ts';
import { worldLife } from '../../engine/world-life.ts';
import type { Secrets } from '../../identity/secrets.ts';
import { token } from '../../identity/seeded.ts';
import type { Tx } from '../../store/store.ts';
import { iceServersOf } from '../../tokens/ice-servers.ts';
import { signJoinToken } from '../../tokens/join-token.ts';

/** The part of a response that is stored; everything else in it is computed from this. */
export interface RoomDraft<AgentId = string | null> {
  readonly room_name: string;
  readonly agent_id: AgentId;
  readonly identity: string;
  /** How long its token is valid, in seconds. */
  readonly life: number;
}

/** A room with an agent in it. */
export type SessionDraft = RoomDraft<string>;

/** Creates a room of that organization, with that agent in it; a null agent leaves it empty. */
export function openRoom<AgentId extends string | null>(
  tx: Tx,
  owner: Owner,
  agent_id: AgentId,
  secrets: Secrets,
): RoomDraft<AgentId> {
  const { seed, name } = tx.world;
  const ordinal = tx.ordinal('rooms');
  const room_name = `room_${token(24, seed, name, 'rooms', ordinal)}`;
  // Room names repeat after a reset, but a token from before the reset must not open the new room.
  const identity = `caller_${token(24, seed, name, 'room callers', ...worldLife(tx, secrets), ordinal)}`;
  tx.put('rooms', {
    id: room_name,
    agent_id,
    created_at: timestamp(tx.at),
    private: { ...ownedBy(tx, owner), identity, cause: tx.cause },
  });
  return { room_name, agent_id, identity, life: assumed(tx.state('assumptions'), 'join_token_seconds') };
}

/** Completes the response of an operation that sent an agent into a room. */
export async function completeSession(
  { data: room }: { data: SessionDraft },
  context: CompletionContext,
): Promise<{ data: Schemas['BrowserCallSession'] }> {
  const { ice_servers, ...admission } = await admissionTo(room, context);
  return { data: { ...admission, agent_id: room.agent_id, ice_servers } };
}

/** Completes the response of an operation that created a room for a browser alone. */
export async function completeWebrtcToken(
  { data: room }: { data: RoomDraft },
  context: CompletionContext,
): Promise<{ data: Schemas['WebrtcToken'] }> {
  const { ice_servers, ...admission } = await admissionTo(room, context);
  return { data: { ...admission, identity: room.identity, ice_servers } };
}

/** What a browser needs to join the room; the token is valid from now on. */
async function admissionTo({ room_name, identity, life }: RoomDraft, { now, address, secrets }: CompletionContext) {
  const { hostname } = new URL(address);
  const until = Math.floor(now / 1000) + life;
  return {
    token: await signJoinToken(secrets, { room: room_name, identity }, now, life),
    // wss where the address is https.
    room_url: `${address.replace(/^http/, 'ws')}/rooms/${room_name}`,
    room_name,
    expires_in: life,
    ice_servers: iceServersOf(secrets, hostname, identity, until),
  };
}
