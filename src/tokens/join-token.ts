// Join tokens: real JWTs with which a browser enters a room, in the form that LiveKit's clients read. The key is
// published, so that an integrator can check them too; their life is machine time, as their readers' is.
import { jose } from '../lazy-modules.ts';

export const JOIN_KEY_ID = 'sandbox_join_key';
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

/** Signs a token that is good from `now` (the machine's time in milliseconds) for JOIN_TOKEN_LIFE. */
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

/** Reads a token at `now`; a sentence about what is wrong where it is not one of ours, or not good then. */
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
    if (video?.roomJoin !== true || typeof video.room !== 'string') return 'The token grants no room.';
    return { room: video.room, identity: sub as string };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'The token has expired.';
    if (error instanceof errors.JOSEError) return 'The token is no join token of this server.';
    throw error;
  }
}
