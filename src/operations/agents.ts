// Agents: `spec.md` "Agents". A change takes effect from the next call on.
import { isDeepStrictEqual } from 'node:util';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { checkEnabled } from '../domain/agents/agent-state.ts';
import { completeSession, openRoom, type SessionDraft } from '../domain/agents/browser-session.ts';
import { type CompletedOperation, created, type Operation, ok } from '../engine/operation.ts';
import { inAssumedOrder, pageOf } from '../engine/paging.ts';
import { findRecord } from '../engine/records.ts';
import { type Row, wireOf } from '../model.ts';

export const listAgents: Operation<'listAgents'> = {
  handle({ caller, query }, tx) {
    const { rows, meta } = pageOf(tx, 'agents', 'organization', caller.organization_id, inAssumedOrder(tx, query));
    return ok(rows.map(serializeListItem), meta);
  },
};

export const getAgent: Operation<'getAgent'> = {
  handle({ params, caller }, tx) {
    return ok(wireOf(findRecord(tx, 'agents', params.id, caller)));
  },
};

export const updateAgent: Operation<'updateAgent'> = {
  handle({ params, caller, body }, tx) {
    const agent = findRecord(tx, 'agents', params.id, caller);
    const changed: Row<'agents'> = { ...agent, ...body };
    if (isDeepStrictEqual(changed, agent)) return ok(wireOf(agent));
    const updated = { ...changed, updated_at: timestamp(tx.at) };
    tx.put('agents', updated);
    return ok(wireOf(updated));
  },
};

export const createAgentWebCall: CompletedOperation<'createAgentWebCall', SessionDraft> = {
  handle({ params, caller, secrets }, tx) {
    const agent = findRecord(tx, 'agents', params.id, caller);
    checkEnabled(tx, agent);
    return created(openRoom(tx, caller, agent.id, secrets));
  },
  complete: completeSession,
};

function serializeListItem(agent: Row<'agents'>): Schemas['AgentListItem'] {
  const { system_prompt: _, ...item } = wireOf(agent);
  return item;
}
