// Tokens for browser and mobile callers: `spec.md` "Other operations named without a shape" and "Authentication". Two
// kinds join a room, the third replaces an API key; all expire by the machine's clock or by the world's (assumption
// token_clock).
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Scope } from '../contract/document.ts';
import { checkEnabled } from '../domain/agents/agent-state.ts';
import {
  completeSession,
  completeWebrtcToken,
  openRoom,
  type RoomDraft,
  type SessionDraft,
} from '../domain/agents/browser-session.ts';
import { lacksScope } from '../domain/organizations/scopes.ts';
import { type Caller, type CompletedOperation, created } from '../engine/operation.ts';
import { findReferenced } from '../engine/records.ts';
import { worldLife } from '../engine/world-life.ts';
import { invalidField } from '../errors/api-error.ts';
import { token } from '../identity/seeded.ts';
import type { Tx } from '../store/store.ts';
import { signClientToken } from '../tokens/client-token.ts';
import { tokenTime } from '../tokens/token-life.ts';

const RANKS_PER_EPOCH = 1e9;

export const createWebrtcToken: CompletedOperation<'createWebrtcToken', RoomDraft> = {
  handle: ({ caller, secrets }, tx) => created(openRoom(tx, caller, null, secrets)),
  complete: completeWebrtcToken,
};

export const createRoomToken: CompletedOperation<'createRoomToken', SessionDraft> = {
  handle({ body, caller, secrets }, tx) {
    const agent = findReferenced(tx, 'agents', body.agent_id, caller, 'agent_id');
    checkEnabled(tx, agent);
    return created(openRoom(tx, caller, agent.id, secrets));
  },
  complete: completeSession,
};

/** What a stored result keeps of a client token; the token itself is signed when the response is sent. */
interface ClientTokenDraft {
  readonly id: string;
  readonly key_id: string;
  readonly scopes: readonly Scope[];
  readonly expires_in: number;
}

export const createClientToken: CompletedOperation<'createClientToken', ClientTokenDraft> = {
  handle({ body, caller, secrets }, tx) {
    const scopes = body?.scopes ?? caller.scopes.filter((scope) => scope !== 'tokens:mint');
    checkScopes(tx, caller, scopes);
    const { seed, name } = tx.world;
    const life = lifeOf(tx, caller, body?.expires_in);
    // Client tokens outlive a reset, as keys do, but ordinals restart.
    const epoch = tx.state('epoch');
    const ordinal = tx.ordinal('client_tokens');
    const minted: ClientTokenDraft = {
      id: `tok_${token(32, seed, name, 'client_tokens', ...worldLife(tx, secrets), ordinal)}`,
      key_id: caller.id,
      scopes,
      expires_in: life,
    };
    const { id, key_id } = minted;
    const { is_demo, requests_per_minute, organization_id } = caller;
    tx.put('client_tokens', {
      id,
      key_id,
      scopes,
      is_demo,
      requests_per_minute,
      private: { organization_id, rank: epoch * RANKS_PER_EPOCH + ordinal },
    });
    return created(minted);
  },

  // Another key of the organization may repeat the request, if it knows the idempotency key.
  checkReplay({ data: { scopes } }, caller, tx) {
    checkScopes(tx, caller, scopes);
  },

  async complete({ data: { id, key_id, scopes, expires_in } }, { now, caller, secrets }) {
    const notBefore = Math.floor(now / 1000);
    const expires = Math.min(notBefore + expires_in, caller.expires ?? Number.POSITIVE_INFINITY);
    return {
      data: {
        token: await signClientToken(secrets, { id, key: key_id, scopes }, { notBefore, expires }),
        expires_in: expires - notBefore,
        expires_at: timestamp(expires * 1000),
        scopes: [...scopes],
      },
    };
  },
};

/** How long a new client token lives, in seconds: not longer than the one that makes it. */
function lifeOf(tx: Tx, { expires }: Caller, requested: number | null | undefined): number {
  const life = requested ?? assumed(tx.state('assumptions'), 'client_token_seconds');
  const left = expires === undefined ? life : expires - Math.floor(tokenTime(tx) / 1000);
  if (requested == null || life <= left) return Math.min(life, left);
  throw invalidField(
    'expires_in',
    `is ${life}; must be at most ${left}, when the client token that asks for it expires`,
    { assumption: 'client_tokens' },
  );
}

/** Throws `scope_missing` for scopes that the key itself lacks. */
function checkScopes(tx: Tx, caller: Caller, requested: readonly Scope[]): void {
  const lacking = requested.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length === 0) return;
  throw lacksScope(tx, lacking, {
    message: `The key lacks ${lacking.join(', ')}; a client token can only have scopes of its key.`,
    hint: 'Request scopes that the key has (GET /v1/me lists them).',
    fields: { scopes: `the key lacks ${lacking.join(', ')}` },
    assumption: 'client_tokens, scope_missing_status',
  });
}
