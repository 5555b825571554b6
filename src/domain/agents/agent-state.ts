// Whether an agent can take calls (assumption disabled_agent).
import { assumed } from '../../assumptions/catalogue.ts';
import { ApiError, quote } from '../../errors/api-error.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** Throws `conflict` for an agent that is disabled, unless the world assumes that it takes calls all the same. */
export function checkEnabled(tx: Tx, agent: Row<'agents'>): void {
  if (agent.enabled || assumed(tx.state('assumptions'), 'disabled_agent') === 'accepted') return;
  throw new ApiError('conflict', {
    message: `The agent ${quote(agent.name)} is disabled; only an enabled agent takes calls.`,
    hint: `Enable it: PATCH /v1/agents/${agent.id} with {"enabled": true}.`,
    assumption: 'disabled_agent',
  });
}
