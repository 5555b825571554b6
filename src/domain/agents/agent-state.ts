// Whether an agent can take calls: the ledger's disabled_agent.
import { ApiError, quote } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';

/** Throws `conflict` for an agent that is disabled. */
export function checkEnabled(agent: Row<'agents'>): void {
  if (agent.enabled) return;
  throw new ApiError('conflict', {
    message: `The agent ${quote(agent.name)} is disabled; only an enabled agent takes calls.`,
    hint: `Enable it: PATCH /v1/agents/${agent.id} with {"enabled": true}.`,
    assumption: 'disabled_agent',
  });
}
