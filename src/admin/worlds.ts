// The worlds of a server: list, create, delete, reset. `interface.md` section 2.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { type ClockSetting, formatClockSetting } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { didYouMeanAmong } from '../errors/did-you-mean.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { newControlKey } from '../identity/control-keys.ts';
import { readWorldName, testKeyOf } from '../identity/test-keys.ts';
import { ifGone } from '../store/if-gone.ts';
import { NoSuchWorld, type Store, type WorldOrigin } from '../store/store.ts';
import { WorldDamaged } from '../store/store-away.ts';
import { WORLD_SIGNING_SECRET } from '../webhooks/sign.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';

export interface WorldView {
  readonly name: string;
  readonly organization_id: string;
  /** `bundled` and `posted` worlds stay; `auto` ones expire when idle. */
  readonly origin: WorldOrigin;
  readonly fixture: string;
  /** The mode of its clock, such as `manual` or `20x`; `unknown` if the world cannot be read. */
  readonly clock: string;
  /** Why it cannot be read; absent if it can. */
  readonly problem?: string;
}

/**
 * Who sends a control request, and the world that it is about. The control token controls every world, a control key its
 * own. Without a control token, anyone may list and create worlds, and an API key (or none, for `default`) controls its own.
 */
export interface Requester {
  readonly world: string;
  readonly authority: 'control_token' | 'control_key' | 'api_key';
}

/** All worlds; to a control key, its own alone. */
export async function listWorlds(
  { store }: Pick<SandboxContext, 'store'>,
  { world: own, authority }: Requester,
  page: PageRequest,
): Promise<Page<WorldView>> {
  const worlds = (await store.worlds()).filter(({ name }) => authority !== 'control_key' || name === own);
  const { data: listed, meta } = pageOf(
    worlds.map((world) => ({ id: world.name, ...world })),
    page,
  );
  const data: WorldView[] = [];
  for (const { name, organization_id, origin, fixture } of listed) {
    const read = await readClock(store, name).catch(ifGone(undefined));
    if (read) data.push({ name, organization_id, origin, fixture, ...read });
  }
  return { data, meta };
}

/** A world that cannot be read keeps nobody from the others. */
async function readClock(store: Store, name: string): Promise<Pick<WorldView, 'clock' | 'problem'>> {
  try {
    return { clock: formatClockSetting(await store.transaction(name, (tx) => tx.state('clock'))) };
  } catch (error) {
    if (error instanceof WorldDamaged) return { clock: 'unknown', problem: error.reason };
    throw error;
  }
}

export interface NewWorldRequest {
  /** By default the first free one of `world-1`, `world-2`, … */
  readonly name?: string | undefined;
  /** The name of a fixture. */
  readonly fixtures?: string | undefined;
  /** The `--clock` of the settings by default. */
  readonly clock?: ClockSetting | undefined;
  readonly assumptions?: AssumptionValues | undefined;
}

export interface CreatedWorld {
  readonly name: string;
  readonly organization_id: string;
  readonly api_key: string;
  readonly signing_secret: string;
  /** Controls this world alone, where the server has a control token. The plaintext is returned only here. */
  readonly control_key?: string;
}

/**
 * Creates a world that stays until it is deleted; `conflict` if the name is taken or there are too many worlds,
 * `forbidden` with a control key.
 */
export async function createWorld(
  { store, worlds, settings }: Pick<SandboxContext, 'store' | 'worlds' | 'settings'>,
  { world: own, authority }: Requester,
  { name: requested, fixtures = DEFAULT_FIXTURE, clock = settings.clock, assumptions = {} }: NewWorldRequest,
): Promise<CreatedWorld> {
  if (authority === 'control_key') throw ownWorldOnly(own);
  const controlKey = authority === 'control_token' ? newControlKey() : undefined;
  const name = await worlds.createPosted(requested, fixtures, clock, { assumptions, controlKey });
  const world = await store.world(name);
  if (!world) throw new NoSuchWorld(name);
  const { organization_id } = world;
  const created = { name, organization_id, api_key: testKeyOf(name), signing_secret: WORLD_SIGNING_SECRET };
  return controlKey === undefined ? created : { ...created, control_key: controlKey };
}

/**
 * Deletes a world and everything in it; `not_found` for an unknown one, `forbidden` for one that the requester does not
 * control, `conflict` for a bundled one.
 */
export async function deleteWorld(
  parts: Pick<SandboxContext, 'worlds' | 'store' | 'turns'>,
  { world: own, authority }: Requester,
  text: string,
): Promise<void> {
  const { worlds } = parts;
  const name = readWorldName(text);
  // Who may list the worlds learns nothing from a 404; the holder of a control key must not learn which names exist.
  if (name !== own && authority === 'control_key') throw ownWorldOnly(own);
  if (name === undefined || !(await worlds.exists(name))) throw await noSuchWorld(parts, text, own);
  if (name !== own && authority === 'api_key') throw ownWorldOnly(own);
  if (!(await worlds.delete(name))) throw await noSuchWorld(parts, text, own);
}

/** Resets a world to its fixture; keys, scenario overlays and assumption values stay. */
export function resetWorld({ worlds }: Pick<SandboxContext, 'worlds'>, name: string): Promise<void> {
  return worlds.reset(name);
}

export function ownWorldOnly(own: string): ApiError {
  return new ApiError('forbidden', {
    message: `This request controls the world ${own} alone.`,
    hint: 'Send a key of the other world, or the control token of a server that has one.',
  });
}

/** For requesters that may list the worlds, since it may suggest one, which is looked for in turns of the requester's world. */
export async function noSuchWorld(
  { store, turns }: Pick<SandboxContext, 'store' | 'turns'>,
  name: string,
  requester: string,
): Promise<ApiError> {
  const names = (await store.worlds()).map((world) => world.name);
  const meant = await turns.workThrough(requester, didYouMeanAmong(name, names));
  return new ApiError('not_found', {
    message: `No world named ${quote(name)} exists${meant || '.'}`,
    hint: 'List the worlds with GET /_sandbox/worlds, or create it with POST /_sandbox/worlds.',
  });
}
