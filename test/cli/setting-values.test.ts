// The values of the settings (`interface.md` section 1): defaults, then the environment, then flags.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { commandLines, type Program, programs } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { pathSettings, settingRows } from './setup.ts';

const folderOf = temporaryFolders();
const { serve } = programs();
const line = commandLines();

describe.concurrent('the settings of a server', () => {
  const scenarios = () => folderOf({ 'own_line.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
  const fixtures = () =>
    join(
      folderOf({
        'ours.yaml': [
          'organization: { name: Our Own, slug: our-own, plan: small }',
          'user: { name: Us, email: us@own.example }',
          'keys: [{ key: svc_sandbox_default }]',
          'phone_numbers: [{ id: 9190, phone_number: "+14155550190", created: -1d }]',
          'caller_ids: [{ phone_number: "+14155550190", status: VERIFIED, created: -1d }]',
          '',
        ].join('\n'),
      }),
      'ours.yaml',
    );

  /** What a client can observe of the settings over HTTP. */
  interface Observed {
    readonly host: string;
    readonly firstCall: string;
    readonly clock: string;
    readonly now: string;
    readonly ownScenario: boolean;
    readonly organization: string;
    readonly tokenRequired: boolean;
    /** The first key that is made, by its id. */
    readonly firstKey: string;
    readonly httpAccepted: boolean;
    readonly delivered: boolean;
    readonly quotaDecreases: boolean;
    readonly secondCall: number;
    readonly autoWorlds: boolean;
    readonly worldAllowed: boolean;
    readonly journalKeepsOne: boolean;
    readonly strict: boolean;
    readonly connection: string | null;
    readonly logged: string;
  }

  async function observe(server: Program, token?: string): Promise<Observed> {
    const client = clientOf(server.url);
    const control = clientOf(server.url, token ?? 'svc_sandbox_default');
    const receiver = await startReceiver();
    const subscribed = await client.post('/api/v1/webhook_subscriptions', {
      webhook_url: receiver.url,
      event_type: 'new_call',
    });
    const firstDial = await client.dial('+12125550108');
    expect(firstDial.status, firstDial.text).toBe(202);
    const secondDial = await client.dial('+12125550108');
    const clock = (await control.get('/_sandbox/clock')).body.data;
    await control.post('/_sandbox/clock/advance', { by: '0s' });
    const quotas: number[] = [];
    for (let n = 0; n < 2; n++) quotas.push(Number((await client.get('/v1/calls')).headers['x-ratelimit-remaining']));
    const observed = {
      host: new URL(server.url).hostname,
      firstCall: firstDial.body.call_id,
      clock: clock.mode,
      now: clock.now,
      ownScenario: (await control.get('/_sandbox/scenarios/own_line')).status === 200,
      organization: (await client.get('/v1/account')).body.data.organization.name,
      tokenRequired: (await client.get('/_sandbox/clock')).status === 401,
      firstKey: (await control.post('/_sandbox/keys', {})).body.data.id,
      httpAccepted: subscribed.status === 201,
      delivered: receiver.got.length > 0,
      quotaDecreases: quotas[0] !== quotas[1],
      secondCall: secondDial.status,
      autoWorlds: (await clientOf(server.url, 'svc_test_unseen').get('/v1/account')).status === 200,
      worldAllowed: (await control.post('/_sandbox/worlds', { name: 'posted' })).status === 201,
      journalKeepsOne: (await control.get('/_sandbox/requests')).body.meta.total_results === 1,
      strict: (await client.get('/v1/account')).headers['x-sandbox-version'] === undefined,
      connection: receiver.got[0]?.headers.connection ?? null,
      logged: levelsAfterReady(server),
    };
    await receiver.close();
    return observed;
  }

  /** The levels of what is logged after the start, each once. */
  function levelsAfterReady(server: Program): string {
    const levels = server.log().flatMap(({ level, msg }) => (msg === 'ready' ? [] : [level]));
    const names: Record<number, string> = { 20: 'debug', 30: 'info' };
    return [...new Set(levels)].map((level) => names[level] ?? 'error').join(' ');
  }

  /** The id of the first call of the default world, which depends on the seed only. */
  async function firstCallOf(seed: number): Promise<string> {
    const sandbox = await createSandbox({ seed });
    const { body } = await clientOf(sandbox.url).dial('+12125550108');
    await sandbox.close();
    return body.call_id;
  }

  /** The id of the first key, which depends on the secret only, else on the seed. */
  async function firstKeyOf(options: SandboxOptions): Promise<string> {
    const sandbox = await createSandbox(options);
    const { body } = await clientOf(sandbox.url).post('/_sandbox/keys', {});
    await sandbox.close();
    return body.data.id;
  }

  const environment = (): Record<string, string> => ({
    RINGBACK_PORT: '0',
    RINGBACK_HOST: 'localhost',
    RINGBACK_SEED: '7',
    RINGBACK_CLOCK: 'manual',
    RINGBACK_START: '2031-05-06T07:08:09.010Z',
    RINGBACK_SCENARIOS: scenarios(),
    RINGBACK_FIXTURES: fixtures(),
    RINGBACK_CONTROL_TOKEN: 'open-sesame',
    RINGBACK_SECRET: 'by-variable',
    RINGBACK_WEBHOOK_TARGETS: 'public',
    RINGBACK_RATE_LIMIT: 'off',
    RINGBACK_CONCURRENT_CALLS: '1',
    RINGBACK_AUTO_WORLDS: 'off',
    RINGBACK_MAX_WORLDS: '1',
    RINGBACK_JOURNAL_LIMIT: '1',
    RINGBACK_STRICT: 'on',
    RINGBACK_LOG: 'debug',
  });

  it.runIf(thorough)('are the defaults when nothing is given', async () => {
    const before = Date.now();
    const server = await serve();
    const observed = await observe(server);
    await server.stop();
    expect(observed).toEqual({
      host: '127.0.0.1',
      firstCall: await firstCallOf(1),
      clock: 'real',
      now: expect.any(String),
      ownScenario: false,
      organization: 'Harbor Street Dental',
      tokenRequired: false,
      firstKey: await firstKeyOf({}),
      httpAccepted: true,
      delivered: true,
      quotaDecreases: true,
      secondCall: 202,
      autoWorlds: true,
      worldAllowed: true,
      journalKeepsOne: false,
      strict: false,
      connection: 'close',
      logged: 'info',
    } satisfies Observed);
    expect(Date.parse(observed.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(observed.now)).toBeLessThanOrEqual(Date.now());
  });

  // In `npm test`, scenarios and fixtures of the next test come from the environment.
  it.runIf(thorough)('come from the environment when it sets them', async () => {
    const server = await serve([], environment());
    const observed = await observe(server, 'open-sesame');
    await server.stop();
    expect(observed).toEqual({
      host: 'localhost',
      firstCall: await firstCallOf(7),
      clock: 'manual',
      now: '2031-05-06T07:08:09.010Z',
      ownScenario: true,
      organization: 'Our Own',
      tokenRequired: true,
      firstKey: await firstKeyOf({ secret: 'by-variable', fixtures: fixtures() }),
      httpAccepted: true,
      delivered: false,
      quotaDecreases: false,
      secondCall: 429,
      autoWorlds: false,
      worldAllowed: false,
      journalKeepsOne: true,
      strict: true,
      connection: null,
      logged: 'debug info',
    } satisfies Observed);
  });

  it('come from the flags rather than from the environment', async () => {
    const flags: Record<string, string> = {
      port: '0',
      host: '127.0.0.1',
      seed: '9',
      clock: 'instant',
      start: '2030-01-01T00:00:00.000Z',
      'control-token': 'by-flag',
      secret: 'by-flag-too',
      'webhook-targets': '127.0.0.0/8,hooks.internal',
      'webhook-http': 'any',
      'webhook-connections': 'reuse',
      'rate-limit': 'on',
      'concurrent-calls': 'off',
      'auto-worlds': 'on',
      'max-worlds': '50',
      'world-ttl': '5m',
      'journal-limit': '500',
      strict: 'off',
      log: 'error',
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const server = await serve(args, {
      ...environment(),
      RINGBACK_WEBHOOK_HTTP: 'never',
      RINGBACK_WORLD_TTL: 'soon',
    });
    const observed = await observe(server, 'by-flag');
    const withEnvironmentToken = await clientOf(server.url, 'open-sesame').get('/_sandbox/clock');
    await server.stop();
    expectError(withEnvironmentToken, 401, 'unauthorized');
    expect(observed).toMatchObject({
      host: '127.0.0.1',
      firstCall: await firstCallOf(9),
      clock: 'instant',
      ownScenario: true,
      organization: 'Our Own',
      tokenRequired: true,
      firstKey: await firstKeyOf({ secret: 'by-flag-too', fixtures: fixtures() }),
      httpAccepted: true,
      delivered: true,
      quotaDecreases: true,
      secondCall: 202,
      autoWorlds: true,
      worldAllowed: true,
      journalKeepsOne: false,
      strict: false,
      connection: 'keep-alive',
      logged: '',
    } satisfies Partial<Observed>);
    // The clock starts at --start, and the timelines of two long calls have moved it by now.
    expect(observed.now.slice(0, 11)).toBe('2030-01-01T');
  });

  it.runIf(thorough)('reject plain HTTP webhook URLs with --webhook-http never', async () => {
    const server = await serve([], { RINGBACK_WEBHOOK_HTTP: 'never' });
    const answer: Answer = await clientOf(server.url).post('/api/v1/webhook_subscriptions', {
      webhook_url: 'http://127.0.0.1:9/hook',
      event_type: 'new_call',
    });
    await server.stop();
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.webhook_url).toContain('HTTPS');
  });

  it.runIf(thorough)('write the state to the file of --state', async () => {
    const file = join(folderOf(), 'state.json');
    const server = await serve(['--state', file], { RINGBACK_STATE: join(folderOf(), 'other.json') });
    await server.stop();
    expect(existsSync(file)).toBe(true);
  });

  it.runIf(thorough)('ignore empty variables', async () => {
    const server = await serve([], { RINGBACK_SEED: '', RINGBACK_CONTROL_TOKEN: '', RINGBACK_CLOCK: 'manual' });
    const { status, body } = await clientOf(server.url).get('/_sandbox/clock');
    await server.stop();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ mode: 'manual', now: '2026-01-05T15:00:00.000Z' });
  });

  const help = line(['serve', '--help']);
  it('are all in the help of serve, each with its flag, variable and default', () => {
    const { code, stdout } = help();
    expect(code).toBe(0);
    const sections = stdout.replace(/\s+/g, ' ').split(/ (?=--[a-z]+(?:-[a-z]+)* <)/);
    for (const { flag, variable, default: defaultValue } of settingRows) {
      const section = sections.find((text) => text.startsWith(`${flag} `)) ?? '';
      expect(section, flag).toContain(variable);
      if (defaultValue !== null) expect(section, flag).toContain(defaultValue);
    }
    for (const name of pathSettings) {
      expect(sections.find((text) => text.startsWith(`--${name} `))).toContain(`RINGBACK_${name.toUpperCase()}`);
    }
  });
});
