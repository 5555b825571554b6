// Sandboxes that restart with one state file, for the tests of --state, and requests that several of them send.
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
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
