// What the client of the control API sends requests with in a browser: `fetch`, to the server that this page comes from.
import type { ClientAnswer, ClientRequest, Transport } from '../../../src/client/connections.ts';
import { SandboxError } from '../../../src/client/sandbox-error.ts';

/** The server's address, a path prefix in front of it included: the page is at `<server>/_sandbox/ui/`. */
export const serverUrl = `${location.origin}${location.pathname.replace(/(\/_sandbox\/ui)?\/[^/]*$/, '')}`;

export const fetchTransport: Transport = {
  url: serverUrl,
  async send({ method, path, headers, body, signal }: ClientRequest): Promise<ClientAnswer> {
    try {
      const answer = await fetch(`${serverUrl}${path}`, {
        method,
        headers,
        body: body ?? null,
        signal: signal ?? null,
        cache: 'no-store',
        credentials: 'omit',
      });
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new SandboxError({ code: 'unreachable', message: 'The server does not answer. Is it running?', cause });
    }
  },
};
