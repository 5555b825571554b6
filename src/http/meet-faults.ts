// Applies the faults of its world to a request, and combines them with its control headers. `interface.md` section 5.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { synchronousCodes } from '../errors/catalogue.ts';
import { type MetFault, meetFaults } from '../faults/meet.ts';
import type { AppliedFault, Drift } from '../model.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import type { Controls, Substitute } from './controls.ts';
import type { AuthenticatedRequest } from './stages.ts';
import { delay } from './write-response.ts';

/** Lets a request meet the faults of its world; waits for those that delay it before its effect. Its headers outrank them. */
export async function withFaults(
  { store }: Pick<SandboxContext, 'store'>,
  request: AuthenticatedRequest,
): Promise<AuthenticatedRequest> {
  const { received, route, controls, entered } = request;
  const { id: operation, method } = route.contract;
  const decided = { answer: controls.error !== null || controls.fault !== null, delay: controls.delayMs > 0 };
  const meet = (tx: Tx): MetFault[] =>
    // After a reset the request enters the world again, and meets what is there then.
    tx.state('epoch') === entered.epoch ? meetFaults(tx, { operation, method, path: received.path }, decided) : [];
  const met = await store.transaction(entered.world, meet).catch(ifGone<MetFault[]>([]));
  if (met.length === 0) return request;
  const waitMs = met.reduce((sum, { spec, delayMs }) => sum + (spec.when === 'before' ? (delayMs ?? 0) : 0), 0);
  if (waitMs > 0) await delay(received.res, waitMs);
  return { ...request, controls: combined(controls, met) };
}

function combined(controls: Controls, met: readonly MetFault[]): Controls {
  let { error, fault, delayMs } = controls;
  let before = false;
  let substitute: Substitute | null = null;
  let drift: readonly Drift[] = [];
  for (const { spec, delayMs: ms } of met) {
    const when = spec.when ?? 'after';
    const code = synchronousCodes.find((each) => each === spec.error);
    if (code && when === 'before') error = code;
    else if (code) substitute = { error: code };
    if (spec.respond) substitute = { respond: spec.respond };
    before ||= spec.respond !== undefined && when === 'before';
    if (spec.fault) fault = { kind: spec.fault, when };
    if (spec.drift) drift = spec.drift;
    if (when === 'after') delayMs += ms ?? 0;
  }
  const { scenario } = controls;
  return {
    scenario,
    error,
    fault,
    delayMs,
    faults: { applied: met.map(appliedOf), before, substitute, drift },
  };
}

function appliedOf({ id, spec: { error, fault, respond, drift, when = 'after' }, delayMs }: MetFault): AppliedFault {
  const parts = [
    ...(error === undefined ? [] : [`error=${error}`]),
    ...(fault === undefined ? [] : [`fault=${fault}`]),
    ...(respond === undefined ? [] : [`respond=${respond.status}`]),
    ...(drift === undefined ? [] : [`drift=${drift.join(',')}`]),
    ...(delayMs === null ? [] : [`latency=${delayMs}ms`]),
    `when=${when}`,
  ];
  return { id, effect: parts.join(';') };
}
