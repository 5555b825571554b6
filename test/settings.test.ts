// Settings: `interface.md` section 1 "Starting it", row by row: through the built program, and through the options of
// `createSandbox`.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from '../src/index.ts';
import { type Answer, clientOf, expectError } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { commandLines, type Ended, freePort, type Program, programs } from './support/program.ts';
import { startReceiver } from './support/receiver.ts';
import { thorough } from './support/thorough.ts';

const folderOf = temporaryFolders();
const { run, serve } = programs();
const line = commandLines();

interface Row {
  readonly flag: string;
  readonly variable: string;
  readonly option: keyof SandboxOptions;
  readonly default: string | null;
  /** Values that are not allowed. */
  readonly wrong: readonly [string, string, ...string[]];
  /** Words that the line must have, since they say what is allowed. */
  readonly allowed: readonly string[];
}

const row = (name: string, usual: string | null, wrong: Row['wrong'], ...allowed: string[]): Row => ({
  flag: `--${name}`,
  variable: `RINGBACK_${name.toUpperCase().replaceAll('-', '_')}`,
  option: name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()) as keyof SandboxOptions,
  default: usual,
  wrong,
  allowed,
});

/** The table of `interface.md` section 1, without the settings whose value is a path. */
const rows: readonly Row[] = [
  row('port', '4747', ['65536', '-1', '1.5', 'http', '0x50'], '0', '65535'),
  row('host', '127.0.0.1', ['a b', 'http://127.0.0.1'], 'host', 'address'),
  row('seed', '1', ['9007199254740992', '-1', '1.5', 'one', '1e3'], 'integer', '0', '9007199254740991'),
  row('clock', 'real', ['fast', '0x', '-2x', 'x', '20', 'Manual'], 'real', 'manual', 'instant', '20x'),
  row('start', '2026-01-05T15:00:00.000Z', ['now', '2026-01-05', '2026-13-01T00:00:00Z'], 'ISO 8601'),
  row('store', 'memory', ['disk', 'Memory', 'http://127.0.0.1'], 'memory'),
  row('control-token', null, ['two words', 'x'.repeat(513), 'caf\u00e9'], '512', 'spaces'),
  row('webhook-targets', 'private', ['10.0.0.0/33', '300.1.1.1/8', 'http://x', ','], 'private', 'public', 'CIDR'),
  row('webhook-http', 'private', ['on', 'always'], 'private', 'never', 'any'),
  row('rate-limit', 'on', ['600', 'yes', 'On'], 'on', 'off'),
  row('concurrent-calls', '100', ['1000001', '0', '-1', 'none', '1.5'], 'integer', '1 to 1000000', 'off'),
  row('auto-worlds', 'on', ['1', 'no'], 'on', 'off'),
  row('max-worlds', '10000', ['1000001', '0', 'many', 'off'], 'integer', '1 to 1000000'),
  row('world-ttl', '1h', ['60', 'soon', '1w', '-1h'], '250ms', '3d'),
  row('journal-limit', '1000', ['10000001', '0', 'off', '1.5'], 'integer', '1 to 10000000'),
  row('strict', 'off', ['true', 'yes'], 'on', 'off'),
  row('log', 'info', ['verbose', 'warn', 'INFO'], 'silent', 'error', 'info', 'debug'),
];

/** Settings whose value is a path: what is wrong with one is found in what it leads to. */
const paths = ['scenarios', 'fixtures', 'state'] as const;

/** What a start that was refused must look like: exit code 2, nothing served, one line. */
function refusedLine({ code, stdout, stderr }: Ended): string {
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
    code: 2,
    stdout: '',
    lines: 1,
  });
  return stderr;
}

