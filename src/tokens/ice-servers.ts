// ICE servers in the shape that RTCPeerConnection takes. TURN credentials follow the usual shared-secret scheme: the
// username states when they expire, the credential is its HMAC-SHA1.
import { createHmac } from 'node:crypto';
import type { Schemas } from '../contract/document.ts';
import { JOIN_SECRET } from './join-token.ts';

/** `host` is the server's own; `until`, in Unix seconds, is when the credentials expire. */
export function iceServersOf(host: string, identity: string, until: number): Schemas['IceServer'][] {
  const username = `${until}:${identity}`;
  const credential = createHmac('sha1', JOIN_SECRET).update(username).digest('base64');
  return [
    { urls: [`stun:${host}:3478`] },
    { urls: [`turn:${host}:3478?transport=udp`, `turn:${host}:3478?transport=tcp`], username, credential },
  ];
}
