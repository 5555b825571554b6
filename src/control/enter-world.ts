// Which world a control request is about: the one of its API key, or, with a control token, the one that a header names.
// `interface.md` section 5.
import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { noSuchWorld } from '../admin/worlds.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { tokenOf } from '../errors/bearer.ts';
import { authenticate } from '../http/authenticate.ts';
import { worldName } from '../identity/api-keys.ts';
import { sha256 } from '../identity/seeded.ts';

export interface EnteredWorld {
  readonly world: string;
  /** Whether the world had expired and was created again for this request. */
  readonly recreated: boolean;
}

/** The world of a request without a key. */
export const defaultWorld: EnteredWorld = { world: 'default', recreated: false };

/** `unauthorized` without a valid key or token, `not_found` for an unknown world. */
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
  return enterWorldOfKey(sandbox, authorization);
}

function checkControlToken(controlToken: string, given: string): void {
  // Hashed, because the comparison needs buffers of equal length.
  if (timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(controlToken)))) return;
  throw new ApiError('unauthorized', {
    message: 'The control API of this server accepts its control token only.',
    hint: 'Send `Authorization: Bearer <control token>`, and the world in X-Sandbox-World.',
    headers: { 'WWW-Authenticate': 'Bearer realm="ringback-control"' },
  });
}

/** The world of a key, whatever the key's scopes; `default` without a key. */
async function enterWorldOfKey(
  sandbox: Pick<SandboxContext, 'store' | 'worlds'>,
  authorization: string | undefined,
): Promise<EnteredWorld> {
  if (authorization === undefined) return defaultWorld;
  const located = await authenticate(sandbox, authorization);
  await sandbox.store.transaction(located.world, (tx) => located.caller(tx));
  return located;
}

async function enterNamedWorld(sandbox: SandboxContext, name: string): Promise<EnteredWorld> {
  const entered = worldName.test(name) ? await sandbox.worlds.enterTestWorld(name) : undefined;
  if (!entered) throw noSuchWorld(name);
  return { world: name, recreated: entered.recreated };
}
