// Join tokens: real JWTs with which a browser enters a room, in the form that LiveKit's clients read. The secret is
// published, so that integrators can verify them too. They expire by system time, as clients expect.
import { jose } from '../lazy-modules.ts';

export const JOIN_KEY_ID = 'sandbox_join_key';
const NOT_A_JOIN_TOKEN = 'The token is not a join token of this server.';
/** Long enough for HS256 (RFC 7518, section 3.2). */
export const JOIN_SECRET = 'sandbox_join_secret_for_browser_calls';
/** Seconds. */
export const JOIN_TOKEN_LIFE = 6 * 60 * 60;

/** Who may enter which room. */
export interface JoinClaims {
  readonly room: string;
  readonly identity: string;
}

const secret = new TextEncoder().encode(JOIN_SECRET);

/** Signs a token that is valid from `now` (system time in milliseconds) for JOIN_TOKEN_LIFE. */
export async function signJoinToken({ room, identity }: JoinClaims, now: number): Promise<string> {
  const { SignJWT } = await jose();
  const seconds = Math.floor(now / 1000);
  const video = { roomJoin: true, room, canPublish: true, canSubscribe: true, canPublishData: true };
  return new SignJWT({ video })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(JOIN_KEY_ID)
    .setSubject(identity)
    .setIssuedAt(seconds)
    .setNotBefore(seconds)
    .setExpirationTime(seconds + JOIN_TOKEN_LIFE)
    .sign(secret);
}

/** The claims of a token that is valid at `now`; a message about what is wrong with any other. */
export async function readJoinToken(token: string, now: number): Promise<JoinClaims | string> {
  const { errors, jwtVerify } = await jose();
  try {
    const { payload } = await jwtVerify<{ video?: { roomJoin?: unknown; room?: unknown } }>(token, secret, {
      algorithms: ['HS256'],
      issuer: JOIN_KEY_ID,
      requiredClaims: ['sub', 'nbf', 'exp'],
      currentDate: new Date(now),
    });
    const { sub, video } = payload;
    if (sub === undefined) return NOT_A_JOIN_TOKEN;
    if (video?.roomJoin !== true || typeof video.room !== 'string') return 'The token does not grant access to a room.';
    return { room: video.room, identity: sub };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'The token has expired.';
    if (error instanceof errors.JOSEError) return NOT_A_JOIN_TOKEN;
    throw error;
  }
}
