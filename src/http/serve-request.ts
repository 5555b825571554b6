// Serves a request that has entered its world: the checks before its body, then its operation. Most requests need nothing
// that has to be waited for, and are served in the transaction in which they enter: one commit instead of two, for which a
// store across a network takes a round trip each.
import { canExecuteIn, type Execution } from '../engine/execute.ts';
import type { Tx } from '../store/store.ts';
import type { ArrivingBody, BodyTurns } from './body.ts';
import { checkAccess, checkScenario, stopBefore } from './check-access.ts';
import {
  type Executed,
  type ExecutionParts,
  executeRequest,
  executeRequestIn,
  withOutcome,
} from './execute-request.ts';
import type { HeldResources } from './held-resources.ts';
import { withFaults } from './meet-faults.ts';
import { parseLargeRequest, parseRequest, withBody } from './read-request.ts';
import { timeTaken } from './request-journal.ts';
import type { AnyStage, AuthenticatedRequest, ParsedRequest, ReadRequest, ReceivedRequest } from './stages.ts';

/** How a request has ended, and how far it came. */
export interface Served {
  readonly reached: AnyStage;
  readonly execution: Execution<Executed>;
}

/** Serves a request within the transaction in which it enters its world; undefined if it has to wait for something. */
export function serveAtOnce(
  parts: ExecutionParts,
  received: ReceivedRequest,
  arriving: ArrivingBody | null,
): (tx: Tx, request: AuthenticatedRequest) => Served | undefined {
  const took = timeTaken(received);
  return (tx, request) => {
    const body = arriving ? arriving.complete : null;
    if (body === undefined || request.entered.hasFaults || !canExecuteIn(tx, request.route)) return undefined;
    let reached: AnyStage = request;
    try {
      checkScenario(request);
      stopBefore(request);
      checkAccess(request);
      const read = withBody(request, body);
      reached = read;
      const parsed = parseRequest(read);
      return servedBy(parsed, executeRequestIn(tx, parts, parsed, took));
    } catch (error) {
      return failedAt(reached, error);
    }
  };
}

/** Serves a request that waits for its body, or for a fault of its world, in a transaction of its own. */
export async function serveInSteps(
  parts: ExecutionParts,
  request: AuthenticatedRequest,
  arriving: ArrivingBody | null,
  held: HeldResources,
): Promise<Served> {
  let reached: AnyStage = request;
  try {
    checkScenario(request);
    const authenticated = request.entered.hasFaults ? await withFaults(parts, request) : request;
    reached = authenticated;
    stopBefore(authenticated);
    checkAccess(authenticated);
    if (arriving) admit(arriving, held, { turns: parts.turns, world: request.entered.world });
    const read = withBody(authenticated, arriving && (await arriving.received));
    reached = read;
    const parsed = isLarge(read) ? await parseLargeRequest(read, parts.turns) : parseRequest(read);
    reached = parsed;
    return servedBy(parsed, await executeRequest(parts, parsed));
  } catch (error) {
    return failedAt(reached, error);
  }
}

/** A scenario may have been selected for a request that failed. */
function servedBy(parsed: ParsedRequest, execution: Execution<Executed>): Served {
  if (execution.status !== 'failed') return { reached: parsed, execution };
  return { reached: withOutcome(parsed, { selection: execution.selection, replayed: false }), execution };
}

const failedAt = (reached: AnyStage, error: unknown): Served => ({
  reached,
  execution: { status: 'failed', error, selection: null },
});

/** Whether reading it takes turns. */
const isLarge = ({ body }: ReadRequest): boolean => body?.sha256 != null;

/** Lets all of a body arrive, if there is memory for it. */
function admit(arriving: ArrivingBody, held: HeldResources, by: BodyTurns): void {
  held.takeMemory(arriving.excess);
  arriving.admit(by);
}
