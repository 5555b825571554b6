// Agents: `spec.md` "Agents". A change is heard by the next call.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { created, find, type Operation, ok, ownedBy, pageOf } from '../engine/operation.ts';
import { ApiError, shown } from '../errors/api-error.ts';
import { type Row, wireOf } from '../model.ts';
import { token } from '../store/identity.ts';
import { iceServersOf } from '../tokens/ice-servers.ts';
import { JOIN_TOKEN_LIFE, signJoinToken } from '../tokens/join-token.ts';

function listItem(agent: Row<'agents'>): Schemas['AgentListItem'] {
  const { system_prompt: _, ...item } = wireOf(agent) as Schemas['Agent'];
  return item;
}

export const listAgents: Operation<'listAgents'> = {
  handle(request, tx) {
    const { rows, meta } = pageOf(tx, 'agents', request, false);
    return { status: 200, body: { data: rows.map(listItem), meta } };
  },
};

export const getAgent: Operation<'getAgent'> = {
  handle(request, tx) {
    return ok(wireOf(find(tx, 'agents', request.params.id, request.caller, 'agent')));
  },
};

export const updateAgent: Operation<'updateAgent'> = {
  handle(request, tx) {
    const agent = find(tx, 'agents', request.params.id, request.caller, 'agent');
    const changed: Row<'agents'> = { ...agent, ...request.body, updated_at: timestamp(tx.at) };
    tx.put('agents', changed);
    return ok(wireOf(changed));
  },
};

/** The room that a web call made, as its reply is kept: everything that follows from it is made as the reply leaves. */
interface RoomReply {
  readonly data: { readonly room_name: string; readonly agent_id: string; readonly identity: string };
}

export const createAgentWebCall: Operation<'createAgentWebCall'> = {
  handle(request, tx) {
    const agent = find(tx, 'agents', request.params.id, request.caller, 'agent');
    if (!agent.enabled) throw disabledAgent(agent);
    const { seed, name } = tx.world;
    const ordinal = tx.ordinal('rooms');
    const room_name = `room_${token(24, seed, name, 'rooms', ordinal)}`;
    // Names come again after a reset, and a token from before it must not open the new room.
    const identity = `caller_${token(24, seed, name, 'room callers', tx.cell('epoch'), ordinal)}`;
    tx.put('rooms', {
      id: room_name,
      agent_id: agent.id,
      created_at: timestamp(tx.at),
      private: { ...ownedBy(tx, request.caller), identity },
    });
    return created({ room_name, agent_id: agent.id, identity } satisfies RoomReply['data']);
  },

  async complete(body, { now, origin }) {
    const { room_name, agent_id, identity } = (body as RoomReply).data;
    const { host, hostname } = new URL(origin);
    const until = Math.floor(now / 1000) + JOIN_TOKEN_LIFE;
    const data: Schemas['BrowserCallSession'] = {
      token: await signJoinToken({ room: room_name, identity }, now),
      room_url: `ws://${host}/rooms/${room_name}`,
      room_name,
      expires_in: JOIN_TOKEN_LIFE,
      agent_id,
      ice_servers: iceServersOf(hostname, identity, until),
    };
    return { data };
  },
};

/** `conflict`: no call can be with an agent that is disabled. */
export function disabledAgent(agent: Row<'agents'>): ApiError {
  return new ApiError('conflict', {
    message: `The agent ${shown(agent.name)} is disabled; only one that is enabled takes calls.`,
    hint: `Enable it: PATCH /v1/agents/${agent.id} with {"enabled": true}.`,
    assumption: 'disabled_agent',
  });
}
