// What the tests of worlds and keys share: a sandbox on a manual clock, clients with any key, and a held receiver.
import { expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { gate } from '../support/webhooks.ts';

/** The worlds of the bundled fixtures. */
export const BUNDLED = ['default', 'demo', 'hipaa', 'regulated', 'other'];

/** A sandbox for the file, and functions that use it unless they get another sandbox. */
export function useWorlds() {
  const parts = useSandboxAndReceiver({ clock: 'manual' });
  const withKey = (key: string, sandbox: Sandbox = parts.sandbox): Client => clientOf(sandbox.url, key);
  /** A client with the test key of that world. */
  const inWorld = (world: string, sandbox?: Sandbox): Client => withKey(`svc_test_${world}`, sandbox);

  const worldNames = async (sandbox: Sandbox = parts.sandbox): Promise<string[]> =>
    (await dataOf(clientOf(sandbox.url), '/_sandbox/worlds?page_size=1000')).map(({ name }: { name: string }) => name);

  return { ...parts, withKey, inWorld, worldNames };
}

/** Runs `body` with another sandbox, for settings or states that the file's sandbox must not have. */
export async function withSandbox(options: SandboxOptions, body: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox({ clock: 'manual', ...options });
  try {
    await body(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Runs `body` with a receiver that responds to no delivery before `release` is called. */
export async function withHeldReceiver(
  body: (receiver: Receiver, release: () => void) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver();
  const { opened, open } = gate();
  receiver.onDelivery = () => opened;
  try {
    await body(receiver, open);
  } finally {
    open();
    await receiver.close();
  }
}

/** The `data` of a successful GET. */
export async function dataOf(client: Client, path: string): Promise<Answer['body']> {
  const answer = await client.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

export const organizationOf = async (client: Client): Promise<string> =>
  (await dataOf(client, '/v1/account')).organization.id;

/** The scopes of a key that does not list its own. */
export const defaultScopes = async (client: Client): Promise<string[]> =>
  (await dataOf(client, '/_sandbox/catalog')).scopes.filter((scope: string) => scope !== 'compliance:write');

/** Makes a snapshot of that name. */
export const keep = async (by: Client, name = 'base'): Promise<void> => {
  const answer = await by.post('/_sandbox/snapshots', { name });
  expect(answer.status, answer.text).toBe(201);
};
