// The worlds of a server: list, create, delete, reset. `interface.md` section 2.
import type { AssumptionValues } from '../assumptions/catalogue.ts';
import { type ClockSetting, formatClockSetting } from '../clock/clock.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, quote } from '../errors/api-error.ts';
import { DEFAULT_FIXTURE } from '../fixtures/library.ts';
import { testKeyOf } from '../identity/api-keys.ts';
import { NoSuchWorld, type WorldOrigin } from '../store/store.ts';
import { WORLD_SIGNING_SECRET } from '../webhooks/sign.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';

export interface WorldView {
  readonly name: string;
  readonly organization_id: string;
  /** `bundled` and `posted` worlds stay; `auto` ones expire when idle. */
  readonly origin: WorldOrigin;
  readonly fixture: string;
  /** The mode of its clock, such as `manual` or `20x`. */
  readonly clock: string;
}

export async function listWorlds(
  { store }: Pick<SandboxContext, 'store'>,
  page: PageRequest,
): Promise<Page<WorldView>> {
  const worlds = await store.worlds();
  const { data: listed, meta } = pageOf(
    worlds.map((world) => ({ id: world.name, ...world })),
    page,
  );
  const data: WorldView[] = [];
  for (const { name, organization_id, origin, fixture } of listed) {
    const clock = await store.transaction(name, (tx) => tx.state('clock'));
    data.push({ name, organization_id, origin, fixture, clock: formatClockSetting(clock) });
  }
  return { data, meta };
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
}

/** Creates a world that stays until it is deleted; `conflict` if the name is taken or there are too many worlds. */
export async function createWorld(
  { store, worlds, settings }: Pick<SandboxContext, 'store' | 'worlds' | 'settings'>,
  { name: requested, fixtures = DEFAULT_FIXTURE, clock = settings.clock, assumptions = {} }: NewWorldRequest,
): Promise<CreatedWorld> {
  const name = requested ?? (await firstFreeName(store));
  await worlds.createPosted(name, fixtures, clock, assumptions);
  const world = await store.world(name);
  if (!world) throw new NoSuchWorld(name);
  const { organization_id } = world;
  return { name, organization_id, api_key: testKeyOf(name), signing_secret: WORLD_SIGNING_SECRET };
}

async function firstFreeName(store: SandboxContext['store']): Promise<string> {
  let number = 1;
  while (await store.world(`world-${number}`)) number += 1;
  return `world-${number}`;
}

/** Deletes a world and everything in it; `conflict` for a bundled one, `not_found` for an unknown one. */
export async function deleteWorld({ worlds }: Pick<SandboxContext, 'worlds'>, name: string): Promise<void> {
  if (!(await worlds.delete(name))) throw noSuchWorld(name);
}

/** Resets a world to its fixture; keys, scenario overlays and assumption values stay. */
export function resetWorld({ worlds }: Pick<SandboxContext, 'worlds'>, name: string): Promise<void> {
  return worlds.reset(name);
}

export function noSuchWorld(name: string): ApiError {
  return new ApiError('not_found', {
    message: `No world named ${quote(name)} exists.`,
    hint: 'List the worlds with GET /_sandbox/worlds.',
  });
}