/** What createSandbox says where it does not start. */
async function refusalOf(options: SandboxOptions): Promise<string> {
  try {
    const sandbox = await createSandbox(options);
    await sandbox.close().catch(() => {});
    return `it started with ${JSON.stringify(options)}`;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.concurrent('a malformed setting', () => {
  const explains = (text: string, of: Row): void => {
    if (of.option !== 'controlToken') expect(text).toContain(`"${of.wrong[0]}"`);
    for (const words of of.allowed) expect(text).toContain(words);
  };
  const refused = rows.map((of) => {
    const [first, second] = of.wrong;
    return {
      ...of,
      byFlag: line(['serve', of.flag, first]),
      byVariable: line(['serve'], { [of.variable]: first }),
      byBoth: line(['serve', of.flag, first], { [of.variable]: second }),
    };
  });

  it.each(refused)('$flag stops the start with 2 and one line: what was given and what is allowed', (of) => {
    const text = refusedLine(of.byFlag());
    expect(text).toContain(`${of.flag}: `);
    explains(text, of);
  });

  it.each(refused)('$variable does so too, under its own name', (of) => {
    const text = refusedLine(of.byVariable());
    expect(text).toContain(`${of.variable}: `);
    explains(text, of);
  });

  it.each(refused)('$flag is read before $variable', (of) => {
    const text = refusedLine(of.byBoth());
    expect(text).toContain(`${of.flag}: `);
    expect(text).not.toContain(of.variable);
    explains(text, of);
  });

  it('ends the process with exit code 2, whether serve is named or not', async () => {
    expect(refusedLine(await run(['serve', '--port', '65536']))).toContain('65536');
    expect(refusedLine(await run(['--clock', 'fast']))).toContain('--clock');
  });

  it.each(rows)('$option is refused by createSandbox, which names it and says what is allowed', async (of) => {
    for (const wrong of [...of.wrong, '']) {
      const message = await refusalOf({ [of.option]: wrong });
      expect(message.split('\n'), message).toHaveLength(1);
      expect(message).toContain(`${of.option}: `);
      for (const words of of.allowed) expect(message).toContain(words);
    }
  });

  it('that is a date no calendar has is refused', async () => {
    expect(await refusalOf({ start: '2026-02-30T00:00:00Z' })).toMatch(/^start: /);
  });

  const broken = line(['serve', '--host', 'one\ntwo']);
  it('that holds a line break is still one line', () => {
    refusedLine(broken());
  });

  const flags = [...rows.map(({ flag }) => flag), ...paths.map((name) => `--${name}`)];
  it.each(flags.map((flag) => ({ flag, empty: line(['serve', `${flag}=`]) })))('$flag= is malformed', (of) => {
    expect(refusedLine(of.empty())).toContain(`${of.flag}: `);
  });

  const valueless = line(['serve', '--clock']);
  it('a flag without its value says what is allowed', () => {
    expect(refusedLine(valueless())).toContain('--clock');
    expect(refusedLine(valueless())).toContain('manual');
  });

  const tokens = [
    line(['serve', '--control-token', 'hush hush']),
    line(['serve'], { RINGBACK_CONTROL_TOKEN: 'hush hush' }),
  ];
  it('a control token is not repeated', () => {
    for (const end of tokens) expect(refusedLine(end())).not.toContain('hush');
  });

  const addresses = ['redis+tls://robin:hush@cache.internal', 'robin:hush@cache', 'tcp://cache?password=hush'].flatMap(
    (address) => [line(['serve', '--store', address]), line(['serve'], { RINGBACK_STORE: address })],
  );
  it('an address of a store is repeated without what it carries of passwords', () => {
    for (const end of addresses) {
      expect(refusedLine(end())).not.toMatch(/hush|robin/);
      expect(refusedLine(end())).toContain('cache');
    }
  });

  const redis = [
    { by: '--store', end: line(['serve', '--store', 'redis://127.0.0.1:6379']) },
    { by: 'RINGBACK_STORE', end: line(['serve'], { RINGBACK_STORE: 'rediss://cache.internal' }) },
  ];
  it('that is not built yet is refused in the same way, saying so', async () => {
    const texts = redis.map(({ by, end }) => {
      expect(refusedLine(end())).toContain(`${by}: `);
      return refusedLine(end());
    });
    for (const text of [...texts, await refusalOf({ store: 'redis://127.0.0.1' })]) {
      expect(text).toContain('not built yet');
      expect(text).toContain('memory');
    }
  });
});

describe.concurrent('an unknown setting', () => {
  const misspelt = line(['serve', '--prot', '0']);
  it('as a flag is refused with one line: the flags that there are, a suggestion, and where there is help', () => {
    const text = refusedLine(misspelt());
    expect(text).toContain('--prot is not a known option;');
    for (const { flag } of rows) expect(text).toContain(`${flag},`);
    expect(text).toContain('did you mean --port?');
    expect(text).toContain('ringback serve --help');
  });

  const variable = line(['serve', '--port', '0'], { RINGBACK_PROT: '4848' });
  it('as a variable is refused with one line: the variables that there are and a suggestion', () => {
    const text = refusedLine(variable());
    expect(text).toContain('RINGBACK_PROT is not a known setting;');
    for (const { variable } of rows) expect(text).toContain(variable);
    expect(text).toContain('did you mean RINGBACK_PORT?');
  });

  const secret = 'hunter2-77aa';
  const inVariable = line(['serve', '--port', '0'], { RINGBACK_CONTROL_TOKN: secret });
  const inFlag = line(['serve', '--port', '0', `--control-tokn=${secret}`]);
  it('is refused without its value, which could be a secret', () => {
    for (const [end, name] of [
      [inVariable, 'RINGBACK_CONTROL_TOKN'],
      [inFlag, '--control-tokn'],
    ] as const) {
      const text = refusedLine(end());
      expect(text).toContain(name);
      expect(text).not.toContain(secret);
    }
  });

  it('as an option is refused with the options that there are and a suggestion', async () => {
    const message = await refusalOf({ rateLimits: 'off' } as SandboxOptions);
    expect(message).toMatch(/"rateLimits".*did you mean rateLimit\?$/);
    expect(message).toContain('controlToken');
    expect(await refusalOf({ toString: 'x' } as unknown as SandboxOptions)).toContain('"toString"');
  });

  const command = line(['serv']);
  it('a word that is no command is wrong use, with the commands that there are and a suggestion', () => {
    expect(refusedLine(command())).toMatch(
      /"serv" is not a command, and .*; must be one of serve, readyz; did you mean serve\?/,
    );
  });

  it.runIf(thorough)('variables of clients and of container platforms are no settings', async () => {
    const server = await serve([], {
      RINGBACK_URL: 'http://sandbox.internal:1',
      RINGBACK_KEY: 'svc_test_mine',
      RINGBACK_SERVICE_HOST: '10.0.0.7',
      RINGBACK_SERVICE_PORT: '4747',
      RINGBACK_SERVICE_PORT_HTTP: '4747',
      RINGBACK_PORT_4747_TCP: 'tcp://10.0.0.7:4747',
      RINGBACK_PORT_4747_TCP_ADDR: '10.0.0.7',
      RINGBACK_PORT: 'tcp://10.0.0.7:4747',
      PORT: '0',
    });
    expect((await fetch(`${server.url}/_sandbox/ready`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });
});

describe.concurrent('where it listens', () => {
  it.runIf(thorough)('port 0 takes a free port and prints it', async () => {
    const servers = await Promise.all([serve(['--port', '0']), serve([], { RINGBACK_PORT: '0' })]);
    const taken = servers.map(({ url }) => new URL(url).port);
    expect(new Set(taken).size).toBe(2);
    for (const { url } of servers) {
      expect(Number(new URL(url).port)).toBeGreaterThan(0);
      expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200);
    }
    for (const server of servers) await server.stop();
  });

  it.runIf(thorough)('RINGBACK_PORT is read before PORT', async () => {
    const [own, common] = [await freePort(), await freePort()];
    const cases: [Record<string, string>, number][] = [
      [{ RINGBACK_PORT: String(own), PORT: String(common) }, own],
      [{ PORT: String(common) }, common],
    ];
    for (const [environment, port] of cases) {
      const server = await serve([], environment);
      expect(server.url).toBe(`http://127.0.0.1:${port}`);
      await server.stop();
    }
  });

  it.runIf(thorough)('4747 on this machine unless it is told otherwise', async () => {
    // The port may be taken on the machine that runs the tests; the refusal names the address then.
    const address = await serve([], { PORT: '' }).then(
      async (server) => {
        await server.stop();
        return server.url;
      },
      (error: Error) => error.message,
    );
    expect(address).toContain('127.0.0.1:4747');
  });

  const asked = line(['readyz', '--json'], { PORT: '1' });
  it('PORT is read by serve alone', () => {
    const { stdout, stderr } = asked();
    expect(JSON.parse(stdout || stderr).url).toBe('http://127.0.0.1:4747');
  });

  it('a port that is taken is one line that names the address and the flag that helps, and no start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, stdout, stderr } = await run(['serve', '--port', String(port)]);
    const inProcess = await refusalOf({ port });
    taken.close();
    expect(inProcess).toContain(`127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('--port, or 0 for a free one');
  });

  it.each(['203.0.113.7', 'nowhere.invalid'])(
    '%s, being no host of this machine, is one line, and no start',
    async (host) => {
      const { code, stdout, stderr } = await run(['serve', '--port', '0', '--host', host]);
      expect(code).toBeGreaterThan(0);
      expect(stdout).toBe('');
      expect(stderr).toContain(host);
      expect(stderr).toContain('--host');
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );
});

describe.concurrent('a file that a setting leads to', () => {
  /** A state file that is right but for what is given. */
  const stateWith = (wrong: object): string => {
    const world = {
      systemTime: 1,
      facts: { name: 'x', fixture: 'default', organization_id: 'a', seed: 1, origin: 'posted' },
      state: {
        clock: { mode: 'manual', speed: 0, systemTime: 1, at: 1, frozen: false },
        epoch: 1,
        starts_at: 1,
        assumptions: {},
      },
      ...{ rows: {}, deleted: {}, counters: {}, schedule: [], journals: {} },
    };
    return JSON.stringify({ format: 3, worlds: { x: { ...world, ...wrong } } });
  };
  const ring = { type: 'fire', subject: { table: 'calls', id: 'x' }, trigger: 'ring', input: {} };
  const withTask = (wrong: object): string =>
    stateWith({ schedule: [{ at: 1, order: 1, cause: null, task: { ...ring, ...wrong } }] });
  const scenario = 'kind: call\nsummary: Broken.\ntimeline:\n  - { after: 1s, trigger: bussy }\n';
  const fixture = 'organization: { name: N, slug: n, plan: p }\nuser: { name: U }\n';
  const cases: readonly [setting: (typeof paths)[number], file: string, text: string, line: number, reason: RegExp][] =
    [
      ['scenarios', 'broken.yaml', scenario, 4, /timeline\.0\.trigger: .*bussy/],
      ['fixtures', 'broken.yaml', fixture, 2, /user\.email: ./],
      ['fixtures', 'other-broken.json', '{\n  "organization": 1\n}', 2, /organization: ./],
      ['state', 'state.json', '{ "format": 3, "worlds": ', 1, /not a state file/],
      ['state', 'older.json', '{ "format": 0, "worlds": {} }', 1, /format 3/],
      ['state', 'empty.json', '', 1, /not a state file/],
      ['state', 'list.json', '[]', 1, /not a state file/],
      ['state', 'null.json', '{ "format": 3, "worlds": null }', 1, /not a state file/],
      ['state', 'hollow.json', '{ "format": 3, "worlds": { "default": {} } }', 1, /worlds\.default\./],
      ['state', 'table.json', stateWith({ rows: { nope: [{}] } }), 1, /worlds\.x\.rows\.nope: .*known/],
      ['state', 'row.json', stateWith({ rows: { calls: [{}] } }), 1, /worlds\.x\.rows\.calls\.0\.private: ./],
      ['state', 'time.json', stateWith({ systemTime: 1e300 }), 1, /worlds\.x\.systemTime: ./],
      ['state', 'journal.json', stateWith({ journals: { diary: { entries: [{ id: 'x' }] } } }), 1, /worlds\.x/],
      [
        'state',
        'task.json',
        stateWith({ schedule: [{ at: 1, order: 1, cause: null }] }),
        1,
        /worlds\.x\.schedule\.0\.task: is required/,
      ],
      [
        'state',
        'type.json',
        withTask({ type: 'call' }),
        1,
        /schedule\.0\.task\.type: must be one of fire, call_next_contact/,
      ],
      ['state', 'trigger.json', withTask({ trigger: 'rnig' }), 1, /schedule\.0\.task\.trigger: "rnig" .*one of ring,/],
      ['state', 'internal.json', withTask({ trigger: 'hangup' }), 1, /schedule\.0\.task\.trigger: "hangup"/],
      [
        'state',
        'lifecycle.json',
        withTask({ subject: { table: 'users', id: 'x' } }),
        1,
        /task\.subject\.table: "users"/,
      ],
      ['state', 'input.json', withTask({ input: { loud: true } }), 1, /schedule\.0\.task\.input: ./],
    ];

  const given = (setting: string, path: string): string => (setting === 'scenarios' ? join(path, '..') : path);

  it.each(cases)(
    '--%s with a broken %s is refused with file, line and reason',
    async (setting, file, text, line, reason) => {
      const path = join(folderOf({ [file]: text }), file);
      const message = await refusalOf({ [setting]: given(setting, path) });
      expect(message).toContain(`${path}:${line}: `);
      expect(message).toMatch(reason);
    },
  );

  const told = cases.map(([setting, file, text, at]) => {
    const path = join(folderOf({ [file]: text }), file);
    const byVariable = { [`RINGBACK_${setting.toUpperCase()}`]: given(setting, path) };
    return { setting, file, path, at, end: line(['serve', '--port', '0'], byVariable) };
  });
  it.each(told)('--$setting with a broken $file stops the start with exit code 2 and one line', ({ path, at, end }) => {
    expect(refusedLine(end())).toContain(`${path}:${at}: `);
  });

  it.each([
    ['scenarios', 'nowhere'],
    ['fixtures', 'nowhere.yaml'],
    ['state', 'nowhere/state.json'],
  ])('--%s that is not there is refused with one line that names both', async (setting, name) => {
    const path = join(folderOf(), name);
    const message = await refusalOf({ [setting]: path });
    expect(message).toMatch(new RegExp(`^${path}: .*\\(--${setting}\\)$`));
  });
});

describe.concurrent('the values', () => {
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

  /** What a server shows of its settings to someone who asks it over HTTP. */
  interface Shown {
    readonly host: string;
    readonly firstCall: string;
    readonly clock: string;
    readonly now: string;
    readonly ownScenario: boolean;
    readonly organization: string;
    readonly tokenAsked: boolean;
    readonly httpTaken: boolean;
    readonly delivered: boolean;
    readonly quotaShrinks: boolean;
    readonly secondCall: number;
    readonly autoWorlds: boolean;
    readonly roomForAWorld: boolean;
    readonly journalKeepsOne: boolean;
    readonly strict: boolean;
    readonly logged: string;
  }

  async function look(server: Program, token?: string): Promise<Shown> {
    const client = clientOf(server.url);
    const control = clientOf(server.url, token ?? 'svc_sandbox_default');
    const receiver = await startReceiver();
    const subscribed = await client.post('/api/v1/webhook_subscriptions', {
      webhook_url: receiver.url,
      event_type: 'new_call',
    });
    const dialled = await client.dial('+12125550108');
    expect(dialled.status, dialled.text).toBe(202);
    const second = await client.dial('+12125550108');
    const clock = (await control.get('/_sandbox/clock')).body.data;
    await control.post('/_sandbox/clock/advance', { by: '0s' });
    const quotas: number[] = [];
    for (let n = 0; n < 2; n++) quotas.push(Number((await client.get('/v1/calls')).headers['x-ratelimit-remaining']));
    const shown = {
      host: new URL(server.url).hostname,
      firstCall: dialled.body.call_id,
      clock: clock.mode,
      now: clock.now,
      ownScenario: (await control.get('/_sandbox/scenarios/own_line')).status === 200,
      organization: (await client.get('/v1/account')).body.data.organization.name,
      tokenAsked: (await client.get('/_sandbox/clock')).status === 401,
      httpTaken: subscribed.status === 201,
      delivered: receiver.got.length > 0,
      quotaShrinks: quotas[0] !== quotas[1],
      secondCall: second.status,
      autoWorlds: (await clientOf(server.url, 'svc_test_unseen').get('/v1/account')).status === 200,
      roomForAWorld: (await control.post('/_sandbox/worlds', { name: 'posted' })).status === 201,
      journalKeepsOne: (await control.get('/_sandbox/requests')).body.meta.total_results === 1,
      strict: (await client.get('/v1/account')).headers['x-sandbox-version'] === undefined,
      logged: server
        .log()
        .map(({ level }) => (level === 20 ? 'debug' : level === 30 ? 'info' : 'error'))
        .join(' '),
    };
    await receiver.close();
    return shown;
  }

  /** The first call of the default world, which follows from the seed. */
  async function firstCallOf(seed: number): Promise<string> {
    const sandbox = await createSandbox({ seed });
    const { body } = await clientOf(sandbox.url).dial('+12125550108');
    await sandbox.close();
    return body.call_id;
  }

  const unusual = (): Record<string, string> => ({
    RINGBACK_PORT: '0',
    RINGBACK_HOST: 'localhost',
    RINGBACK_SEED: '7',
    RINGBACK_CLOCK: 'manual',
    RINGBACK_START: '2031-05-06T07:08:09.010Z',
    RINGBACK_SCENARIOS: scenarios(),
    RINGBACK_FIXTURES: fixtures(),
    RINGBACK_CONTROL_TOKEN: 'open-sesame',
    RINGBACK_WEBHOOK_TARGETS: 'public',
    RINGBACK_RATE_LIMIT: 'off',
    RINGBACK_CONCURRENT_CALLS: '1',
    RINGBACK_AUTO_WORLDS: 'off',
    RINGBACK_MAX_WORLDS: '1',
    RINGBACK_JOURNAL_LIMIT: '1',
    RINGBACK_STRICT: 'on',
    RINGBACK_LOG: 'debug',
  });

  it('are the defaults where nothing is given', async () => {
    const before = Date.now();
    const server = await serve();
    const shown = await look(server);
    await server.stop();
    expect(shown).toEqual({
      host: '127.0.0.1',
      firstCall: await firstCallOf(1),
      clock: 'real',
      now: expect.any(String),
      ownScenario: false,
      organization: 'Harbor Street Dental',
      tokenAsked: false,
      httpTaken: true,
      delivered: true,
      quotaShrinks: true,
      secondCall: 202,
      autoWorlds: true,
      roomForAWorld: true,
      journalKeepsOne: false,
      strict: false,
      logged: 'info',
    } satisfies Shown);
    expect(Date.parse(shown.now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(shown.now)).toBeLessThanOrEqual(Date.now());
  });

  it('are those of the environment where it has some', async () => {
    const server = await serve([], unusual());
    const shown = await look(server, 'open-sesame');
    await server.stop();
    expect(shown).toEqual({
      host: 'localhost',
      firstCall: await firstCallOf(7),
      clock: 'manual',
      now: '2031-05-06T07:08:09.010Z',
      ownScenario: true,
      organization: 'Our Own',
      tokenAsked: true,
      httpTaken: true,
      delivered: false,
      quotaShrinks: false,
      secondCall: 429,
      autoWorlds: false,
      roomForAWorld: false,
      journalKeepsOne: true,
      strict: true,
      logged: 'info debug',
    } satisfies Shown);
  });

  it('are those of the flags where there are some, whatever the environment has', async () => {
    const flags: Record<string, string> = {
      port: '0',
      host: '127.0.0.1',
      seed: '9',
      clock: 'instant',
      start: '2030-01-01T00:00:00.000Z',
      'control-token': 'by-flag',
      'webhook-targets': '127.0.0.0/8,hooks.internal',
      'webhook-http': 'any',
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
      ...unusual(),
      RINGBACK_WEBHOOK_HTTP: 'never',
      RINGBACK_WORLD_TTL: 'soon',
    });
    const shown = await look(server, 'by-flag');
    const stranger = await clientOf(server.url, 'open-sesame').get('/_sandbox/clock');
    await server.stop();
    expectError(stranger, 401, 'unauthorized');
    expect(shown).toMatchObject({
      host: '127.0.0.1',
      firstCall: await firstCallOf(9),
      clock: 'instant',
      tokenAsked: true,
      httpTaken: true,
      delivered: true,
      quotaShrinks: true,
      secondCall: 202,
      autoWorlds: true,
      roomForAWorld: true,
      journalKeepsOne: false,
      strict: false,
      logged: '',
    } satisfies Partial<Shown>);
    // The timelines of two long calls have run by then; they began at --start.
    expect(shown.now.slice(0, 11)).toBe('2030-01-01T');
  });

  it.runIf(thorough)('--webhook-http never takes no plain http: address', async () => {
    const server = await serve([], { RINGBACK_WEBHOOK_HTTP: 'never' });
    const answer: Answer = await clientOf(server.url).post('/api/v1/webhook_subscriptions', {
      webhook_url: 'http://127.0.0.1:9/hook',
      event_type: 'new_call',
    });
    await server.stop();
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.webhook_url).toContain('HTTPS');
  });

  it.runIf(thorough)('--state is written where it says', async () => {
    const file = join(folderOf(), 'state.json');
    const server = await serve(['--state', file], { RINGBACK_STATE: join(folderOf(), 'other.json') });
    await server.stop();
    expect(existsSync(file)).toBe(true);
  });

  it.runIf(thorough)('a variable that is empty counts as not given', async () => {
    const server = await serve([], { RINGBACK_SEED: '', RINGBACK_CONTROL_TOKEN: '', RINGBACK_CLOCK: 'manual' });
    const { status, body } = await clientOf(server.url).get('/_sandbox/clock');
    await server.stop();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ mode: 'manual', now: '2026-01-05T15:00:00.000Z' });
  });

  const help = line(['serve', '--help']);
  it('every flag is in the help of serve, with its variable and its default', () => {
    const { code, stdout } = help();
    expect(code).toBe(0);
    const sections = stdout.replace(/\s+/g, ' ').split(/ (?=--[a-z]+(?:-[a-z]+)* <)/);
    for (const { flag, variable, default: usual } of rows) {
      const section = sections.find((text) => text.startsWith(`${flag} `)) ?? '';
      expect(section, flag).toContain(variable);
      if (usual !== null) expect(section, flag).toContain(usual);
    }
    for (const name of paths) {
      expect(sections.find((text) => text.startsWith(`--${name} `))).toContain(`RINGBACK_${name.toUpperCase()}`);
    }
  });
});

describe('the options of createSandbox', () => {
  it('are the settings in camel case, as text or as the value they stand for', async () => {
    const sandbox = await createSandbox({
      clock: 'manual',
      start: '2031-05-06T07:08:09.010Z',
      rateLimit: false,
      concurrentCalls: 1,
      autoWorlds: false,
      journalLimit: 2,
      strict: true,
      controlToken: 'open-sesame',
      seed: '7',
    });
    const client = clientOf(sandbox.url);
    const control = clientOf(sandbox.url, 'open-sesame');
    expect(await sandbox.clock.now()).toBe('2031-05-06T07:08:09.010Z');
    expect((await client.dial('+12125550108')).headers['x-sandbox-version']).toBeUndefined();
    expectError(await client.dial('+12125550108'), 429, 'rate_limited');
    expect((await client.get('/v1/calls')).headers['x-ratelimit-remaining']).toBe('600');
    expectError(await client.get('/_sandbox/clock'), 401, 'unauthorized');
    expect((await control.get('/_sandbox/requests')).body.meta.total_results).toBe(2);
    expectError(await clientOf(sandbox.url, 'svc_test_unseen').get('/v1/account'), 401, 'unauthorized');
    await sandbox.close();
  });

  it('that are undefined count as not given', async () => {
    const sandbox = await createSandbox({ clock: 'manual', seed: undefined, state: undefined });
    const { body } = await clientOf(sandbox.url).get('/_sandbox/clock');
    await sandbox.close();
    expect(body.data.now).toBe('2026-01-05T15:00:00.000Z');
  });

  it('read nothing of the environment', async () => {
    process.env.RINGBACK_SEED = 'no number';
    try {
      const sandbox = await createSandbox();
      await sandbox.close();
      expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    } finally {
      delete process.env.RINGBACK_SEED;
    }
  });
});
