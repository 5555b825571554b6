// Join tokens: real JWTs with which a browser enters a room, in the form that LiveKit's clients read. Where the server has
// no secret of its own, they are signed with a published one, so that integrators can verify them too.
import type { Secrets } from '../identity/secrets.ts';
import { jose } from '../lazy-modules.ts';
import type { TokenLife } from './token-life.ts';
import { verified } from './verified.ts';

export const JOIN_KEY_ID = 'sandbox_join_key';
const NOT_A_JOIN_TOKEN = 'The token is not a join token of this server.';
/** Long enough for HS256 (RFC 7518, section 3.2). */
const PUBLISHED_SECRET = 'sandbox_join_secret_for_browser_calls';

/** Who may enter which room. */
export interface JoinClaims {
  readonly room: string;
  readonly identity: string;
}

const published = new TextEncoder().encode(PUBLISHED_SECRET);

/** What join tokens, and the credentials of TURN servers, are signed with. */
export const joinKeyOf = (secrets: Secrets): Uint8Array => (secrets.arePublic ? published : secrets.key('join tokens'));

/** Signs a token that is valid from `now` (in milliseconds) for `life` seconds. */
export async function signJoinToken(
  secrets: Secrets,
  { room, identity }: JoinClaims,
  now: number,
  life: number,
): Promise<string> {
  const { SignJWT } = await jose();
  const seconds = Math.floor(now / 1000);
  const video = { roomJoin: true, room, canPublish: true, canSubscribe: true, canPublishData: true };
  return new SignJWT({ video })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(JOIN_KEY_ID)
    .setSubject(identity)
    .setIssuedAt(seconds)
    .setNotBefore(seconds)
    .setExpirationTime(seconds + life)
    .sign(joinKeyOf(secrets));
}

/** The claims of a token of this server, and when it is valid; a message about what is wrong with any other. */
export async function readJoinToken(secrets: Secrets, token: string): Promise<(JoinClaims & TokenLife) | string> {
  const signing = { key: joinKeyOf(secrets), issuer: JOIN_KEY_ID };
  const claims = await verified<{ video?: { roomJoin?: unknown; room?: unknown } }>(signing, token);
  if (typeof claims?.sub !== 'string') return NOT_A_JOIN_TOKEN;
  const { sub: identity, video, notBefore, expires } = claims;
  if (video?.roomJoin !== true || typeof video.room !== 'string') return 'The token does not grant access to a room.';
  return { room: video.room, identity, notBefore, expires };
}
