// Clients as customers have them: one generated from openapi.yaml, and the standard libraries of Python and Go. Each of
// the programs in test/clients/ walks the main journeys on a manual clock and checks what it sees; what is checked here
// is that it compiles, comes to its end, and has asked the sandbox for all of it. The commands are those of docs/clients.md.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Environment, programs, root } from '../support/program.ts';

/** The operations of each journey in their order; those that are refused name the status. */
const journeys: Readonly<Record<string, readonly string[]>> = {
  calls: ['createWebhookSubscription', 'dialCall', 'getCall', 'dialCall', 'getCall', 'getCallTranscript'],
  texting: [
    ...Array(4).fill('createWebhookSubscription'),
    'listAvailablePhoneNumbers',
    'createPhoneNumber',
    'getPhoneNumber',
    'createBrand',
    'getBrand',
    'createBrandCampaign',
    'listBrandCampaigns',
    'sendMessage',
    'getMessage',
    'listMessages',
  ],
  'caller identity': [
    'createWebhookSubscription',
    'createEnterprise',
    'uploadDocument',
    'getDocument',
    'signAndSubmitEnterprise',
    'getEnterprise',
    'createDisplayIdentity',
    'listDisplayIdentities',
    'listCallerIds',
  ],
  campaign: ['listAgents', 'createWebhookSubscription', 'createJob', 'pauseJob', 'getJob', 'resumeJob', 'getJob'],
  lead: ['createWebhookSubscription', 'createLead', 'listAgents', 'createCall', 'getCall', 'getCallTranscript'],
  errors: ['sendMessage 400', 'getCall 404', 'dialCall', 'dialCall', 'dialCall 409'],
};

/** How often the receiver is told of what. */
const told: Readonly<Record<string, number>> = {
  call_busy: 4,
  number_purchased: 1,
  texting_registration_status_changed: 2,
  sms_delivered: 1,
  contact_replied: 1,
  'enterprise.status.updated': 1,
  workflow_contact_completed: 12,
  contact_created: 1,
};

const folderOf = temporaryFolders();
const { bash } = programs();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
});
afterAll(() => sandbox.close());

/** The command of docs/clients.md that starts like this, as one types it into a shell. */
function commandOf(start: string): string {
  const found = readFileSync('docs/clients.md', 'utf8')
    .split('\n')
    .find((line) => `${line} `.startsWith(`${start} `));
  expect(found, `docs/clients.md has a line that starts with ${start}`).toBeDefined();
  return found as string;
}

/** Runs a client in a world of its own, and holds it to the journeys: what it says, asked for, and was told. */
async function walk(language: string, command: string, environment: Environment, cwd?: string): Promise<void> {
  const world = sandbox.world(language);
  const connection = { RINGBACK_URL: sandbox.url, RINGBACK_KEY: world.apiKey, no_proxy: '127.0.0.1' };
  const { code, stdout, stderr } = await bash(command, { ...connection, ...environment }, cwd);
  expect(`${code} ${stderr}`).toBe('0 ');
  const said = stdout.trimEnd().split('\n');
  expect(said.map((line) => line.split(':')[0])).toEqual(Object.keys(journeys));
  const asked = (await world.requests()).map(
    ({ operation, status }) => `${operation}${status < 300 ? '' : ` ${status}`}`,
  );
  expect(asked).toEqual(Object.values(journeys).flat());
  const delivered: Record<string, number> = {};
  for (const { event_type, status } of await world.deliveries()) {
    expect(status, event_type).toBe('delivered');
    delivered[event_type] = (delivered[event_type] ?? 0) + 1;
  }
  expect(delivered).toEqual(told);
}

describe('a client generated from openapi.yaml', () => {
  it('compiles under strict, refuses wrong shapes, and walks the main journeys', async () => {
    const program = 'test/clients/journeys.ts';
    const folder = folderOf({
      'openapi.yaml': readFileSync('openapi.yaml', 'utf8'),
      [program]: readFileSync(program, 'utf8'),
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noUncheckedIndexedAccess: true,
          target: 'es2023',
          lib: ['es2023', 'dom'],
          module: 'nodenext',
          types: ['node'],
          typeRoots: [join(root, 'node_modules', '@types')],
          noEmit: true,
        },
        files: [program],
      }),
    });
    const bin = join(root, 'node_modules', '.bin');
    const generate = commandOf('npx @hey-api/openapi-ts').replace('npx @hey-api/', `${bin}/`);
    const nodeTypes = `--types node --typeRoots ${join(root, 'node_modules', '@types')}`;
    const compile = commandOf('npx tsc').replace('npx tsc', `${bin}/tsc ${nodeTypes}`);
    for (const command of [generate, `${bin}/tsc`, compile]) {
      const { code, stdout, stderr } = await bash(command, {}, folder);
      expect(code, stdout + stderr).toBe(0);
      expect(stdout + stderr).not.toMatch(/warn|error/i);
    }
    await walk('typescript', commandOf('node test/clients/client/journeys.js'), {}, folder);
  });
});

describe('the standard library alone walks the same journeys', () => {
  it('in Python', async ({ skip }) => {
    if (!isThere('python3 --version', 3, 9)) {
      console.info('skipped: test/clients/journeys.py is not run, since there is no python3 of 3.9 or newer');
      skip('no Python');
    }
    await walk('python', commandOf('python3'), {});
  });

  it('in Go', async ({ skip }) => {
    if (!isThere('go version', 1, 19)) {
      console.info('skipped: test/clients/journeys.go is not run, since there is no go of 1.19 or newer');
      skip('no Go');
    }
    // Neither the network nor what the machine has set. Compiling the library takes a while, so that it is kept.
    const environment = {
      GOCACHE: join(root, 'node_modules', '.cache', 'go-build'),
      GOENV: 'off',
      GOFLAGS: '',
      GOPATH: folderOf(),
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      CGO_ENABLED: '0',
    };
    await walk('go', commandOf('go run'), environment);
  });
});

/** Whether what that command prints is a version of these numbers or newer. */
function isThere(command: string, major: number, minor: number): boolean {
  const { stdout } = spawnSync(command, { shell: true, encoding: 'utf8' });
  const [, first = 0, second = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  return first > major || (first === major && second >= minor);
}
