// A sandbox for the tests of a file or a group, with the clients that the tests use to talk to it.
import { afterAll, beforeAll } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';
import { type Wire, wireTo } from './wire.ts';

interface Parts {
  readonly sandbox: Sandbox;
  /** Uses the key `svc_sandbox_default`. */
  readonly client: Client;
  readonly wire: Wire;
}

/**
 * Starts a sandbox before the tests of the file or `describe` in which it is called, and closes it after them. The parts
 * forward to that sandbox, so they can be destructured at once, but not used before the tests run.
 */
export function useSandbox(options: SandboxOptions = {}): Parts {
  let running: Parts | undefined;
  beforeAll(async () => {
    const sandbox = await createSandbox(options);
    running = { sandbox, client: clientOf(sandbox.url), wire: wireTo(sandbox.url) };
  });
  afterAll(async () => {
    running?.wire.close();
    await running?.sandbox.close();
    running = undefined;
  });
  const part = <Name extends keyof Parts>(name: Name): Parts[Name] =>
    new Proxy({} as Parts[Name], {
      get(_, property) {
        if (running === undefined) throw new Error('The sandbox runs during tests and hooks only.');
        return Reflect.get(running[name], property);
      },
    });
  return { sandbox: part('sandbox'), client: part('client'), wire: part('wire') };
}
