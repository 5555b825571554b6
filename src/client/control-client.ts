// The client of the control API: everything that the library, the command line and the tools for agents do to a sandbox
// goes through it, so that they can do nothing that a customer could not do over HTTP. `interface.md` section 5.
//
//   const control = createControlClient({ url: 'http://127.0.0.1:4747', world: 'checkout-42' });
//   const { now, steps } = await control.call('advanceClock', { body: { by: '30s' } });
//   const events = await control.all('listEvents', { query: { event_type: 'call_busy' } });   // every page
//   const drawing = await control.text('getTimeline', { query: { subject_id, format: 'mermaid' } });
//   for await (const message of control.stream({ types: ['event'], signal })) …                // reconnects, see stream.ts
//
// Operations are those of `/_sandbox/openapi.json`, by id; what fails is a SandboxError with `code`, `status`, `hint`,
// `fields`. A connection that fails has the code `unreachable`.
import { testKeyOf } from '../identity/test-keys.ts';
import { Connections } from './connections.ts';
import type { operations } from './control-api.d.ts';
import { controlOperations } from './control-operations.ts';
import { type OperationsClient, operationsClient } from './operations-client.ts';
import { type StreamMessage, type StreamOptions, streamOf } from './stream.ts';

export type ControlOperations = operations;
export type ControlOperationId = keyof operations;

export interface ControlClientOptions {
  /** The address of the server, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** The server's control token, if it has one. */
  readonly token?: string | undefined;
  /** An API key, or a control key, of the world to control; not with `token`. */
  readonly key?: string | undefined;
  /** The name of the world to control, `default` if there is no key either. Without a token, its test key is sent. */
  readonly world?: string | undefined;
}

export interface ControlClient extends OperationsClient<operations> {
  /** The same for another world. */
  forWorld(name: string): ControlClient;
  /** What happens in the world, as it happens; ends when the signal is aborted. */
  stream(options?: StreamOptions): AsyncIterable<StreamMessage>;
  /** Closes idle connections; a client that is not closed keeps no process alive. */
  close(): void;
}

export function createControlClient({ url, ...credentials }: ControlClientOptions): ControlClient {
  return clientOver(new Connections(url), credentials);
}

/** The most that a page can have. */
const PAGE_SIZE = 1000;

type Credentials = Omit<ControlClientOptions, 'url'>;

function clientOver(connections: Connections, credentials: Credentials): ControlClient {
  const headers = headersOf(credentials);
  return {
    ...operationsClient<operations>(connections, controlOperations, headers, PAGE_SIZE),
    forWorld: (world) => clientOver(connections, { token: credentials.token, world }),
    stream: (options = {}) => streamOf(connections.url, headers, options),
    close: () => connections.close(),
  };
}

/** Throws a TypeError for credentials that speak of different worlds. */
function headersOf({ token, key, world }: Credentials): Record<string, string> {
  if (token !== undefined && key !== undefined) {
    throw new TypeError('a control token and a key exclude each other: a server with a token refuses keys');
  }
  if (token !== undefined) {
    return { Authorization: `Bearer ${token}`, ...(world === undefined ? {} : { 'X-Sandbox-World': world }) };
  }
  if (key !== undefined && world !== undefined) {
    throw new TypeError('a key names its own world: give either `key` or `world`');
  }
  const bearer = key ?? (world === undefined || world === 'default' ? undefined : testKeyOf(world));
  return bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
}
