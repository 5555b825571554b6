// ICE servers in the shape that RTCPeerConnection takes. TURN credentials follow the usual shared-secret scheme: the
// username states when they expire, the credential is its HMAC-SHA1.
import { createHmac } from 'node:crypto';
import type { Schemas } from '../contract/document.ts';
import type { Secrets } from '../identity/secrets.ts';
import { joinKeyOf } from './join-token.ts';

/** `host` is the server's own; `until`, in Unix seconds, is when the credentials expire. */
export function iceServersOf(secrets: Secrets, host: string, identity: string, until: number): Schemas['IceServer'][] {
  const username = `${until}:${identity}`;
  const credential = createHmac('sha1', joinKeyOf(secrets)).update(username).digest('base64');
  return [
    { urls: [`stun:${host}:3478`] },
    { urls: [`turn:${host}:3478?transport=udp`, `turn:${host}:3478?transport=tcp`], username, credential },
  ];
}
