// Tokens for browser and mobile callers: `spec.md` "Other operations named without a shape" and "Authentication". Two
// join a room, the third stands in for a key; all of them live on the machine's time.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas, Scope } from '../contract/document.ts';
import { disabledAgent } from '../domain/agents/agent-state.ts';
import { completeSession, completeWebrtcToken, openRoom } from '../domain/agents/browser-session.ts';
import { type Caller, created, findReferenced, type Operation } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/bearer.ts';
import { token } from '../identity/seeded.ts';
import type { Tx } from '../store/store.ts';
import { signClientToken } from '../tokens/client-token.ts';

/** Seconds. */
const CLIENT_TOKEN_LIFE = 900;
/** Client tokens that a world knows at once; past it the oldest are good no more. */
const MOST_CLIENT_TOKENS = 10_000;
const RANKS_AN_EPOCH = 1e9;

export const createWebrtcToken: Operation<'createWebrtcToken'> = {
  handle: ({ caller }, tx) => created(openRoom(tx, caller, null)),
  complete: completeWebrtcToken,
};

export const createRoomToken: Operation<'createRoomToken'> = {
  handle({ body, caller }, tx) {
    const agent = findReferenced(tx, 'agents', body.agent_id, caller, 'agent', 'agent_id');
    if (!agent.enabled) throw disabledAgent(agent);
    return created(openRoom(tx, caller, agent));
  },
  complete: completeSession,
};

/** What a reply keeps of a client token; the token itself is signed as it leaves. */
interface MintedToken {
  readonly id: string;
  readonly key_id: string;
  readonly scopes: readonly Scope[];
  readonly expires_in: number;
}

export const createClientToken: Operation<'createClientToken'> = {
  handle({ body, caller }, tx) {
    const scopes = body?.scopes ?? caller.scopes.filter((scope) => scope !== 'tokens:mint');
    checkScopes(tx, caller, scopes);
    const { seed, name } = tx.world;
    // Client tokens outlive a reset, as keys do, and ordinals do not.
    const epoch = tx.state('epoch');
    const ordinal = tx.ordinal('client_tokens');
    const minted: MintedToken = {
      id: `tok_${token(32, seed, name, 'client_tokens', epoch, ordinal)}`,
      key_id: caller.id,
      scopes,
      expires_in: body?.expires_in ?? CLIENT_TOKEN_LIFE,
    };
    if (tx.count('client_tokens', 'all', 'all') >= MOST_CLIENT_TOKENS) {
      const [oldest] = tx.page('client_tokens', 'all', 'all', { limit: 1 });
      if (oldest) tx.remove('client_tokens', oldest.id);
    }
    const { id, key_id } = minted;
    const { is_demo, requests_per_minute, organization_id } = caller;
    tx.put('client_tokens', {
      ...{ id, key_id, scopes, is_demo, requests_per_minute },
      private: { organization_id, rank: epoch * RANKS_AN_EPOCH + ordinal },
    });
    return created(minted);
  },

  async complete(body, { now }) {
    const { id, key_id, scopes, expires_in } = (body as { data: MintedToken }).data;
    const data: Schemas['ClientToken'] = {
      token: await signClientToken({ id, key: key_id, scopes }, now, expires_in),
      expires_in,
      expires_at: timestamp((Math.floor(now / 1000) + expires_in) * 1000),
      scopes: [...scopes],
    };
    return { data };
  },
};

/** Nobody hands on more than they have. */
function checkScopes(tx: Tx, caller: Caller, asked: readonly Scope[]): void {
  const lacking = asked.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length === 0) return;
  throw new ApiError('scope_missing', {
    status: Number(assumed(tx.state('assumptions'), 'scope_missing_status')),
    message: `The key that mints lacks ${lacking.join(', ')}; a client token has scopes of its key alone.`,
    hint: 'Ask for scopes that the key has (GET /v1/me lists them).',
    fields: { scopes: `the key lacks ${lacking.join(', ')}` },
    headers: { 'WWW-Authenticate': insufficientScope(lacking) },
    assumption: 'client_tokens, scope_missing_status',
  });
}
