// Plays a scenario once, in its own sandbox on a manual clock, with a receiver for every event; what it reports has
// really happened. `interface.md` section 7.
import type { Timeline } from '../admin/timeline/timeline.ts';
import { isJsonObject } from '../contract/json.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { eventTypes } from '../events/catalogue.ts';
import { createSandbox, type Sandbox } from '../index.ts';
import { ScenarioLibrary } from '../scenarios/library.ts';
import { formatScenarioReference, parameterProblem, parseScenarioReference } from '../scenarios/reference.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Start, type StartingRequest, starts } from './starting-requests.ts';

export interface PlayOptions {
  /** A scenario's name, with parameters: `busy;ring=2s`. */
  readonly reference: string;
  /** A folder of scenarios, laid over the bundled ones. */
  readonly folder?: string | undefined;
  /** What ranges and branches are drawn from, 1 by default. */
  readonly seed?: string | undefined;
}

/** A request that was refused before the one that started the timeline. */
export interface PlayedRefusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

export interface PlayedScenario {
  readonly name: string;
  readonly kind: string;
  readonly summary: string;
  /** Those that were given, over the defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly refused: readonly PlayedRefusal[];
  /** Null if every request is refused. */
  readonly timeline: Timeline | null;
}

/** There is no such scenario, or it cannot be played like that. */
export class NotPlayable extends Error {}

/** Refusals after which a scenario counts as one that always refuses. */
const MAX_REFUSED = 50;

/** Throws NotPlayable, and FileProblem about a file of the folder. */
export async function playScenario({ reference, folder, seed }: PlayOptions): Promise<PlayedScenario> {
  const { scenario, parameters } = findScenario(reference, folder);
  const use = formatScenarioReference({ name: scenario.name, parameters });
  const sandbox = await createSandbox({ clock: 'manual', scenarios: folder, seed });
  try {
    const ask = requester(sandbox);
    const start = await prepare(sandbox, ask, scenario.kind);
    await ask({ method: 'PUT', path: `/_sandbox/active-scenarios/${scenario.kind}`, body: { use } });
    await sandbox.subscribe(`${sandbox.url}/_sandbox/inbox/play`, eventTypes);
    const { refused, id } = await startUntilAccepted(ask, start, scenario);
    if (id !== undefined) await sandbox.clock.untilIdle();
    return {
      name: scenario.name,
      kind: scenario.kind,
      summary: scenario.summary,
      parameters: { ...scenario.parameters, ...parameters },
      refused,
      timeline: id === undefined ? null : await timelineOf(ask, id),
    };
  } finally {
    await sandbox.close();
  }
}

function findScenario(reference: string, folder: string | undefined) {
  const parsed = parseScenarioReference(reference);
  if (typeof parsed === 'string') throw new NotPlayable(parsed);
  const library = new ScenarioLibrary(folder).forWorld([]);
  const scenario = library.get(parsed.name);
  if (!scenario) {
    const names = library.all().map(({ name }) => name);
    const looked = folder === undefined ? '' : `, neither a bundled one nor one of ${folder}`;
    throw new NotPlayable(`"${parsed.name}" is not a known scenario${looked}${didYouMean(parsed.name, names)}`);
  }
  const problem = parameterProblem(scenario, parsed);
  if (problem !== undefined) throw new NotPlayable(problem);
  return { scenario, parameters: parsed.parameters };
}

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Ask = (request: Partial<StartingRequest> & { readonly path: string }) => Promise<Reply>;

function requester({ url, apiKey }: Sandbox): Ask {
  return async ({ method = 'GET', path, body }) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answered: unknown = await response.json();
    return { status: response.status, body: isJsonObject(answered) ? answered : {} };
  };
}

/** Creates what the kind needs beforehand, so that it is not part of what is played. */
async function prepare(sandbox: Sandbox, ask: Ask, kind: string): Promise<Start> {
  const { data } = (await ask({ path: '/v1/agents' })).body;
  const [agent] = Array.isArray(data) ? data : [];
  const start = starts[kind]?.(String(agent?.id));
  if (!start) throw new NotPlayable(`scenarios of the kind ${kind} cannot be played from the command line`);
  for (const request of start.first ?? []) {
    await ask(request);
    await sandbox.clock.untilIdle();
  }
  return start;
}

/** Sends the request until it is accepted, as a client that tries again; no id if it never is. */
async function startUntilAccepted(
  ask: Ask,
  start: Start,
  { refuse }: Scenario,
): Promise<{ refused: PlayedRefusal[]; id?: string }> {
  const lasts = refuse.some(({ times }) => times === undefined);
  const most = refuse.reduce((sum, { times = 1 }) => sum + times, lasts ? 0 : 1);
  const refused: PlayedRefusal[] = [];
  for (let tried = 0; tried < Math.min(most, MAX_REFUSED); tried += 1) {
    const { status, body } = await ask(start);
    if (status < 400) return { refused, id: String(start.idIn(body)) };
    const code = isJsonObject(body.error) ? String(body.error.code) : '';
    refused.push({ method: start.method, path: start.path, status, code });
  }
  return { refused };
}

async function timelineOf(ask: Ask, id: string): Promise<Timeline> {
  const { status, body } = await ask({ path: `/_sandbox/timeline?subject_id=${encodeURIComponent(id)}` });
  if (status !== 200) throw new Error(`the timeline of ${id} was answered with ${status}`);
  // The control API answers with what `timelineOf` returns.
  return body.data as Timeline;
}
