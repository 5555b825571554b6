// Places a call: dialled by a customer, by an agent or a job, or from outside.
import { timestamp } from '../../clock/clock.ts';
import type { Schemas } from '../../contract/document.ts';
import { allocateId, create } from '../../engine/create.ts';
import { callLifecycle, newCall } from '../../lifecycles/call.ts';
import type { AgentOnCall, Row } from '../../model.ts';
import type { ScenarioSelection } from '../../scenarios/select.ts';
import { scriptToKeep } from '../../scenarios/transcript.ts';
import type { Tx } from '../../store/store.ts';
import { countCalls } from './plan.ts';

/** After how many records calls are counted for the usage. */
const COUNT_EVERY = 1000;

/** The two ends of a call, and the organization's number and agent that take part. */
export interface CallParties {
  readonly direction: Schemas['CallDirection'];
  readonly from_number: string;
  readonly to_number: string;
  readonly number: Row<'phone_numbers'> | null;
  readonly agent: Row<'agents'> | null;
  /** The contact of a job that is called. */
  readonly jobContact?: Row<'job_contacts'>;
}

/** Creates a call of that organization, which plays the selected scenario; emits `new_call`. */
export function placeCall(
  tx: Tx,
  organization_id: string,
  selection: ScenarioSelection,
  { direction, from_number, to_number, number, agent, jobContact }: CallParties,
): Row<'calls'> {
  const { scenario, parameters } = selection;
  const { id, rank } = allocateId(tx, 'calls');
  const call = newCall({
    id,
    direction,
    from_number,
    to_number,
    started_at: timestamp(tx.at),
    phone_number_id: number === null ? null : String(number.id),
    private: {
      organization_id,
      rank,
      answered_at: null,
      agent: agent && onCall(agent),
      job_id: jobContact?.private.job_id ?? null,
      job_contact_id: jobContact?.id ?? null,
      scenario: { name: scenario.name, parameters },
      script: scriptToKeep(scenario),
    },
  });
  create(tx, callLifecycle, call, selection);
  // So that who asks for the usage never waits for all of them to be counted.
  if (rank % COUNT_EVERY === 0) countCalls(tx, organization_id);
  return call;
}

/** The agent's configuration when the call is placed; later changes do not affect this call. */
export function onCall({ id, name, greeting, business_name, language }: Row<'agents'>): AgentOnCall {
  return { id, name, greeting, business_name, language };
}
