// What all TLS connections to receivers share: certificates that are trusted, and which ciphers are. Node makes it anew for
// each connection, which takes longer than all else that a connection takes (0.3 ms).
import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

export type TlsContext = () => SecureContext;

/** Made by the first connection that needs it, since it reads the certificates. */
export function createTlsContext(): TlsContext {
  let context: SecureContext | undefined;
  return () => {
    // A receiver could ask for one handshake after the other in an open connection (TLS 1.2), instead of an answer.
    context ??= createSecureContext({ secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
    return context;
  };
}
