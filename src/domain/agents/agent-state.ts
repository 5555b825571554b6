// Whether an agent can be on a call: the ledger's disabled_agent.
import { ApiError, quote } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';

/** `conflict`: no call can be with an agent that is disabled. */
export function disabledAgent(agent: Row<'agents'>): ApiError {
  return new ApiError('conflict', {
    message: `The agent ${quote(agent.name)} is disabled; only one that is enabled takes calls.`,
    hint: `Enable it: PATCH /v1/agents/${agent.id} with {"enabled": true}.`,
    assumption: 'disabled_agent',
  });
}
