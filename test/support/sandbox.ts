// A sandbox for the tests of a file or a group, with the clients that the tests use to talk to it.
import { afterAll, beforeAll, beforeEach } from 'vitest';
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
  return {
    sandbox: forwardTo(() => running?.sandbox),
    client: forwardTo(() => running?.client),
    wire: forwardTo(() => running?.wire),
  };
}

/** Like useSandbox, with a reset before each test. */
export function useFreshSandbox(options: SandboxOptions = {}): Parts {
  const parts = useSandbox(options);
  beforeEach(() => parts.sandbox.reset());
  return parts;
}

/** An object that reads, lists and sets the properties of another, which exists during tests and hooks only. */
export function forwardTo<T extends object>(target: () => T | undefined): T {
  const running = (): T => {
    const found = target();
    if (found === undefined) throw new Error('The sandbox runs during tests and hooks only.');
    return found;
  };
  return new Proxy({} as T, {
    get: (_, property) => Reflect.get(running(), property),
    set: (_, property, value) => Reflect.set(running(), property, value),
    has: (_, property) => Reflect.has(running(), property),
    ownKeys: () => Reflect.ownKeys(running()),
    getOwnPropertyDescriptor(_, property) {
      const found = Reflect.getOwnPropertyDescriptor(running(), property);
      // A proxy may not report a property as fixed that its own target does not have.
      return found && { ...found, configurable: true };
    },
  });
}
