// The calls of a world for people who watch it: each as the platform returns it, with its scenario and its transcript.
// Reading them here does not count towards a rate limit and is not journaled.
import type { Schemas } from '../contract/document.ts';
import { choicesNow, choose } from '../domain/calls/choices.ts';
import { type RecordingAddress, serializeCall } from '../domain/calls/serialize-call.ts';
import { transcriptOf } from '../domain/calls/transcripts.ts';
import { hidesContent } from '../domain/organizations/content-policy.ts';
import { pageOf } from '../engine/paging.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { transact } from '../engine/transact.ts';
import { ApiError, invalidField, notFound, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { Row } from '../model.ts';
import type { WorldScenarios } from '../scenarios/library.ts';
import { overlaysOf } from '../scenarios/library.ts';
import { scriptOf } from '../scenarios/transcript.ts';
import type { Tx } from '../store/store.ts';
import { finishIfInstant } from './clock.ts';
import type { Page, PageRequest } from './pages.ts';
import { findVisible, type Reader } from './reader.ts';

type Parts = Pick<SandboxContext, 'store' | 'secrets' | 'scenarios'>;

export interface WatchedCall {
  readonly call: Schemas['Call'];
  /** The scenario that it plays; null for a call of the fixture, which played none. */
  readonly scenario: string | null;
  /** What the person who watches can choose now. */
  readonly choices: readonly string[];
}

export interface WatchedCallDetail extends WatchedCall {
  /** What was said; null if there is no transcript, or the content policy hides it. */
  readonly transcript: Schemas['CallTranscript'] | null;
}

export interface CallsRequest extends PageRequest, Reader {
  /** These calls alone, without those that are not there. */
  readonly ids?: readonly string[] | undefined;
  /** The server's own address. */
  readonly address: string;
}

/** The calls of the reader's organization, or of the world's own, newest first; or those that are named. */
export function listCalls(parts: Parts, world: string, request: CallsRequest): Promise<Page<WatchedCall>> {
  const { ids, organization, cursor, page_size } = request;
  return parts.store.transaction(world, (tx) => {
    const context = callContext(parts, tx, request.address);
    const watched = (rows: readonly Row<'calls'>[]) => rows.map((call) => watchedCall(tx, call, context));
    if (ids) {
      const data = watched(ids.flatMap((id) => findVisible(tx, 'calls', id, request) ?? []));
      return { data, meta: { cursor: null, total_results: data.length, page_size } };
    }
    const owner = organization ?? tx.world.organization_id;
    const options = { ...(cursor === undefined ? {} : { cursor }), page_size, newestFirst: true };
    const { rows, counted } = pageOf(tx, 'calls', 'organization', owner, options);
    return { data: watched(rows), meta: { page_size, total_results: counted.total_results, cursor: counted.cursor } };
  });
}

/** `not_found` for a call that the reader is not shown. */
export function readCall(
  parts: Parts,
  world: string,
  { id, address, ...reader }: Reader & { readonly id: string; readonly address: string },
): Promise<WatchedCallDetail> {
  return parts.store.transaction(world, (tx) => {
    const call = findVisible(tx, 'calls', id, reader);
    if (!call) throw notFound('call', id);
    const isHidden = !call.has_transcript || hidesContent(tx, call.private.organization_id);
    const context = callContext(parts, tx, address);
    const script = () => scriptOf(call, context.scenarios);
    return {
      ...watchedCall(tx, call, context),
      transcript: isHidden ? null : transcriptOf(call, script(), tx.world.seed),
    };
  });
}

/**
 * Chooses for the person who watches what becomes of a call. `not_found` for a call that the reader is not shown,
 * `validation_error` for what its scenario does not let anybody choose, `conflict` if the call is in another state.
 */
export async function decideCall(
  parts: Parts & Pick<SandboxContext, 'runTask' | 'turns' | 'scheduler'>,
  world: string,
  { id, choose: choice, address, ...reader }: Reader & CallDecision,
): Promise<WatchedCall> {
  await transact(parts, world, 'decideCall', (tx) => {
    const call = findVisible(tx, 'calls', id, reader);
    if (!call) throw notFound('call', id);
    const { scenarios } = callContext(parts, tx, address);
    if (!choose(tx, call, choice, scenarios)) throw cannotChoose(call, choice, scenarios);
  });
  await finishIfInstant(parts, world);
  // What was chosen can be due at once, and has happened by the next transaction.
  return transact(parts, world, 'decideCall', (tx) => {
    const call = tx.get('calls', id);
    if (!call) throw notFound('call', id);
    return watchedCall(tx, call, callContext(parts, tx, address));
  });
}

interface CallDecision {
  readonly id: string;
  readonly choose: string;
  readonly address: string;
}

function cannotChoose(call: Row<'calls'>, choice: string, scenarios: WorldScenarios): ApiError {
  const { name } = call.private.scenario;
  const names = Object.keys(scenarios.get(name)?.choices ?? {});
  if (!names.includes(choice)) {
    const allowed = names.length > 0 ? `must be one of ${names.join(', ')}${didYouMean(choice, names)}` : 'it has none';
    return invalidField('choose', `${quote(choice)} is not a choice of the scenario ${name}; ${allowed}`);
  }
  const now = choicesNow(call, scenarios);
  return new ApiError('conflict', {
    message: `The call ${quote(call.id)} is ${call.status}, which does not allow ${choice}.`,
    hint:
      now.length > 0
        ? `Choose ${now.join(' or ')}.`
        : 'See `choices` at GET /_sandbox/calls for what can be chosen when.',
  });
}

/** What calls are shown with. */
interface CallContext {
  readonly recordings: RecordingAddress;
  readonly scenarios: WorldScenarios;
}

const callContext = ({ secrets, scenarios }: Parts, tx: Tx, address: string): CallContext => ({
  recordings: { address, secrets },
  scenarios: scenarios.forWorld(overlaysOf(tx)),
});

function watchedCall(tx: Tx, call: Row<'calls'>, { recordings, scenarios }: CallContext): WatchedCall {
  const isHidden = hidesContent(tx, call.private.organization_id);
  return {
    call: serializeCall(tx, call, isHidden ? false : recordings),
    scenario: call.private.from_fixture ? null : call.private.scenario.name,
    choices: choicesNow(call, scenarios),
  };
}
