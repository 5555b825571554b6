// Sandboxes that restart with one state file, for the tests of --state, and requests that several of them send.
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { Checksum, fileEnd } from '../../src/state/checksum.ts';
import { type Client, clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.ts';

/** One sandbox after another, all with the same state file. */
export class Server {
  readonly file: string;
  readonly #options: SandboxOptions;
  sandbox!: Sandbox;
  client!: Client;

  constructor(file: string, options: SandboxOptions) {
    this.file = file;
    this.#options = options;
  }

  async start(options: SandboxOptions = {}): Promise<void> {
    this.sandbox = await createSandbox({ ...this.#options, ...options, state: this.file });
    this.client = clientOf(this.sandbox.url);
  }

  /** The options apply to this start only. */
  async restart(options: SandboxOptions = {}): Promise<void> {
    await this.sandbox.close();
    await this.start(options);
  }

  clientWith(key: string): Client {
    return clientOf(this.sandbox.url, key);
  }
}

/** Call it once, at the top of a test file. What its functions start is closed after the test. */
export function useRestarts() {
  const folderOf = temporaryFolders();
  const started: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of started.splice(0).reverse()) await each.close();
  });

  async function startServer(options: SandboxOptions = {}, file = join(folderOf(), 'state.json')): Promise<Server> {
    const server = new Server(file, { clock: 'manual', ...options });
    await server.start();
    started.push({ close: () => server.sandbox.close() });
    return server;
  }

  async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
    const receiver = await startReceiver(options);
    started.push(receiver);
    return receiver;
  }

  return { folderOf, startServer, openReceiver };
}

/**
 * The files as they are at one instant, in a folder of their own, without the lock of the process that is still running
 * and without a file that it has not finished.
 */
export function killedCopy(folder: string, folderOf: () => string): string {
  const listed = (): string[] => readdirSync(folder).filter((name) => !/\.(lock|tmp)$/.test(name));
  const versions = (): string =>
    listed()
      .map((name) => statSync(join(folder, name)).ino)
      .join();
  // File operations of the server end in threads of their own, even while this function runs.
  for (;;) {
    const copy = folderOf();
    try {
      const before = versions();
      for (const name of listed()) copyFileSync(join(folder, name), join(copy, name));
      if (versions() === before) return copy;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/** Changes what is in a state file, and gives it the checksum of what it then is. */
// biome-ignore lint/suspicious/noExplicitAny: a damaged file can have anything.
export function changeStateFile(file: string, change: (state: any) => void): void {
  const { checksum: _, ...state } = JSON.parse(readFileSync(file, 'utf8'));
  change(state);
  const content = JSON.stringify(state).slice(0, -1);
  writeFileSync(file, content + fileEnd(new Checksum().add(Buffer.from(content))));
}

export async function advance(client: Client, by: string): Promise<void> {
  const answer = await client.post('/_sandbox/clock/advance', { by });
  expect(answer.status, answer.text).toBe(200);
}

/** The name of the scenario that a dial plays. */
export const scenarioOf = async (client: Client, to = '+12125550147', headers = {}): Promise<string | undefined> =>
  (await client.dial(to, headers)).headers['x-sandbox-scenario'];

/** A scenario of calls to the magic number 60, whose calls end by this trigger. */
export const ownLine = (trigger = 'busy'): string =>
  `kind: call\nsummary: Our own.\nnumbers: ["60"]\ntimeline:\n  - { after: 1s, trigger: ${trigger} }\n`;

export async function putScenario(client: Client, name: string, text: string): Promise<void> {
  const answer = await client.put(`/_sandbox/scenarios/${name}`, text, { 'Content-Type': 'application/yaml' });
  expect(answer.status, answer.text).toBeLessThan(300);
}
