// What files begin with that hear webhooks: a sandbox and a receiver for the whole file, both as new in every test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export interface Listening {
  readonly sandbox: Sandbox;
  /** With the key of the world `default`. */
  readonly client: Client;
  readonly receiver: Receiver;
}

/** Registers the hooks; `use` is handed both once they are there. */
export function listening(options: SandboxOptions, use: (made: Listening) => void): void {
  let made: Listening;
  beforeAll(async () => {
    const sandbox = await createSandbox(options);
    made = { sandbox, client: clientOf(sandbox.url), receiver: await startReceiver() };
    use(made);
  });
  beforeEach(async () => {
    await made.sandbox.reset();
    made.receiver.got.length = 0;
  });
  afterAll(async () => {
    await made.sandbox.close();
    await made.receiver.close();
  });
}
