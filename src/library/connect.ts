// The handle of a server, by its address: `connectSandbox` for one elsewhere, and the handle that `createSandbox`
// returns for one in this process.
import { type ControlClient, createControlClient } from '../client/control-client.ts';
import { SandboxError } from '../client/sandbox-error.ts';
import { readTestKey, readWorldName, testKeyOf, worldNameForm } from '../identity/test-keys.ts';
import { checkFields, parsed } from './arguments.ts';
import type { Sandbox } from './handle.ts';
import { worldHandle } from './world-handle.ts';

export interface ConnectOptions {
  /** The server's control token, or the control key of a world, if the server has a token. */
  readonly token?: string | undefined;
  /** An API key of the world to speak of; `default` is spoken of without one. */
  readonly key?: string | undefined;
}

/** The key of the world `default` of a server that brings its own fixtures. */
const DEFAULT_KEY = 'svc_sandbox_default';
const DEFAULT_WORLD = 'default';

/**
 * The handle of a server that runs elsewhere, such as in a container: the same as that of `createSandbox`. Nothing is asked
 * of the server until a method is called.
 *
 * @example
 * const sandbox = connectSandbox('http://127.0.0.1:4747', { token: 'the control token' });
 * await sandbox.world('checkout-42').play('call', 'busy');
 */
export function connectSandbox(url: string, options: ConnectOptions = {}): Sandbox {
  checkFields('connectSandbox', options, ['token', 'key']);
  const { token, key } = options;
  const test = key === undefined ? undefined : readTestKey(key);
  const named = test && 'world' in test ? test.world : undefined;
  const control =
    token === undefined ? createControlClient({ url, key }) : createControlClient({ url, token, world: named });
  const facts = { name: named ?? DEFAULT_WORLD, apiKey: key ?? DEFAULT_KEY };
  return sandboxHandle(control, facts, token !== undefined, async () => control.close());
}

/** `names`: whether requests name their world, which then must exist. */
export function sandboxHandle(
  control: ControlClient,
  facts: { readonly name: string; readonly apiKey: string },
  names: boolean,
  close: () => Promise<void>,
): Sandbox {
  return {
    ...worldHandle(control, facts),
    url: control.url,
    world(text) {
      const name = parsed(text, `a world's name: ${worldNameForm}`, readWorldName);
      const own = control.forWorld(name);
      return worldHandle(names ? createdOnUse(control, own, name) : own, { name, apiKey: testKeyOf(name) });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where requests name their world by a header, that makes none; the first request of a handle does. */
function createdOnUse(control: ControlClient, own: ControlClient, name: string): ControlClient {
  let created: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    created ??= create(control, name).catch((error) => {
      created = undefined;
      throw error;
    });
    return created;
  };
  return {
    ...own,
    call: async (...input) => ready().then(() => own.call(...input)),
    page: async (...input) => ready().then(() => own.page(...input)),
    all: async (...input) => ready().then(() => own.all(...input)),
    text: async (...input) => ready().then(() => own.text(...input)),
    bytes: async (...input) => ready().then(() => own.bytes(...input)),
  };
}

/** A world that exists is as good; who holds the key of one world alone cannot make it, and need not. */
async function create(control: ControlClient, name: string): Promise<void> {
  try {
    await control.call('createWorld', { body: { name } });
  } catch (error) {
    const mayExist = error instanceof SandboxError && (error.code === 'conflict' || error.code === 'forbidden');
    if (!mayExist) throw error;
  }
}
