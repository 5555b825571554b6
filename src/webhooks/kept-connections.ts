// `--webhook-connections reuse`: undici keeps connections for the next POST. A POST that waits for a kept connection
// gets another one if the receiver closes it. A POST that was written is not sent again: the receiver may have read it.
import { clearTimeout, setTimeout } from 'node:timers';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { undici } from '../lazy-modules.ts';
import type { Egress } from './egress.ts';
import { Aborted, interimLimit } from './failures.ts';
import { createTlsContext, type TlsContext } from './tls-context.ts';
import {
  BodyReader,
  type FindName,
  joinedHeaders,
  lookupFor,
  MAX_HEADER_BYTES,
  type Post,
  type ReceiverResponse,
  type ResponseHeaders,
  type Transport,
  targetOf,
} from './transport.ts';

/** How long a connection without traffic is kept; longer or shorter if the receiver names a time in `Keep-Alive`. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 60_000;
/** Plans can set any time limit. */
const MAX_AGENTS = 20;

interface Parts {
  readonly egress: Egress;
  readonly find: FindName;
  readonly tlsContext: TlsContext;
}

export function keptConnections(egress: Egress, find: FindName): Transport {
  // The time limit to connect is one of an agent. And addresses are checked when connecting, so a connection to an inbox
  // may carry nothing else.
  const agents = new Map<string, Agent>();
  const tlsContext = createTlsContext();
  const agentFor = (isInbox: boolean, connectMs: number): Agent => {
    const key = `${isInbox ? 'inboxes' : 'others'} ${connectMs}`;
    const known = agents.get(key);
    if (known) return known;
    if (agents.size >= MAX_AGENTS) forget(agents);
    const agent = agentOf({ egress, find, tlsContext }, isInbox, connectMs);
    agents.set(key, agent);
    return agent;
  };
  return {
    post(url, headers, body, limits) {
      const exchange = new Exchange(limits.response);
      const { origin, pathname, search } = url;
      const path = pathname + search;
      // undici's own time limits are late by up to a second.
      const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
      const agent = agentFor(egress.isInbox(pathname), limits.connect);
      agent.dispatch({ origin, path, method: 'POST', headers, body, ...timeouts }, exchange);
      return exchange;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Releases all connections but those of POSTs that are under way. */
function forget(agents: Map<string, Agent>): void {
  for (const agent of agents.values()) void agent.close();
  agents.clear();
}

function agentOf(parts: Parts, isInbox: boolean, connectMs: number): Agent {
  const { Agent } = undici();
  return new Agent({
    connect: guardedConnector(parts, isInbox, connectMs),
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
}

/** A POST and its response. By undici's handlers, which need two thirds of the time of its `request`. */
class Exchange implements Post, Dispatcher.DispatchHandler {
  readonly response: Promise<ReceiverResponse>;
  #resolve: (response: ReceiverResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: Error | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  readonly #body = new BodyReader();
  readonly #responseMs: number;
  #phase: 'headers_timeout' | 'body_timeout' = 'headers_timeout';
  #timer: NodeJS.Timeout | undefined;
  readonly #countInterim = interimLimit();

  /** How long the response may take, and each silence in it. */
  constructor(responseMs: number) {
    this.#responseMs = responseMs;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  abort(reason: Error): void {
    this.#aborted = reason;
    this.#endTimer();
    this.#reject(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(this.#aborted);
    else this.#timer = setTimeout(() => this.abort(new Aborted(this.#phase)), this.#responseMs);
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    // One that is cleared would start again when it is refreshed.
    this.#timer = undefined;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return this.#interim();
    this.#status = status;
    this.#headers = joinedHeaders(headers);
    this.#phase = 'body_timeout';
    this.#timer?.refresh();
  }

  #interim(): void {
    const reason = this.#countInterim();
    if (reason && !this.#aborted) this.abort(reason);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#timer?.refresh();
    if (this.#body.add(chunk)) return;
    this.onResponseEnd();
    controller.abort(new Error('enough of the response has been read'));
  }

  onResponseEnd(): void {
    this.#endTimer();
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: this.#body.text,
      isTooLarge: this.#body.isTooLarge,
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#endTimer();
    this.#reject(error);
  }
}

/** Checks each address before connecting. */
function guardedConnector(
  { egress, find, tlsContext }: Parts,
  isInbox: boolean,
  connectMs: number,
): buildConnector.connector {
  const { buildConnector } = undici();
  const connectors = new Map<string, buildConnector.connector>();
  const connectorFor = (port: number, isSecure: boolean): buildConnector.connector => {
    const key = `${port} ${isSecure}`;
    let connector = connectors.get(key);
    if (!connector) {
      const lookup = lookupFor(port, egress, find, isInbox);
      const secure = isSecure ? { secureContext: tlsContext() } : {};
      connector = buildConnector({ timeout: connectMs, lookup, allowH2: false, ...secure });
      if (connectors.size > 1000) connectors.clear();
      connectors.set(key, connector);
    }
    return connector;
  };
  return (options, callback) => {
    const { port, refusal } = targetOf(options, egress, isInbox);
    if (refusal) callback(refusal, null);
    else connectorFor(port, options.protocol === 'https:')(options, callback);
  };
}
