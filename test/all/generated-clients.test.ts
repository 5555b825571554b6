// Clients of other families of generators: openapi-python-client, oapi-codegen and openapi-generator. Each is generated with
// the commands of docs/clients.md, compiles under the strictest settings of its language, and walks the same journeys.
// test/clients/generated/install.sh installs the generators; what is not installed is skipped.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Environment, programs } from '../support/program.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const tools =
  process.env.RINGBACK_CLIENT_TOOLS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ringback-clients');

interface Generated {
  /** The heading of its commands in docs/clients.md. */
  readonly language: string;
  /** Of test/clients/generated, with the name that the commands expect. */
  readonly files: Readonly<Record<string, string>>;
  /** Exists if all tools are installed. */
  readonly installed: string;
  /** Exits with 0 if the language is. */
  readonly runtime: readonly [command: string, argument: string];
  readonly environment: Environment;
}

const generated: readonly Generated[] = [
  {
    language: 'Python',
    files: { 'journeys.py': 'journeys.py', 'python.yaml': 'python.yaml' },
    installed: join(tools, 'python', 'requirements.txt'),
    runtime: [join(tools, 'python', 'bin', 'python'), '--version'],
    environment: { PATH: `${join(tools, 'python', 'bin')}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    language: 'Go',
    files: {
      'journeys.go': 'main.go',
      'go.mod': 'go.mod',
      'go.sum': 'go.sum',
      'oapi-codegen.yaml': 'oapi-codegen.yaml',
    },
    installed: join(tools, 'go', 'go.mod'),
    runtime: ['go', 'version'],
    environment: {
      PATH: `${join(tools, 'go', 'bin')}:${process.env.PATH}`,
      GOMODCACHE: join(tools, 'go', 'mod'),
      GOCACHE: join(tools, 'go', 'build'),
      GOENV: 'off',
      GOFLAGS: '-modcacherw',
      GOPROXY: 'off',
      GOSUMDB: 'off',
      GOWORK: 'off',
      CGO_ENABLED: '0',
    },
  },
  {
    language: 'Java',
    files: { 'Journeys.java': 'Journeys.java' },
    installed: join(tools, 'java', 'java-jars.txt'),
    runtime: ['javac', '-version'],
    environment: { TOOLS: join(tools, 'java'), JAVA_TOOL_OPTIONS: '' },
  },
];

/** What each of them asks the platform, in this order, and what it is told. */
const asked = [
  ...['createWebhookSubscription', 'dialCall', 'getCall', 'dialCall', 'getCall', 'getCallTranscript'],
  ...['createWebhookSubscription', 'listAvailablePhoneNumbers', 'createPhoneNumber', 'getPhoneNumber'],
  ...['sendMessage', 'getMessage', 'createEnterprise', 'signAndSubmitEnterprise', 'getEnterprise'],
  ...['dialCall 400', 'getCall 404', 'dialCall', 'dialCall', 'dialCall 409', 'dialCall 429'],
];

const folderOf = temporaryFolders();
const { bash } = programs();

let sandbox: Sandbox;
let receiver: Receiver;
let documents: Readonly<Record<string, string>>;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  receiver = await startReceiver();
  const textOf = async (path: string): Promise<string> => (await fetch(`${sandbox.url}${path}`)).text();
  documents = {
    'openapi.yaml': await textOf('/openapi.yaml'),
    'openapi-3.0.yaml': await textOf('/openapi-3.0.yaml'),
    'control.json': await textOf('/_sandbox/openapi.json'),
  };
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

/** The commands under the heading of a language in docs/clients.md. */
function commandsOf(language: string): string {
  const [, section = ''] = readFileSync('docs/clients.md', 'utf8').split(`\n### ${language}\n`);
  const commands = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
  expect(commands, `docs/clients.md has commands for ${language}`).toBeDefined();
  return `set -euo pipefail\n${commands}`;
}

it.for(generated)(
  'a client for $language compiles under strict settings and walks the journeys',
  async ({ language, files, installed, runtime, environment }, { skip }) => {
    if (!existsSync(installed) || spawnSync(runtime[0], [runtime[1]]).status !== 0) {
      console.info(
        `skipped: no client for ${language} is generated; test/clients/generated/install.sh installs the tools`,
      );
      skip(`no tools for ${language}`);
    }
    const folder = folderOf(documents);
    for (const [from, to] of Object.entries(files)) cpSync(`test/clients/generated/${from}`, join(folder, to));
    const world = sandbox.world(language.toLowerCase());
    const connection = {
      RINGBACK_URL: sandbox.url,
      RINGBACK_KEY: world.apiKey,
      RECEIVER_URL: receiver.url,
      no_proxy: '127.0.0.1',
      NO_PROXY: '127.0.0.1',
    };
    const { code, stdout, stderr } = await bash(commandsOf(language), { ...connection, ...environment }, folder);
    expect(code, `${stdout}\n${stderr}`.slice(-4000)).toBe(0);
    const said = stdout.split('\n').filter((line) => /^(calls|numbers|enterprise|pages|errors): /.test(line));
    expect(said.map((line) => line.split(':')[0])).toEqual(['calls', 'numbers', 'enterprise', 'pages', 'errors']);
    const requests = (await world.requests()).filter(({ operation }) => operation !== 'listCalls');
    expect(requests.map(({ operation, status }) => `${operation}${status < 300 ? '' : ` ${status}`}`)).toEqual(asked);
    const told = (await world.deliveries()).map(({ event_type, status }) => `${event_type} ${status}`);
    expect(told).toEqual(['call_busy delivered', 'number_purchased delivered']);
  },
);
