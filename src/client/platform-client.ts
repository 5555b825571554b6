// The client of the platform's API, for tools that dial: operations of `openapi.yaml` by id.
//
//   const platform = createPlatformClient({ url, key: 'svc_test_checkout-42' });
//   const { call_id } = await platform.call('dialCall', { body: { from_number, to_number } });
//   const calls = await platform.all('listCalls');
import type { operations } from '../contract/wire.d.ts';
import { Connections } from './connections.ts';
import { type OperationsClient, operationsClient } from './operations-client.ts';
import { platformOperations } from './platform-operations.ts';

/** The operations that a client can call; the `on…` operations are webhooks. */
export type PlatformOperations = Omit<operations, `on${string}`>;
export type PlatformOperationId = keyof PlatformOperations;

export interface PlatformClientOptions {
  /** The address of the server, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  readonly key: string;
}

export interface PlatformClient extends OperationsClient<PlatformOperations> {
  /** Closes idle connections; a client that is not closed keeps no process alive. */
  close(): void;
}

export function createPlatformClient({ url, key }: PlatformClientOptions): PlatformClient {
  const connections = new Connections(url);
  const client = operationsClient<PlatformOperations>(connections, platformOperations, {
    Authorization: `Bearer ${key}`,
  });
  return { ...client, close: () => connections.close() };
}
