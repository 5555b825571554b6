// A sandbox and a webhook receiver for the tests of a file, both reset before each test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/index.ts';
import type { Client } from './client.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { forwardTo, useSandbox } from './sandbox.ts';

export interface Listening {
  readonly sandbox: Sandbox;
  /** Uses the key `svc_sandbox_default`. */
  readonly client: Client;
  readonly receiver: Receiver;
}

/** Starts both before the tests of the file, and closes them after them; the parts are used as those of `useSandbox`. */
export function useSandboxAndReceiver(options: SandboxOptions): Listening {
  let running: Receiver | undefined;
  const receiver = forwardTo(() => running);
  // Hooks that end run in reverse: the sandbox closes before its receiver.
  beforeAll(async () => {
    running = await startReceiver();
  });
  afterAll(() => receiver.close());
  const { sandbox, client } = useSandbox(options);
  beforeEach(async () => {
    await sandbox.reset();
    receiver.got.length = 0;
  });
  return { sandbox, client, receiver };
}
