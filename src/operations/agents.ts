// Agents: `spec.md` "Agents". A change is heard by the next call.
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { disabledAgent } from '../domain/agents/agent-state.ts';
import { completeSession, openRoom } from '../domain/agents/browser-session.ts';
import { created, findRecord, type Operation, ok, pageOf } from '../engine/operation.ts';
import { type Row, wireOf } from '../model.ts';

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
    return ok(wireOf(findRecord(tx, 'agents', request.params.id, request.caller, 'agent')));
  },
};

export const updateAgent: Operation<'updateAgent'> = {
  handle(request, tx) {
    const agent = findRecord(tx, 'agents', request.params.id, request.caller, 'agent');
    const changed: Row<'agents'> = { ...agent, ...request.body, updated_at: timestamp(tx.at) };
    tx.put('agents', changed);
    return ok(wireOf(changed));
  },
};

export const createAgentWebCall: Operation<'createAgentWebCall'> = {
  handle(request, tx) {
    const agent = findRecord(tx, 'agents', request.params.id, request.caller, 'agent');
    if (!agent.enabled) throw disabledAgent(agent);
    return created(openRoom(tx, request.caller, agent));
  },

  complete: completeSession,
};
