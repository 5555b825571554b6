// The sandbox that the tools talk to, over the same client as the library and the command line. Each tool names a
// world, or uses the configured one.
import { type ControlClient, type ControlClientOptions, createControlClient } from '../client/control-client.ts';
import { createPlatformClient, type PlatformClient } from '../client/platform-client.ts';
import { testKeyOf } from '../identity/test-keys.ts';

export class SandboxSession {
  readonly url: string;
  /** Whether the sandbox belongs to this process, and ends with it. */
  readonly isOwn: boolean;
  readonly #options: ControlClientOptions;
  readonly #control: ControlClient;
  readonly #platforms = new Map<string, PlatformClient>();

  constructor(options: ControlClientOptions, isOwn: boolean) {
    this.url = options.url;
    this.isOwn = isOwn;
    this.#options = options;
    this.#control = createControlClient(options);
  }

  control(world: string | undefined): ControlClient {
    return world === undefined ? this.#control : this.#control.forWorld(world);
  }

  /** An API key of a world. */
  keyOf(world: string | undefined): string {
    const { key, world: configured = 'default' } = this.#options;
    return world === undefined && key !== undefined ? key : testKeyOf(world ?? configured);
  }

  platform(world: string | undefined): PlatformClient {
    const key = this.keyOf(world);
    const known = this.#platforms.get(key);
    if (known) return known;
    const client = createPlatformClient({ url: this.url, key });
    this.#platforms.set(key, client);
    return client;
  }

  close(): void {
    this.#control.close();
    for (const platform of this.#platforms.values()) platform.close();
  }
}
