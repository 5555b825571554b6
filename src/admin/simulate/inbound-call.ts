// An inbound call: someone dials a number of this world, and an agent answers. `interface.md` section 5.
import { placeCall } from '../../domain/calls/place-call.ts';
import type { SandboxContext } from '../../engine/sandbox-context.ts';
import { transact } from '../../engine/transact.ts';
import { invalidField } from '../../errors/api-error.ts';
import { didYouMean } from '../../errors/did-you-mean.ts';
import { type ScenarioReference, wireOf } from '../../model.ts';
import { parameterProblem, parseScenarioReference } from '../../scenarios/reference.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { fixedSelection, type ScenarioSelection } from '../../scenarios/select.ts';
import { finishIfInstant } from '../clock.ts';
import { organizationOf } from '../named-records.ts';
import type { Reader } from '../reader.ts';
import { scenariosOf } from '../scenarios.ts';
import { answeringPair } from './answering-agent.ts';
import { fictionalNumber } from './fictional-number.ts';

/** The scenario of an inbound call unless another one is named. */
export const INBOUND_DEFAULT = 'inbound_answered';

export interface InboundCall {
  /** A number of this world; the agent's by default, or that of an agent of the organization. */
  readonly to_number?: string | undefined;
  readonly from_number?: string | undefined;
  /** The agent that answers; that of the called number by default. */
  readonly agent_id?: string | undefined;
  /** A reference such as `no_answer` or `inbound_answered;talk=5m`. */
  readonly scenario?: string | undefined;
}

type Parts = Pick<SandboxContext, 'store' | 'runTask' | 'turns' | 'scenarios' | 'scheduler'>;

/**
 * Returns the new call. It plays the scenario of the body, else that of the control header, else the default for inbound
 * calls. `validation_error` for an unknown scenario, `not_found` for an unknown number or agent, `conflict` if no agent
 * can answer. Without a number and an agent, one of the reader's organization answers.
 */
export async function simulateInboundCall(
  parts: Parts,
  world: string,
  inbound: InboundCall,
  fromHeader: ScenarioReference | null = null,
  reader: Reader = {},
) {
  const scenario = await scenarioOf(parts, world, inbound.scenario, fromHeader);
  const call = await transact(parts, world, 'simulateInboundCall', (tx) => {
    const { agent, called } = answeringPair(tx, organizationOf(tx, undefined, reader), reader, inbound);
    return placeCall(tx, called.private.organization_id, scenario, {
      direction: 'inbound',
      from_number: inbound.from_number ?? fictionalNumber(tx),
      to_number: called.phone_number,
      number: called,
      agent,
    });
  });
  await finishIfInstant(parts, world);
  return wireOf(call);
}

async function scenarioOf(
  parts: Parts,
  world: string,
  inBody: string | undefined,
  fromHeader: ScenarioReference | null,
): Promise<ScenarioSelection> {
  const field = inBody === undefined && fromHeader ? 'X-Sandbox-Scenario' : 'scenario';
  const fallback = fromHeader ?? { name: INBOUND_DEFAULT, parameters: {} };
  const reference = inBody === undefined ? fallback : parseScenarioReference(inBody);
  if (typeof reference === 'string') throw invalidField(field, reference);
  const library = await scenariosOf(parts, world);
  const scenario = library.get(reference.name);
  if (!scenario || !isPlayable(scenario)) {
    const names = library
      .all()
      .filter(isPlayable)
      .map(({ name }) => name);
    const problem = scenario ? 'cannot be played by an inbound call' : 'is not a known scenario';
    const suggestion = didYouMean(reference.name, names);
    throw invalidField(field, `"${reference.name}" ${problem}; must be one of ${names.join(', ')}${suggestion}`);
  }
  const problem = parameterProblem(scenario, reference);
  if (problem) throw invalidField(field, problem);
  const source = inBody !== undefined ? 'named' : fromHeader ? 'header' : 'default';
  return fixedSelection(scenario, reference.parameters, source);
}

/** Scenarios without a timeline refuse a dial, which an inbound call is not. */
function isPlayable({ kind, timeline }: Scenario): boolean {
  return kind === 'call' && timeline.length > 0;
}
