// Which world a control request is about: that of its API key, or with a control token the one that a header names.
// `interface.md` section 5.
import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { noSuchWorld } from '../admin/worlds.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import { enterControlWorld } from '../http/enter-world.ts';
import { worldName } from '../identity/api-keys.ts';
import { sha256 } from '../identity/seeded.ts';

export interface EnteredWorld {
  readonly world: string;
  /** The world had expired and was created again for this request. */
  readonly recreated: boolean;
}

/** The world of an open route, which needs no key. */
export const openWorld: EnteredWorld = { world: 'default', recreated: false };

/** `unauthorized` without the right key or token, `not_found` for an unknown world. */
export async function enterWorld(sandbox: SandboxContext, req: Request): Promise<EnteredWorld> {
  const { 'x-sandbox-world': named, authorization } = req.headers;
  const { controlToken } = sandbox.settings;
  if (controlToken !== null) {
    checkControlToken(controlToken, tokenOf(authorization) ?? '');
    return enterNamedWorld(sandbox, named === undefined ? 'default' : String(named));
  }
  if (named !== undefined) {
    throw invalidField('X-Sandbox-World', 'is accepted with a control token only; here the API key selects the world');
  }
  return enterControlWorld(sandbox, authorization);
}

function checkControlToken(controlToken: string, given: string): void {
  // Hashed, because the comparison needs buffers of one length.
  if (timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(controlToken)))) return;
  throw new ApiError('unauthorized', {
    message: 'The control API of this server accepts its control token only.',
    hint: 'Send `Authorization: Bearer <control token>`, and the world in X-Sandbox-World.',
    headers: { 'WWW-Authenticate': 'Bearer realm="ringback-control"' },
  });
}

async function enterNamedWorld(sandbox: SandboxContext, name: string): Promise<EnteredWorld> {
  const entered = worldName.test(name) ? await sandbox.worlds.enterTestWorld(name) : undefined;
  if (!entered) throw noSuchWorld(name);
  return { world: name, recreated: entered.recreated };
}
