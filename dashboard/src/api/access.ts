// Who this page is to the server: with a control token, which is asked for once and kept for this tab alone, or else with the
// test key of the world that is shown. Neither is ever part of an address.
import { signal } from '@preact/signals';
import type { operations as controlContract } from '../../../src/client/control-api.d.ts';
import { controlOperations } from '../../../src/client/control-operations.ts';
import { type OperationsClient, operationsClient } from '../../../src/client/operations-client.ts';
import { platformOperations } from '../../../src/client/platform-operations.ts';
import type { operations as platformContract } from '../../../src/contract/wire.d.ts';
import { testKeyOf } from '../../../src/identity/test-keys.ts';
import { fetchTransport } from './transport.ts';

const STORED = 'ringback-control-token';

export const controlToken = signal<string | null>(sessionStorage.getItem(STORED));

export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, token);
  controlToken.value = token;
}

/** What the Authorization header carries about a world; undefined for `default` on a server without a control token. */
export const secretFor = (world: string): string | undefined =>
  controlToken.value ?? (world === 'default' ? undefined : testKeyOf(world));

export type ControlClient = OperationsClient<controlContract>;

/** Most lists are read in pages of that size. */
const PAGE_SIZE = 1000;

/** `world`: null for what is about the server. */
export function controlClient(world: string | null): ControlClient {
  const secret = secretFor(world ?? 'default');
  const isNamed = world !== null && controlToken.value !== null;
  const headers = {
    ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    ...(isNamed ? { 'X-Sandbox-World': world } : {}),
  };
  return operationsClient<controlContract>(fetchTransport, controlOperations, headers, PAGE_SIZE);
}

type PlatformContract = Omit<platformContract, `on${string}`>;

/** The platform's API as a customer of that world uses it. */
export const platformClient = (world: string): OperationsClient<PlatformContract> =>
  operationsClient<PlatformContract>(fetchTransport, platformOperations, {
    Authorization: `Bearer ${testKeyOf(world)}`,
  });
