// Which number an inbound call reaches, and which agent answers it. Either one determines the other.
import { checkEnabled } from '../../domain/agents/agent-state.ts';
import { ApiError, invalidField, quote } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { nothingNamed, organizationName } from '../named-records.ts';
import { findVisible, type Reader, sees } from '../reader.ts';

export interface AnsweringPair {
  readonly agent: Row<'agents'>;
  readonly called: Row<'phone_numbers'>;
}

/**
 * What the request names, else the first pair of the organization that can take a call. `not_found` for an unknown number
 * or agent, `conflict` if the number is not active or the agent is disabled.
 */
export function answeringPair(
  tx: Tx,
  organization: string,
  reader: Reader,
  { to_number, agent_id }: { readonly to_number?: string | undefined; readonly agent_id?: string | undefined },
): AnsweringPair {
  const named = agent_id === undefined ? undefined : findVisible(tx, 'agents', agent_id, reader);
  if (agent_id !== undefined && !named) throw nothingNamed('agent_id', 'agent', agent_id);
  const pair =
    named || to_number !== undefined ? requestedPair(tx, reader, named, to_number) : firstPair(tx, organization);
  const { agent, called } = pair;
  if (!called.is_active) {
    throw new ApiError('conflict', {
      message: `${called.phone_number} is ${called.private.status}; only an ACTIVE number receives calls.`,
      hint: 'Wait for `number_purchased`, or call a number whose `is_active` is true.',
    });
  }
  checkEnabled(tx, agent);
  return pair;
}

function requestedPair(
  tx: Tx,
  reader: Reader,
  named: Row<'agents'> | undefined,
  to_number: string | undefined,
): AnsweringPair {
  const requested = to_number ?? named?.phone_number?.phone_number;
  if (requested === undefined) {
    throw invalidField('to_number', `is required: the agent ${quote(named?.name)} has no number of its own`);
  }
  const called = numberOf(tx, requested);
  if (!called || !sees(tx, reader, called.private.organization_id))
    throw nothingNamed('to_number', 'phone number', requested);
  const agents = agentsOf(tx, called.private.organization_id);
  const agent = named ?? agents.find(({ phone_number }) => phone_number?.phone_number === requested);
  if (!agent) {
    const answered = agents.flatMap(({ phone_number }) => phone_number?.phone_number ?? []);
    throw new ApiError('conflict', {
      message: `No agent answers ${requested}; agents of its organization answer ${answered.join(', ') || 'no number'}.`,
      hint: 'Name the agent that answers in agent_id.',
    });
  }
  if (agent.private.organization_id !== called.private.organization_id) {
    throw invalidField('agent_id', `belongs to another organization than ${requested}`);
  }
  return { agent, called };
}

/** The first enabled agent of the organization with an active number; agents for inbound calls come first. */
function firstPair(tx: Tx, organization: string): AnsweringPair {
  const agents = agentsOf(tx, organization).filter(({ enabled }) => enabled);
  const inbound = agents.filter(({ agent_type }) => agent_type === 'inbound');
  for (const agent of [...inbound, ...agents]) {
    const own = agent.phone_number?.phone_number;
    const called = own === undefined ? undefined : numberOf(tx, own);
    if (called?.is_active) return { agent, called };
  }
  throw new ApiError('conflict', {
    message: `No agent of ${organizationName(tx, organization)} can take a call: none is enabled and has an active number.`,
    hint: 'Enable an agent with PATCH /v1/agents/{id}, or name in to_number a number of another organization that this key sees.',
  });
}

function numberOf(tx: Tx, phone_number: string): Row<'phone_numbers'> | undefined {
  return tx.page('phone_numbers', 'phone_number', phone_number, { limit: 1 })[0];
}

function agentsOf(tx: Tx, organization: string): Row<'agents'>[] {
  return tx.page('agents', 'organization', organization);
}
