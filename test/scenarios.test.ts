// Scenarios: `interface.md` section 3 "Choosing what happens" (precedence, names, timings, magic numbers), the settings
// and routes of sections 1 and 5 that lay scenarios over the bundled ones, and the scripted codes of `spec.md` "Errors".
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createSandbox, destinationFor, magicNumbers as numberConstants, type Sandbox } from '../src/index.ts';
import {
  DOCUMENTS,
  dataOf,
  draft,
  enterpriseOf,
  IDENTITIES,
  IDENTITY,
  REMEDIATIONS,
  sign,
  upload,
} from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { JOBS, jobOf } from './support/outbound.ts';
import { BRAND, MESSAGES, registerBrand, text } from './support/texting.ts';
import { runs } from './support/thorough.ts';
import { eventually, stretched } from './support/until.ts';

const folderOf = temporaryFolders();
const bundledFolder = new URL('../scenarios/', import.meta.url);

let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', rateLimit: 'off', concurrentCalls: 'off' });
  client = clientOf(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface Step {
  readonly at: string;
  readonly subject: { readonly table: string; readonly id: string };
  readonly trigger: string;
  readonly to: string;
}

const inWorld = (name: string, at = sandbox): Client => clientOf(at.url, `svc_test_${name}`);
const playing = (use: string) => ({ 'X-Sandbox-Scenario': use });
const scenarioOf = (answer: Answer): string | undefined => answer.headers['x-sandbox-scenario'];

/** Runs a world until it is idle; the steps that it made, in order. */
async function untilIdle(of: Client): Promise<Step[]> {
  const answer = await of.post('/_sandbox/clock/advance', { until: 'idle' });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data.complete).toBe(true);
  return answer.body.data.steps;
}

async function eventTypesAbout(of: Client, id: string): Promise<string[]> {
  const { body } = await of.get(`/_sandbox/events?subject_id=${id}`);
  return body.data.map((event: { event_type: string }) => event.event_type).reverse();
}

async function lastRequest(of: Client): Promise<Answer['body']> {
  return (await of.get('/_sandbox/requests?page_size=1')).body.data[0];
}

const putYaml = (of: Client, name: string, text: string): Promise<Answer> =>
  of.put(`/_sandbox/scenarios/${name}`, text, { 'Content-Type': 'application/yaml' });

/** A small scenario of our own: one trigger, and what else is given. */
const busyLine = (more = '', trigger = 'busy'): string =>
  `kind: call\nsummary: A line of our own.\n${more}timeline:\n  - { after: 1s, trigger: ${trigger} }\n`;

describe('the bundled scenario files', () => {
  interface File {
    readonly kind: string;
    readonly extends?: string;
    readonly expect?: {
      readonly refused?: readonly { readonly status: number; readonly code: string }[];
      readonly statuses?: readonly string[];
      readonly events?: readonly string[];
      readonly record?: object;
    };
  }
  const files = new Map<string, File>(
    readdirSync(bundledFolder).map((file) => [
      file.replace('.yaml', ''),
      parse(readFileSync(new URL(file, bundledFolder), 'utf8')),
    ]),
  );
  const expectationOf = (name: string): NonNullable<File['expect']> => {
    const file = files.get(name) as File;
    return file.expect ?? (file.extends === undefined ? {} : expectationOf(file.extends));
  };

  interface Kind {
    readonly start: (of: Client, header: Record<string, string>) => Promise<Answer>;
    readonly record: (of: Client, answer: Answer) => Promise<{ id: string; fields: Answer['body'] }>;
  }
  const kinds: Record<string, Kind> = {
    call: {
      start: (of, header) => of.dial('+12125550147', header),
      record: async (of, { body }) => ({ id: body.call_id, fields: await of.readCall(body.call_id) }),
    },
    caller_id: {
      start: (of, header) => of.post('/v1/caller-ids', { phone_number: '+14155550186' }, header),
      async record(of, { body }) {
        const id = body.data.caller_id_id;
        const { data } = (await of.get('/v1/caller-ids?page_size=100')).body;
        return { id, fields: data.find((each: { caller_id_id: string }) => each.caller_id_id === id) };
      },
    },
    phone_number: {
      start: (of, header) => of.post('/v1/phone-numbers', { area_code: '212' }, header),
      async record(of, { body }) {
        const id = String(body.data.id);
        const { data } = (await of.get('/v1/phone-numbers?page_size=100')).body;
        return { id, fields: data.find((each: { id: number }) => String(each.id) === id) };
      },
    },
    document: {
      start: (of, header) => upload(of, 'x', {}, header),
      async record(of, { body }) {
        const id = body.data.document_id;
        return { id, fields: dataOf(await of.get(`${DOCUMENTS}/${id}`)) };
      },
    },
    enterprise: {
      async start(of, header) {
        dataOf(await draft(of), 201);
        return sign(of, {}, header);
      },
      record: async (of, { body }) => ({ id: body.data.id, fields: await enterpriseOf(of) }),
    },
    remediation: {
      async start(of, header) {
        await approveIn(of);
        return of.post(REMEDIATIONS, { phone_numbers: [FROM] }, header);
      },
      async record(of, { body }) {
        const id = body.data.request_id;
        return { id, fields: dataOf(await of.get(`${REMEDIATIONS}/${id}`)) };
      },
    },
    cnam: {
      start: (of, header) => of.put('/v1/phone-numbers/4190/cnam', { cnam_display_name: 'HARBOR ONE' }, header),
      async record(of) {
        const fields = dataOf(await of.get('/v1/phone-numbers/4190'));
        return { id: '4190', fields: { ...fields, status: fields.cnam_status } };
      },
    },
    texting_registration: {
      start: (of, header) => registerBrand(of, header),
      record: async (of, { body }) => ({ id: body.data.id, fields: dataOf(await of.get(BRAND)) }),
    },
    sms: {
      start: (of, header) => text(of, {}, header),
      async record(of, { body }) {
        const { id } = body.data;
        return { id, fields: dataOf(await of.get(`${MESSAGES}/${id}`)) };
      },
    },
    job: {
      async start(of, header) {
        const [{ id }] = dataOf(await of.get('/v1/agents'));
        return of.post(JOBS, { agent_id: id, to_numbers: ['+12125550101'] }, header);
      },
      async record(of, { body }) {
        const { id } = body.data;
        return { id, fields: await jobOf(of, id) };
      },
    },
    display_identity: {
      async start(of, header) {
        await approveIn(of);
        return of.post(IDENTITIES, IDENTITY, header);
      },
      async record(of, { body }) {
        const { id } = body.data;
        const all = dataOf(await of.get(IDENTITIES));
        return { id, fields: all.find((each: { id: string }) => each.id === id) };
      },
    },
  };

  const approveIn = async (of: Client): Promise<void> => {
    dataOf(await draft(of), 201);
    dataOf(await sign(of));
    await untilIdle(of);
  };

  it.each([...files.keys()])('%s says what is to be expected of it', (name) => {
    const { refused = [], statuses = [] } = expectationOf(name);
    expect(refused.length + statuses.length).toBeGreaterThan(0);
    expect(Object.keys(kinds)).toContain(files.get(name)?.kind);
  });

  it.for([...files.keys()])('%s plays as its own `expect` says', async (name, { skip }) => {
    const { refused = [], statuses, events = [], record } = expectationOf(name);
    const kind = kinds[(files.get(name) as File).kind] as Kind;
    const world = inWorld(`plays-${name.replaceAll('_', '-')}`);
    for (const { status, code } of refused) expectError(await kind.start(world, playing(name)), status, code);
    if (statuses === undefined) {
      await untilIdle(world);
      expect((await world.get('/_sandbox/events')).body.meta.total_results).toBe(0);
      return;
    }
    const answer = await kind.start(world, playing(name));
    if (answer.status === 405 || answer.status === 404) {
      const why = `no request plays the kind ${files.get(name)?.kind} yet`;
      console.info(`skipped: ${name} is not played, since ${why}`);
      skip(why);
    }
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(scenarioOf(answer)).toBe(name);
    const { id } = await kind.record(world, answer);
    const before = (await kind.record(world, answer)).fields.status ?? statuses[0];
    const steps = (await untilIdle(world)).filter(({ subject }) => subject.id === id);
    const passed = [before, ...steps.map(({ to }) => to)];
    expect(passed.filter((status, index) => status !== passed[index - 1])).toEqual(statuses);
    expect(await eventTypesAbout(world, id)).toEqual(events);
    expect((await kind.record(world, answer)).fields).toMatchObject(record ?? {});
  });
});

/** `interface.md` section 3, "Magic destination numbers". */
const magicNumbers: readonly [digits: string, scenario: string, outcome: string][] = [
  ['00', 'answered', 'COMPLETED null'],
  ['01', 'busy', 'BUSY busy'],
  ['02', 'no_answer', 'NO_ANSWER no_answer'],
  ['03', 'voicemail', 'VOICEMAIL voicemail_reached'],
  ['04', 'call_declined', 'FAILED call_declined'],
  ['05', 'number_unreachable', 'FAILED number_unreachable'],
  ['06', 'carrier_rejected', 'FAILED carrier_rejected'],
  ['07', 'slow_answer', 'COMPLETED null'],
  ['08', 'long_call', 'COMPLETED null'],
  ['09', 'dropped_call', 'COMPLETED null'],
  ['10', 'destination_blocked', '403 destination_blocked'],
  ['11', 'dnc_suppressed', '403 dnc_suppressed'],
  ['12', 'recipient_opted_out', '403 recipient_opted_out'],
  ['13', 'contact_automation_paused', '403 contact_automation_paused'],
  ['14', 'no_consent', '403 no_consent'],
  ['15', 'outside_call_window', '403 outside_call_window'],
  ['16', 'day_not_allowed', '403 day_not_allowed'],
  ['17', 'frequency_exceeded', '429 frequency_exceeded'],
  ['20', 'voice_usage_exhausted', '402 voice_usage_exhausted'],
  ['21', 'no_active_subscription', '402 no_active_subscription'],
  ['22', 'no_number_available', '429 no_number_available'],
  ['23', 'rate_limited', '429 rate_limited'],
  ['30', 'room_creation_failed', '502 room_creation_failed'],
  ['31', 'agent_dispatch_failed', '502 agent_dispatch_failed'],
  ['32', 'sip_gateway_failed', '502 sip_gateway_failed'],
  ['33', 'provider_api_error', '502 provider_api_error'],
  ['34', 'internal_error', '500 internal_error'],
  ['35', 'flaky_provider', '502 provider_api_error'],
];
const smsNumbers: readonly [digits: string, scenario: string][] = [
  ['40', 'sms_delivered'],
  ['41', 'sms_failed'],
  ['42', 'sms_reply'],
  ['43', 'texting_not_ready'],
  ['44', 'texting_pending'],
  ['45', 'texting_rejected'],
  ['46', 'texting_no_sender'],
];

describe('magic numbers', () => {
  const areaCodes = ['212', '307', '415', '808', '989'];

  it.each(magicNumbers)('+1 NPA 555 01%s plays %s in any area code', async (digits, scenario, outcome) => {
    for (const area of areaCodes) {
      const answer = await client.dial(`+1${area}55501${digits}`);
      expect(scenarioOf(answer), area).toBe(scenario);
      expect((await lastRequest(client)).scenario.source).toBe('number');
      if (answer.status !== 202) {
        expect(`${answer.status} ${answer.body.error.code}`, area).toBe(outcome);
        continue;
      }
      await untilIdle(client);
      const { status, failure_code } = await client.readCall(answer.body.call_id);
      expect(`${status} ${failure_code}`, area).toBe(outcome);
    }
  });

  it('are in the catalogue, and no others', async () => {
    const { numbers, scenarios } = (await client.get('/_sandbox/catalog')).body.data;
    const kinds = new Set(scenarios.map(({ kind }: { kind: string }) => kind));
    const texts = kinds.has('sms') ? smsNumbers : [];
    expect(numbers).toEqual([
      ...magicNumbers.map(([number, scenario]) => ({ number, scenario, kind: 'call' })),
      ...texts.map(([number, scenario]) => ({ number, scenario, kind: 'sms' })),
    ]);
  });

  it('are the constants of the library, and no others', () => {
    const digits = Object.entries(numberConstants).filter(([name]) => !smsNumbers.some(([, text]) => text === name));
    expect(Object.fromEntries(digits)).toEqual(Object.fromEntries(magicNumbers.map(([xx, name]) => [name, xx])));
    expect(destinationFor('voicemail')).toMatch(/^\+1[2-9]\d{2}5550103$/);
    expect(destinationFor('flaky_provider', '415')).toBe('+14155550135');
    expect(() => destinationFor('busy', '15')).toThrow(TypeError);
    // No number can be dialled that begins so, and no scenario without a number can be called.
    for (const code of ['211', '911', '115', '2120', ''])
      expect(() => destinationFor('busy', code), code).toThrow(TypeError);
    expect(() => destinationFor('voice_mail' as never)).toThrow('; did you mean voicemail?');
    expect(() => destinationFor('toString' as never)).toThrow(TypeError);
  });

  it('whose scenario is of another kind, or that have none, are ordinary numbers', async () => {
    const magic = new Set(magicNumbers.map(([digits]) => digits));
    const ordinary = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0')).filter((xx) => !magic.has(xx));
    expect(ordinary).toEqual(expect.arrayContaining(smsNumbers.map(([digits]) => digits)));
    for (const digits of ordinary) {
      const answer = await client.dial(`+164655501${digits}`);
      expect(`${digits} ${answer.status} ${scenarioOf(answer)}`).toBe(`${digits} 202 answered`);
    }
    expect((await lastRequest(client)).scenario).toMatchObject({ source: 'default', outranked: [] });
  });

  it.each(['+12125550001', '+12125560101', '+12125550201', '+442071838701', '+18005551101'])(
    '%s is ordinary, being no +1 NPA 555 01XX',
    async (number) => {
      const answer = await client.dial(number);
      expect(`${answer.status} ${scenarioOf(answer)}`).toBe('202 answered');
      expect((await lastRequest(client)).scenario.source).toBe('default');
    },
  );

  it('are no caller IDs: verifying a number that a call scenario has is ordinary', async () => {
    const answer = await client.post('/v1/caller-ids', { phone_number: '+12125550101' });
    expect(`${answer.status} ${scenarioOf(answer)}`).toBe('201 verification_call');
  });
});

describe('timings', () => {
  type Path = Readonly<Record<string, number>>;

  /** When a call reached each status, in milliseconds after it was dialled. */
  function pathOf(id: string, steps: readonly Step[], dialled: number): Path {
    const own = steps.filter(({ subject }) => subject.id === id);
    return Object.fromEntries(own.map(({ to, at }) => [to, Date.parse(at) - dialled]));
  }

  async function play(of: Client, use: string, times: number): Promise<Path[]> {
    const dialled = Date.parse((await of.get('/_sandbox/clock')).body.data.now);
    const ids: string[] = [];
    for (let n = 0; n < times; n++) ids.push(await of.call('+12125550147', playing(use)));
    const steps = await untilIdle(of);
    return ids.map((id) => pathOf(id, steps, dialled));
  }

  const promised: readonly [name: string, what: string, span: (path: Path) => number, least: number, most: number][] = [
    ['answered', 'rings', (path) => Number(path.IN_PROGRESS) - Number(path.RINGING), 2000, 4000],
    ['answered', 'talks', (path) => Number(path.COMPLETED) - Number(path.IN_PROGRESS), 8000, 20_000],
    ['no_answer', 'times out', (path) => Number(path.NO_ANSWER), 30_000, 30_000],
    ['busy', 'comes', (path) => Number(path.BUSY), 1000, 3000],
    ['number_unreachable', 'comes', (path) => Number(path.FAILED), 1000, 3000],
    ['voicemail', 'answers', (path) => Number(path.IN_PROGRESS), 15_000, 25_000],
  ];

  it.each(promised)('%s %s within its range, for 50 calls of one world', async (name, what, span, least, most) => {
    const spans = (await play(inWorld(`timing-${name}-${what}`.replace(/[_ ]/g, '-')), name, 50)).map(span);
    expect(spans).toHaveLength(50);
    expect(spans.filter((ms) => !(ms >= least && ms <= most))).toEqual([]);
    if (least < most) {
      expect(new Set(spans).size).toBeGreaterThan(25);
      expect(Math.max(...spans) - Math.min(...spans)).toBeGreaterThan((most - least) / 2);
    }
  });

  it('busy and unreachable calls never ring', async () => {
    for (const name of ['busy', 'number_unreachable']) {
      for (const path of await play(client, name, 5)) expect(Object.keys(path)).toHaveLength(1);
    }
  });

  it('hold for every seed', async () => {
    for (let seed = 1; seed <= runs(8, 50); seed++) {
      const seeded = await createSandbox({ clock: 'manual', seed });
      try {
        const own = clientOf(seeded.url);
        for (const name of new Set(promised.map(([each]) => each))) {
          const [path] = (await play(own, name, 1)) as [Path];
          for (const [of, what, span, least, most] of promised) {
            if (of !== name) continue;
            expect(span(path), `${name} ${what}, seed ${seed}`).toBeGreaterThanOrEqual(least);
            expect(span(path), `${name} ${what}, seed ${seed}`).toBeLessThanOrEqual(most);
          }
        }
      } finally {
        await seeded.close();
      }
    }
  });

  it('both ends of a range are drawn, and nothing beyond them', async () => {
    const drawn = (await play(client, 'busy;ring=1ms..3ms', 60)).map((path) => path.BUSY);
    expect([...new Set(drawn)].sort()).toEqual([1, 2, 3]);
  });

  it('the slow form of a verification takes days', async () => {
    const start = Date.parse(await sandbox.clock.now());
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' }, playing('verification_slow'));
    const [spoken] = await untilIdle(client);
    expect(spoken?.trigger).toBe('speak_code');
    expect(Date.parse(spoken?.at as string) - start).toBeGreaterThanOrEqual(24 * 3_600_000);
  });

  it('answered;talk=90s lengthens the call', async () => {
    const [path] = await play(client, 'answered;talk=90s', 1);
    expect(Number(path?.COMPLETED) - Number(path?.IN_PROGRESS)).toBe(90_000);
  });

  it('are the same for the same seed and world, and others for another seed or world', async () => {
    const talks = async (seed: number, world: string): Promise<unknown> => {
      const seeded = await createSandbox({ clock: 'manual', seed });
      const paths = await play(inWorld(world, seeded), 'answered', 5);
      await seeded.close();
      return paths;
    };
    const first = await talks(5, 'here');
    expect(await talks(5, 'here')).toEqual(first);
    expect(await talks(6, 'here')).not.toEqual(first);
    expect(await talks(5, 'there')).not.toEqual(first);
  });
});

describe('scripted refusals', () => {
  it.each(['destination_missing', 'destination_invalid'])(
    '%s names the field as its natural form does',
    async (code) => {
      const natural = await client.dial(code === 'destination_missing' ? '' : 'nonsense');
      expectError(natural, 400, code);
      const scripted = await client.dial('+12125550147', playing(code));
      expect(Object.keys(natural.body.error.fields)).toEqual(['to_number']);
      expect(Object.keys(scripted.body.error.fields ?? {})).toEqual(['to_number']);
    },
  );

  it.each(['frequency_exceeded', 'no_number_available', 'rate_limited'])(
    '%s carries the rate headers as they stand and Retry-After: 1',
    async (code) => {
      const before = (await client.get('/v1/calls')).headers;
      const { headers } = await client.dial('+12125550147', playing(code));
      expect(headers['retry-after']).toBe('1');
      expect(headers['x-ratelimit-limit']).toBe('600');
      expect(headers['x-ratelimit-remaining']).toBe(before['x-ratelimit-remaining']);
      expect(headers['ratelimit-policy']).toBe('"default";q=600;w=60');
    },
  );

  it('come before the checks of the number called from, and after those of the destination', async () => {
    const dial = (body: object): Promise<Answer> => client.post('/v1/calls/dial', body, playing('dnc_suppressed'));
    expectError(await dial({ from_number: '+14155550193', to_number: '+12125550147' }), 403, 'dnc_suppressed');
    expectError(await dial({ from_number: FROM, to_number: '12' }), 400, 'destination_invalid');
    expectError(await dial({ from_number: 'x', to_number: '+12125550147' }), 400, 'validation_error');
  });
});

describe('flaky_provider', () => {
  const outcome = async (of: Client, to: string, use?: string): Promise<string> => {
    const { status, body } = await of.dial(to, use === undefined ? {} : playing(use));
    return status === 202 ? '202' : `${status} ${body.error.code}`;
  };
  const failed = '502 provider_api_error';

  it('fails twice and then succeeds, and anew after the success', async () => {
    const outcomes: string[] = [];
    for (let n = 0; n < 6; n++) outcomes.push(await outcome(client, '+12125550135'));
    expect(outcomes).toEqual([failed, failed, '202', failed, failed, '202']);
  });

  it('counts each destination for itself', async () => {
    const outcomes: string[] = [];
    for (const area of ['212', '415', '212', '415', '212', '415']) {
      outcomes.push(await outcome(client, `+1${area}5550135`));
    }
    expect(outcomes).toEqual([failed, failed, failed, failed, '202', '202']);
  });

  it('counts each world for itself', async () => {
    const other = inWorld('flaky-there');
    expect(await outcome(client, '+12125550135')).toBe(failed);
    expect(await outcome(client, '+12125550135')).toBe(failed);
    expect(await outcome(other, '+12125550135')).toBe(failed);
    expect(await outcome(client, '+12125550135')).toBe('202');
    expect(await outcome(other, '+12125550135')).toBe(failed);
  });

  it('plays by header as by number, and leads to an answered call', async () => {
    for (const expected of [failed, failed]) {
      expect(await outcome(client, '+12125550147', 'flaky_provider')).toBe(expected);
    }
    const id = await client.call('+12125550147', playing('flaky_provider'));
    await untilIdle(client);
    expect(await client.readCall(id)).toMatchObject({ status: 'COMPLETED', call_outcome: 'answered' });
  });

  it('begins anew with a reset', async () => {
    await outcome(client, '+12125550135');
    await outcome(client, '+12125550135');
    await sandbox.reset();
    expect(await outcome(client, '+12125550135')).toBe(failed);
  });

  it('lets a client that repeats with one idempotency key through at the third try', async () => {
    const header = { 'Idempotency-Key': '3f2b0a86-6d0c-4c1e-9b57-8a1f3c2d4e5f' };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await client.dial('+12125550135', header)).status);
    expect(statuses).toEqual([502, 502, 202, 202]);
    expect(await sandbox.events()).toHaveLength(1);
  });
});

describe('precedence', () => {
  const accepted = ['busy', 'no_answer', 'voicemail', 'call_declined', 'long_call', 'dnc_suppressed', 'internal_error'];

  it('header over active over number over default; the journal keeps the winner and what it outranked', async () => {
    const numbers = fc.constantFrom(['01', 'busy'], ['02', 'no_answer'], ['11', 'dnc_suppressed'], ['47', null]);
    const choice = fc.option(fc.constantFrom(...accepted));
    await fc.assert(
      fc.asyncProperty(choice, choice, numbers, async (header, active, [digits, number]) => {
        if (active === null) await client.delete('/_sandbox/active-scenarios/call');
        else await client.put('/_sandbox/active-scenarios/call', { use: active });
        const answer = await client.dial(`+121255501${digits}`, header === null ? {} : playing(header));
        const candidates = [
          { source: 'header', name: header },
          { source: 'active', name: active },
          { source: 'number', name: number },
          { source: 'default', name: 'answered' },
        ].filter(({ name }) => name !== null);
        const [winner, ...outranked] = candidates;
        expect(scenarioOf(answer)).toBe(winner?.name);
        expect((await lastRequest(client)).scenario).toEqual({ ...winner, parameters: {}, outranked });
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it('the journal keeps the parameters that were given', async () => {
    await client.dial('+12125550101', playing('answered;talk=90s;ring=3s'));
    expect((await lastRequest(client)).scenario).toEqual({
      name: 'answered',
      source: 'header',
      parameters: { talk: '90s', ring: '3s' },
      outranked: [
        { source: 'number', name: 'busy' },
        { source: 'default', name: 'answered' },
      ],
    });
  });

  it('a request that sets nothing going has no scenario, in its answer and in the journal', async () => {
    const answer = await client.get('/v1/calls', playing('busy'));
    expect(answer.status).toBe(200);
    expect(scenarioOf(answer)).toBeUndefined();
    expect((await lastRequest(client)).scenario).toBeNull();
  });
});

describe('active scenarios', () => {
  const activate = (use: string | string[], kind = 'call', of = client): Promise<Answer> =>
    of.put(`/_sandbox/active-scenarios/${kind}`, { use });
  const active = async (of = client): Promise<unknown> =>
    (await of.get('/_sandbox/active-scenarios/call')).body.data.use;

  it('a single one sticks until it is deleted', async () => {
    expect((await activate('busy')).body.data).toEqual({ kind: 'call', use: 'busy' });
    for (let n = 0; n < 3; n++) expect(scenarioOf(await client.dial('+12125550102'))).toBe('busy');
    expect(await active()).toBe('busy');
    expect((await client.delete('/_sandbox/active-scenarios/call')).status).toBe(204);
    expect(await active()).toBeNull();
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
  });

  it('a list is played in turn, then numbers and the default have their turn again', async () => {
    await activate(['busy', 'voicemail', 'answered;talk=90s']);
    const played: (string | undefined)[] = [];
    for (const to of ['+12125550104', '+12125550104', '+12125550104', '+12125550104', '+12125550147']) {
      played.push(scenarioOf(await client.dial(to)));
    }
    expect(played).toEqual(['busy', 'voicemail', 'answered', 'call_declined', 'answered']);
    expect(await active()).toBeNull();
  });

  it('what is left of a list can be read, with its parameters', async () => {
    await activate(['busy', 'busy;ring=2s', 'answered']);
    await client.dial('+12125550147');
    expect(await active()).toEqual(['busy;ring=2s', 'answered']);
  });

  it('the parameters of an active scenario hold', async () => {
    await activate('busy;ring=7s');
    const start = Date.parse(await sandbox.clock.now());
    await client.call('+12125550147');
    const [step] = await untilIdle(client);
    expect(Date.parse(step?.at as string) - start).toBe(7000);
  });

  it('a list goes on where a name of it has left the library, which then has had its turn', async () => {
    for (const name of ['own_line', 'own_other']) await putYaml(client, name, busyLine());
    await activate(['own_line', 'own_other', 'voicemail', 'own_line', 'busy']);
    for (const name of ['own_line', 'own_other']) await client.delete(`/_sandbox/scenarios/${name}`);
    expect(scenarioOf(await client.dial('+12125550102', playing('answered')))).toBe('answered');
    expect(await active()).toHaveLength(5);
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('voicemail');
    expect(await active()).toEqual(['own_line', 'busy']);
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('busy');
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
    expect(await active()).toBeNull();
  });

  it('a list of which nothing is left in the library is used up by the next request', async () => {
    await putYaml(client, 'own_line', busyLine());
    await activate(['own_line', 'own_line']);
    await client.delete('/_sandbox/scenarios/own_line');
    expect(scenarioOf(await client.dial('+12125550102'))).toBe('no_answer');
    expect(await active()).toBeNull();
  });

  it('a request with a header of its own consumes nothing of the list', async () => {
    await activate(['busy', 'voicemail']);
    expect(scenarioOf(await client.dial('+12125550147', playing('no_answer')))).toBe('no_answer');
    expect(await active()).toEqual(['busy', 'voicemail']);
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('busy');
  });

  it('a scripted refusal is an answer like another and uses up its place', async () => {
    await activate(['dnc_suppressed', 'busy']);
    expectError(await client.dial('+12125550147'), 403, 'dnc_suppressed');
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('busy');
  });

  it('a request that fails before the choice consumes nothing', async () => {
    await activate(['busy', 'voicemail']);
    const body = { from_number: FROM, to_number: '+12125550147' };
    const dial = (changed: object | string, headers?: Record<string, string>): Promise<Answer> =>
      client.post('/v1/calls/dial', changed, headers);
    const stranger = clientOf(sandbox.url, 'svc_nobody');
    const reader = clientOf(sandbox.url, 'svc_sandbox_metadata');
    expectError(await dial({ ...body, to_number: null }), 400, 'destination_missing');
    expectError(await dial({ ...body, to_number: '+12' }), 400, 'destination_invalid');
    expectError(await dial({ ...body, to_number: '911' }), 403, 'destination_blocked');
    expectError(await dial({ ...body, from_number: null }), 400, 'validation_error');
    expectError(await dial('{ "from_number": '), 400, 'validation_error');
    expectError(await dial('x', { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type');
    expectError(await dial(body, { 'X-Sandbox-Error': 'dnc_suppressed' }), 403, 'dnc_suppressed');
    expectError(await dial(body, { 'X-Sandbox-Scenario': 'verification_slow' }), 400, 'validation_error');
    expectError(await dial(body, { 'X-Sandbox-Scenarios': 'busy' }), 400, 'validation_error');
    expectError(await dial(body, { 'Idempotency-Key': 'no-uuid' }), 400, 'validation_error');
    expectError(await stranger.dial('+12125550147'), 401, 'unauthorized');
    expectError(await reader.dial('+12125550147'), 403, 'scope_missing');
    expect(await active()).toEqual(['busy', 'voicemail']);
  });

  it('a request that sets nothing going, or something of another kind, consumes nothing', async () => {
    await activate(['busy', 'voicemail']);
    await client.get('/v1/calls');
    await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    expect(await active()).toEqual(['busy', 'voicemail']);
  });

  it('a replay consumes nothing', async () => {
    await activate(['busy', 'voicemail', 'no_answer']);
    const header = { 'Idempotency-Key': '0d9b8f60-2b1f-4c39-8b43-0f6f6a1f9b11' };
    for (let n = 0; n < 3; n++) expect(scenarioOf(await client.dial('+12125550147', header))).toBe('busy');
    expect(await active()).toEqual(['voicemail', 'no_answer']);
  });

  it('requests side by side take each place of a list once', async () => {
    const list = Array.from({ length: 24 }, (_, n) => ['busy', 'voicemail', 'no_answer'][n % 3] as string);
    await activate(list);
    const answers = await Promise.all(list.map(() => client.dial('+12125550104')));
    expect(answers.map(scenarioOf).sort()).toEqual([...list].sort());
    expect(await active()).toBeNull();
    expect(scenarioOf(await client.dial('+12125550104'))).toBe('call_declined');
  });

  it('hold for their own kind', async () => {
    await activate('verification_slow', 'caller_id');
    const answer = await client.post('/v1/caller-ids', { phone_number: '+14155550186' });
    expect(scenarioOf(answer)).toBe('verification_slow');
    expect(scenarioOf(await client.dial('+12125550147'))).toBe('answered');
  });

  it('hold for their own world, and go with a reset', async () => {
    await activate('busy');
    expect(scenarioOf(await inWorld('active-elsewhere').dial('+12125550147'))).toBe('answered');
    await sandbox.reset();
    expect(await active()).toBeNull();
  });

  it.each([
    ['bsy', 'busy'],
    ['verification_slow', 'caller_id'],
    ['busy;rign=2s', 'ring'],
    ['busy;ring=soon', 'duration'],
    ['busy;;', 'parameter'],
  ])('%s is refused with 400 under `use`, which says %s', async (use, says) => {
    await activate('voicemail');
    for (const given of [use, ['busy', use]]) {
      const answer = await activate(given);
      expectError(answer, 400, 'validation_error');
      expect(answer.body.error.fields.use).toContain(says);
    }
    expect(await active()).toBe('voicemail');
  });

  it('of a kind that there is not are 404, naming the kinds', async () => {
    const answer = await activate('busy', 'cal');
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('caller_id');
  });
});

describe('the X-Sandbox-Scenario header', () => {
  const refusalOf = async (use: string, of = client): Promise<string> => {
    const answer = await of.dial('+12125550147', playing(use));
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-Scenario']);
    expect(scenarioOf(answer)).toBeUndefined();
    return answer.body.error.fields['X-Sandbox-Scenario'];
  };

  it.each([
    ['busy;ring=2s', 2000],
    ['busy; ring=2s', 2000],
    ['busy;ring=1m', 60_000],
    ['busy;ring=0s', 0],
    ['busy;ring=4s..4s', 4000],
  ])('%s is busy after %i ms', async (use, ms) => {
    const start = Date.parse(await sandbox.clock.now());
    await client.call('+12125550147', playing(use));
    const [step] = await untilIdle(client);
    expect(step?.to).toBe('BUSY');
    expect(Date.parse(step?.at as string) - start).toBe(ms);
  });

  it('an unknown scenario is refused with those of the kind, and the nearest', async () => {
    const reason = await refusalOf('voicemial');
    expect(reason).toContain('did you mean voicemail?');
    for (const [, name] of magicNumbers) expect(reason).toContain(name);
    expect(reason).not.toContain('verification_slow');
  });

  it('a name in another case is refused with the nearest', async () => {
    expect(await refusalOf('Busy')).toContain('did you mean busy?');
  });

  it('an unknown parameter is refused with those that the scenario takes', async () => {
    const reason = await refusalOf('answered;tlak=90s');
    expect(reason).toContain('ring');
    expect(reason).toContain('talk');
  });

  it.each(['busy;ring=soon', 'busy;ring=2', 'busy;ring=-1s', 'busy;ring=3s..1s', 'busy;ring=1s..'])(
    '%s is refused, naming the parameter and what it takes',
    async (use) => {
      const reason = await refusalOf(use);
      expect(reason).toContain('ring');
      expect(reason).toContain('duration');
    },
  );

  it.each(['busy;', 'busy;ring', 'busy;=2s', 'busy;ring=', 'busy;ring=1s;ring=2s', ';ring=1s', 'busy ring=2s', 'a,b'])(
    '%s is refused as malformed',
    async (use) => {
      await refusalOf(use);
    },
  );

  it('a malformed value is refused before the key is looked at, an unknown name after it', async () => {
    const stranger = clientOf(sandbox.url, 'svc_nobody');
    expectError(await stranger.dial('+12125550147', playing('busy;;')), 400, 'validation_error');
    expectError(await stranger.dial('+12125550147', playing('nonesuch')), 401, 'unauthorized');
  });

  it('a scenario of another kind than the request sets going is refused, naming both kinds', async () => {
    const onDial = await refusalOf('verification_slow');
    expect(onDial).toContain('caller_id');
    expect(onDial).toContain('call');
    const answer = await client.post('/v1/caller-ids', { phone_number: '+14155550186' }, playing('busy'));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields['X-Sandbox-Scenario']).toContain('caller_id');
  });

  it('is refused in words that fit every kind, whatever letter it begins with', async () => {
    const answer = await client.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' }, playing('busy'));
    expectError(answer, 400, 'validation_error');
    const reason = answer.body.error.fields['X-Sandbox-Scenario'];
    expect(reason).toBe('"busy" is a scenario of kind call; this request plays scenarios of kind sms');
  });

  it('a request that sets nothing going ignores a well-formed one', async () => {
    const { data } = (await client.get('/v1/agents')).body;
    const id = await client.call('+12125550147');
    for (const use of ['busy', 'verification_slow', 'answered;talk=90s']) {
      expect((await client.get('/v1/account', playing(use))).status).toBe(200);
      expect((await client.get(`/v1/calls/${id}`, playing(use))).status).toBe(200);
      expect((await client.patch(`/v1/agents/${data[0].id}`, { name: 'Reception' }, playing(use))).status).toBe(200);
    }
    expect((await client.post(`/v1/calls/${id}/hangup`, undefined, playing('dnc_suppressed'))).status).toBe(200);
  });

  it('an unknown scenario is refused on a request that sets nothing going, too', async () => {
    expectError(await client.get('/v1/calls', playing('nonesuch')), 400, 'validation_error');
  });

  it('a duration that leads beyond what a timestamp can say breaks nothing', async () => {
    const answer = await client.dial('+12125550147', playing('answered;talk=100000000d'));
    if (answer.status === 202) {
      expect((await client.post('/_sandbox/clock/advance', { until: 'idle' })).status).toBeLessThan(500);
    } else {
      expectError(answer, 400, 'validation_error');
    }
  });
});

describe('scenarios of a world', () => {
  const read = async (name: string, of = client): Promise<Answer['body']> =>
    (await of.get(`/_sandbox/scenarios/${name}`)).body.data;
  const drop = (name: string, of = client): Promise<Answer> => of.delete(`/_sandbox/scenarios/${name}`);

  it('are taken as YAML', async () => {
    const world = inWorld('overlay-yaml');
    for (const type of ['application/yaml', 'text/yaml', 'application/x-yaml; charset=utf-8']) {
      const answer = await world.put('/_sandbox/scenarios/own_line', busyLine(), { 'Content-Type': type });
      expect(answer.status, type).toBe(type === 'application/yaml' ? 201 : 200);
      expect(answer.body.data).toMatchObject({ name: 'own_line', kind: 'call', origin: 'world', error: null });
    }
    const id = await world.call('+12125550147', playing('own_line'));
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
  });

  it('are taken as JSON', async () => {
    const world = inWorld('overlay-json');
    const answer = await world.put('/_sandbox/scenarios/own_line', {
      kind: 'call',
      summary: 'A line of our own.',
      parameters: { wait: '4s' },
      timeline: [{ after: '$wait', trigger: 'unreachable' }],
    });
    expect(answer.status, answer.text).toBe(201);
    const start = Date.parse((await world.get('/_sandbox/clock')).body.data.now);
    await world.call('+12125550147', playing('own_line;wait=9s'));
    const [step] = await untilIdle(world);
    expect(step?.to).toBe('FAILED');
    expect(Date.parse(step?.at as string) - start).toBe(9000);
  });

  it('take over the numbers that they claim, until they are deleted', async () => {
    const world = inWorld('overlay-numbers');
    await putYaml(world, 'own_line', busyLine('numbers: ["03", "77"]\n'));
    for (const to of ['+12125550103', '+19175550103', '+12125550177']) {
      expect(scenarioOf(await world.dial(to))).toBe('own_line');
    }
    expect(scenarioOf(await world.dial('+12125550101'))).toBe('busy');
    expect((await drop('own_line', world)).status).toBe(204);
    expect(scenarioOf(await world.dial('+12125550103'))).toBe('voicemail');
    expect(scenarioOf(await world.dial('+12125550177'))).toBe('answered');
  });

  it('a number that was taken over stands once in the catalogue, under the scenario that plays', async () => {
    const world = inWorld('overlay-catalogue');
    await putYaml(world, 'own_line', busyLine('numbers: ["03"]\n'));
    const { numbers } = (await world.get('/_sandbox/catalog')).body.data;
    expect(numbers.filter(({ number }: { number: string }) => number === '03')).toEqual([
      { number: '03', scenario: 'own_line', kind: 'call' },
    ]);
  });

  it('take the place of a bundled one of the same name, until they are deleted', async () => {
    const world = inWorld('overlay-name');
    await putYaml(world, 'busy', busyLine('numbers: ["01"]\n', 'reject'));
    expect((await read('busy', world)).origin).toBe('world');
    const id = await world.call('+12125550101');
    await untilIdle(world);
    expect((await world.readCall(id)).failure_code).toBe('carrier_rejected');
    await drop('busy', world);
    expect((await read('busy', world)).origin).toBe('bundled');
    const next = await world.call('+12125550101');
    await untilIdle(world);
    expect((await world.readCall(next)).failure_code).toBe('busy');
  });

  it('can be the default of their kind', async () => {
    const world = inWorld('overlay-default');
    await putYaml(world, 'own_line', busyLine('default: true\n'));
    expect(scenarioOf(await world.dial('+12125550147'))).toBe('own_line');
    await drop('own_line', world);
    expect(scenarioOf(await world.dial('+12125550147'))).toBe('answered');
  });

  it('that take the place of the default are the default', async () => {
    const world = inWorld('overlay-answered');
    await putYaml(world, 'answered', busyLine());
    const id = await world.call('+12125550147');
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
  });

  it('that would take the default of a kind away are refused, or the kind keeps one', async () => {
    const world = inWorld('overlay-other-kind');
    const answer = await putYaml(
      world,
      'answered',
      'kind: caller_id\nsummary: Not a call.\ntimeline:\n  - { after: 1s, trigger: speak_code }\n',
    );
    if (answer.status >= 300) expectError(answer, 400, 'validation_error');
    expect((await world.dial('+12125550147')).status).toBe(202);
  });

  it('survive a reset', async () => {
    await putYaml(client, 'own_line', busyLine('numbers: ["77"]\n'));
    await sandbox.reset();
    expect(scenarioOf(await client.dial('+12125550177'))).toBe('own_line');
    await drop('own_line');
  });

  it('are seen by their world only', async () => {
    const here = inWorld('overlay-here');
    const there = inWorld('overlay-there');
    await putYaml(here, 'own_line', busyLine('numbers: ["01"]\n'));
    expect((await there.get('/_sandbox/scenarios/own_line')).status).toBe(404);
    expect(scenarioOf(await there.dial('+12125550101'))).toBe('busy');
    expectError(await there.dial('+12125550147', playing('own_line')), 400, 'validation_error');
    expectError(await drop('own_line', there), 404, 'not_found');
    expect(scenarioOf(await here.dial('+12125550101'))).toBe('own_line');
  });

  it('may be edited while a call runs, which goes on as it was planned', async () => {
    const world = inWorld('overlay-planned');
    await putYaml(world, 'own_line', busyLine());
    const id = await world.call('+12125550147', playing('own_line'));
    expect((await putYaml(world, 'own_line', busyLine('', 'unreachable'))).status).toBe(200);
    const next = await world.call('+12125550147', playing('own_line'));
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
    expect((await world.readCall(next)).status).toBe('FAILED');
  });

  it('that extend another are edited with it', async () => {
    const world = inWorld('overlay-extends');
    await putYaml(world, 'own_base', busyLine());
    await putYaml(world, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await putYaml(world, 'own_base', busyLine('', 'unreachable'));
    expect((await read('own_child', world)).timeline).toEqual((await read('own_base', world)).timeline);
  });

  it('bundled ones cannot be deleted', async () => {
    expectError(await drop('busy'), 404, 'not_found');
    expect((await read('busy')).origin).toBe('bundled');
  });

  it('an unknown one is 404, with the nearest', async () => {
    const answer = await client.get('/_sandbox/scenarios/voicemial');
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('did you mean voicemail?');
  });

  const head = 'kind: call\nsummary: A line of our own.\n';
  const nines = (of: string): string => Array(9).fill(of).join(', ');
  const aliasBomb = ['a', 'b', 'c', 'd', 'e', 'f']
    .map((name, at) => `${name}: &${name} [${nines(at === 0 ? 'x' : `*${'abcdef'[at - 1]}`)}]\n`)
    .join('');
  const broken: readonly [what: string, text: string, field: string, line: number, says: string][] = [
    ['a trigger that there is not', busyLine('', 'bussy'), 'timeline.0.trigger', 4, 'bussy'],
    ['a kind that there is not', busyLine().replace('kind: call', 'kind: cal'), 'kind', 1, 'caller_id'],
    ['a code that there is not', `${head}refuse:\n  - code: dnc_supressed\n`, 'refuse.0.code', 4, 'dnc_suppressed'],
    ['a code that never answers a dial', `${head}refuse:\n  - code: busy\n`, 'refuse.0.code', 4, 'dnc_suppressed'],
    ['a move that the state does not allow', busyLine('', 'complete'), 'timeline.0.trigger', 4, 'QUEUED'],
    [
      'a move out of a final state',
      `${busyLine()}  - { after: 1s, trigger: ring }\n`,
      'timeline.1.trigger',
      5,
      'no trigger follows',
    ],
    [
      'a move within a branch that the state does not allow',
      `${head}timeline:\n  - branch:\n      - { weight: 1, timeline: [{ after: 1s, trigger: busy }] }\n      - weight: 1\n        timeline:\n          - { after: 1s, trigger: answer }\n`,
      'timeline.0.branch.1.timeline.0.trigger',
      8,
      'QUEUED',
    ],
    [
      'a bad duration',
      busyLine().replace('after: 1s', 'after: 3 seconds'),
      'timeline.0.after',
      4,
      'a duration such as 250ms',
    ],
    ['a parameter that there is not', busyLine().replace('after: 1s', 'after: $wait'), 'timeline.0.after', 4, '$wait'],
    [
      'a parameter that is no duration',
      busyLine('parameters: { wait: soon }\n').replace('after: 1s', 'after: $wait'),
      'timeline.0.after',
      5,
      'soon',
    ],
    ['a number that is none', busyLine('numbers: ["3"]\n'), 'numbers.0', 3, 'two digits'],
    ['no summary', 'kind: call\ntimeline: []\n', 'summary', 1, ''],
    ['a scenario that it extends and there is not', `${head}extends: nonesuch\n`, 'extends', 3, 'nonesuch'],
    ['a scenario of another kind that it extends', `${head}extends: verification_slow\n`, 'kind', 1, 'caller_id'],
    ...['constructor', 'toString', '__proto__'].map((name): [string, string, string, number, string] => [
      `a trigger called ${name}`,
      busyLine('', name),
      'timeline.0.trigger',
      4,
      'allowed: ring',
    ]),
    [
      'a status that is expected and never comes',
      `${head}expect:\n  statuses: [QUEUED, BUSSY]\n`,
      'expect.statuses.1',
      4,
      'NO_ANSWER',
    ],
    [
      'an event that is expected and never comes',
      `${head}expect: { events: [bussy] }\n`,
      'expect.events.0',
      3,
      'call_busy',
    ],
    [
      'a refusal that is expected and never comes',
      `${head}expect: { refused: [{ status: 403, code: bussy }] }\n`,
      'expect.refused.0.code',
      3,
      'no_consent',
    ],
    ['bad YAML', `${head}numbers: ["60"\ntimeline: []\n`, 'body', 4, ''],
    [
      'an alias that names nothing',
      `${head}timeline: *nope\n`,
      'body',
      3,
      '*nope refers to an anchor that is not defined',
    ],
    [
      'an alias within what it names',
      `${head}timeline: &t\n  - branch:\n    - { weight: 1, timeline: *t }\n    - { weight: 1, timeline: *t }\n`,
      'body',
      5,
      '*t is part of the value that it refers to',
    ],
    ['aliases that multiply', aliasBomb, 'body', 5, 'more than 10000 values'],
    ['lists in lists without an end', `${head}timeline:\n${'['.repeat(30_000)}`, 'body', 4, '64 levels'],
    ['lines in lines without an end', `${head}timeline:\n${'- '.repeat(30_000)}`, 'body', 4, '64 levels'],
    ['an array as a key', `${head}? [a, b]\n: 1\n`, 'body', 3, 'a key must be a string'],
    ['a field that appears twice', `${head}kind: call\n`, 'body', 3, '"kind" appears more than once'],
    ['a reserved name', `${head}parameters: { __proto__: 1s }\n`, 'body', 3, 'reserved'],
    ['a second document', `${head}---\n${head}`, 'body', 3, 'second document'],
    ['another shape', '- kind: call\n', 'body', 1, ''],
  ];

  it.each(broken)('%s is refused with 400, the field and the line', async (_, text, field, line, says) => {
    const answer = await putYaml(client, 'own_line', text);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(answer.body.error.fields[field]).toMatch(new RegExp(`\\bline ${line}\\b`));
    expect(answer.body.error.fields[field]).toContain(says);
    expect((await client.get('/_sandbox/scenarios/own_line')).status).toBe(404);
  });

  it('a field that there is not is refused, with its own line', async () => {
    const answer = await putYaml(client, 'own_line', `${busyLine()}colour: red\n`);
    expectError(answer, 400, 'validation_error');
    const [[field, reason]] = Object.entries(answer.body.error.fields) as [[string, string]];
    expect(`${field} ${reason}`).toContain('colour');
    expect(reason).toMatch(/\bline 5\b/);
  });

  it('JSON that is refused names the line of the JSON that was sent', async () => {
    const text = JSON.stringify(
      { kind: 'call', summary: 'A line of our own.', timeline: [{ after: '1s', trigger: 'bussy' }] },
      null,
      2,
    );
    const at = text.split('\n').findIndex((line) => line.includes('bussy')) + 1;
    const answer = await client.put('/_sandbox/scenarios/own_line', text, { 'Content-Type': 'application/json' });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields['timeline.0.trigger']).toMatch(new RegExp(`\\bline ${at}\\b`));
  });

  it('two that claim one number are refused, and the first keeps it', async () => {
    const world = inWorld('overlay-claims');
    await putYaml(world, 'first_line', busyLine('numbers: ["60"]\n'));
    const answer = await putYaml(world, 'second_line', busyLine('numbers: ["61", "60"]\n'));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.numbers).toMatch(/\bline 3\b/);
    expect(answer.body.error.fields.numbers).toContain('first_line');
    expect(scenarioOf(await world.dial('+12125550160'))).toBe('first_line');
    expect(scenarioOf(await world.dial('+12125550161'))).toBe('answered');
  });

  it('a refused edit leaves the last good one in place', async () => {
    const world = inWorld('overlay-kept');
    await putYaml(world, 'own_line', busyLine('numbers: ["60"]\n'));
    expectError(await putYaml(world, 'own_line', busyLine('', 'bussy')), 400, 'validation_error');
    expect(scenarioOf(await world.dial('+12125550160'))).toBe('own_line');
  });

  it('may use the anchors of YAML', async () => {
    const world = inWorld('overlay-anchors');
    const text = `${head}parameters: { wait: &wait 4s }\ntimeline:\n  - { after: *wait, trigger: busy }\n`;
    expect((await putYaml(world, 'own_line', text)).status).toBe(201);
    expect((await read('own_line', world)).timeline).toEqual([{ after: '4s', trigger: 'busy', with: {} }]);
  });

  describe('that are many or long', () => {
    /** As long as one may be, to a few characters, and of a shape that is slow to read: names that must differ. */
    const long = `${head}parameters:\n${Array.from({ length: 4600 }, (_, at) => `  k${at}: 1s`).join('\n')}\n`;

    it('are read in a time that their length warrants, and not again with every edit of another', async () => {
      const world = inWorld('overlay-long');
      for (const name of ['one', 'two', 'three']) expect((await putYaml(world, name, long)).status).toBe(201);
      const began = performance.now();
      expect((await putYaml(world, 'four', busyLine())).status).toBe(201);
      expect(performance.now() - began).toBeLessThan(stretched(300));
    });

    it('are refused where one is too long, or all of them together', async () => {
      const world = inWorld('overlay-too-long');
      expectError(await putYaml(world, 'one', `${long}#${'x'.repeat(64 * 1024)}`), 413, 'payload_too_large');
      for (const name of ['one', 'two', 'three', 'four']) await putYaml(world, name, long);
      const answer = await putYaml(world, 'five', long);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain('262144 characters');
      expect((await world.get('/_sandbox/scenarios/five')).status).toBe(404);
      expect((await putYaml(world, 'four', long)).status, 'in its own place').toBe(200);
    });

    it('are refused where there would be more than a thousand, so that none is lost', async () => {
      const state = join(folderOf(), 'state.json');
      const before = await createSandbox({ clock: 'manual', state });
      await putYaml(clientOf(before.url), 'line_1', busyLine());
      await before.close();
      const dump = JSON.parse(readFileSync(state, 'utf8'));
      const rows = dump.worlds.default.rows.scenario_overlays;
      for (let n = 2; n <= 1000; n++) {
        rows.push({ ...rows[0], id: `line_${n}`, private: { ...rows[0].private, rank: n } });
      }
      writeFileSync(state, JSON.stringify(dump));
      const after = await createSandbox({ clock: 'manual', state });
      try {
        const own = clientOf(after.url);
        expect((await putYaml(own, 'line_1000', busyLine())).status).toBe(200);
        const answer = await putYaml(own, 'line_1001', busyLine());
        expectError(answer, 409, 'conflict');
        expect(answer.body.error.message).toContain('1000 scenarios');
        expect(scenarioOf(await own.dial('+12125550147', playing('line_1000')))).toBe('line_1000');
      } finally {
        await after.close();
      }
    });
  });

  it.each(['Own', '9line', 'own%20line', 'a'.repeat(65)])('%s is no name for one', async (name) => {
    expectError(await putYaml(client, name, busyLine()), 400, 'validation_error');
  });
});

describe('weighted branches', () => {
  const coin = [
    'kind: call',
    'summary: Busy three times out of four.',
    'timeline:',
    '  - branch:',
    '      - { weight: 3, timeline: [{ after: 1s, trigger: busy }] }',
    '      - weight: 1',
    '        timeline:',
    '          - { after: 1s, trigger: ring }',
    '          - branch:',
    '              - { weight: 1, timeline: [{ after: 1s, trigger: decline }] }',
    '              - { weight: 1, timeline: [{ after: 1s, trigger: no_answer }] }',
    '',
  ].join('\n');

  async function toss(seed: number, times: number): Promise<string[]> {
    const seeded = await createSandbox({ clock: 'manual', seed, rateLimit: 'off', concurrentCalls: 'off' });
    try {
      const own = clientOf(seeded.url);
      await putYaml(own, 'coin', coin);
      const ids: string[] = [];
      for (let n = 0; n < times; n++) ids.push(await own.call('+12125550147', playing('coin')));
      const last = new Map((await untilIdle(own)).map(({ subject, to }) => [subject.id, to]));
      return ids.map((id) => last.get(id) as string);
    } finally {
      await seeded.close();
    }
  }

  it('are drawn about as often as they are weighted', async () => {
    const ends = await toss(1, 400);
    const share = (end: string): number => ends.filter((each) => each === end).length / ends.length;
    expect(share('BUSY')).toBeGreaterThan(0.67);
    expect(share('BUSY')).toBeLessThan(0.83);
    for (const end of ['FAILED', 'NO_ANSWER']) {
      expect(share(end), end).toBeGreaterThan(0.07);
      expect(share(end), end).toBeLessThan(0.19);
    }
    expect(share('BUSY') + share('FAILED') + share('NO_ANSWER')).toBe(1);
  });

  it('are drawn the same for the same seed, and differently for another', async () => {
    const first = await toss(7, 40);
    expect(await toss(7, 40)).toEqual(first);
    expect(await toss(8, 40)).not.toEqual(first);
  });
});

describe('a folder of scenarios', () => {
  const opened: Sandbox[] = [];
  const open = async (folder: string): Promise<{ own: Client; sandbox: Sandbox }> => {
    const own = await createSandbox({ clock: 'manual', scenarios: folder });
    opened.push(own);
    return { own: clientOf(own.url), sandbox: own };
  };
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const shown = async (of: Client, name: string): Promise<Answer['body']> =>
    (await of.get(`/_sandbox/scenarios/${name}`)).body.data;

  it('is laid over the bundled ones: names and numbers', async () => {
    const folder = folderOf({
      'busy.yaml': busyLine('numbers: ["01"]\n', 'reject'),
      'own_line.yml': busyLine('numbers: ["03"]\n'),
      'json_line.json': JSON.stringify({ kind: 'call', summary: 'As JSON.', extends: 'busy', numbers: ['60'] }),
      'notes.txt': 'not a scenario',
    });
    const { own } = await open(folder);
    expect(await shown(own, 'busy')).toMatchObject({ origin: 'folder', error: null });
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('own_line');
    expect(scenarioOf(await own.dial('+12125550102'))).toBe('no_answer');
    const ids = [await own.call('+12125550101'), await own.call('+12125550160')];
    await untilIdle(own);
    for (const id of ids) expect((await own.readCall(id)).failure_code).toBe('carrier_rejected');
    expect((await own.get('/_sandbox/scenarios/notes')).status).toBe(404);
  });

  it('is laid under those of a world', async () => {
    const { own } = await open(folderOf({ 'own_line.yaml': busyLine('numbers: ["03"]\n') }));
    await putYaml(own, 'world_line', busyLine('numbers: ["03"]\n'));
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('world_line');
    await own.delete('/_sandbox/scenarios/world_line');
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('own_line');
  });

  it.each([
    [
      'a trigger that there is not',
      { 'bad.yaml': busyLine('', 'bussy') },
      /bad\.yaml:4: timeline\.0\.trigger: .*bussy/,
    ],
    ['bad YAML', { 'bad.yaml': 'kind: call\nsummary: [\n' }, /bad\.yaml:\d+: ./],
    [
      'two that claim one number',
      { 'one.yaml': busyLine('numbers: ["60"]\n'), 'two.yaml': busyLine('numbers: ["60"]\n') },
      /two\.yaml:3: numbers: .*"60".*one/,
    ],
    [
      'two of one name',
      { 'mine.json': '{ "kind": "call", "summary": "Mine.", "extends": "busy" }', 'mine.yaml': busyLine() },
      /mine\.yaml:1: .*mine\.json/,
    ],
  ])('%s refuses the start with file, line and reason', async (_, files, message) => {
    const folder = folderOf(files);
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(message);
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(folder);
  });

  it('that is not there refuses the start, naming it', async () => {
    const folder = join(folderOf(), 'nowhere');
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(folder);
  });

  it('may hold what an editor leaves beside a file', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n'), 'own_line.yaml~': 'kind: [' });
    // The lock of a file that is open in Emacs: a link to nowhere, named like the file.
    symlinkSync('someone@somewhere.1', join(folder, '.#own_line.yaml'));
    const { own } = await open(folder);
    expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
  });

  describe.concurrent('while running', () => {
    it('a broken edit keeps the last good file and shows as `error`; a repaired one is taken', async () => {
      const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
      const file = join(folder, 'own_line.yaml');
      const { own } = await open(folder);
      writeFileSync(file, busyLine('numbers: ["60"]\n', 'bussy'));
      await eventually(async () => expect((await shown(own, 'own_line')).error).not.toBeNull());
      expect((await shown(own, 'own_line')).error).toMatch(/own_line\.yaml:5: timeline\.0\.trigger: .*bussy/);
      const id = await own.call('+12125550160');
      writeFileSync(file, busyLine('numbers: ["60"]\n', 'unreachable'));
      await eventually(async () => expect((await shown(own, 'own_line')).error).toBeNull());
      const next = await own.call('+12125550160');
      await untilIdle(own);
      expect((await own.readCall(id)).status).toBe('BUSY');
      expect((await own.readCall(next)).status).toBe('FAILED');
    });

    it('a new file that is broken or refused is listed with its `error`, and plays nothing', async () => {
      const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'broken.yaml'), busyLine('', 'bussy'));
      writeFileSync(join(folder, 'twice.yaml'), busyLine('numbers: ["60"]\n'));
      await eventually(async () => expect((await shown(own, 'twice'))?.error).toMatch(/twice\.yaml:3: .*"60"/));
      const broken = { name: 'broken', origin: 'folder', error: expect.stringMatching(/broken\.yaml:4: .*bussy/) };
      expect(await shown(own, 'broken')).toEqual(broken);
      const { data } = (await own.get('/_sandbox/scenarios?page_size=1000')).body;
      const names = data.map(({ name }: { name: string }) => name);
      expect(names).toEqual([...names].sort());
      expect(data[names.indexOf('broken')]).toEqual(broken);
      expect(names.filter((name: string) => name === 'twice')).toHaveLength(1);
      expectError(await own.dial('+12125550147', playing('broken')), 400, 'validation_error');
      expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
      writeFileSync(join(folder, 'broken.yaml'), busyLine());
      await eventually(async () => expect((await shown(own, 'broken')).error).toBeNull());
    });

    it('a second file of a name shows as `error`, and the first keeps its form', async () => {
      const folder = folderOf({ 'mine.yaml': busyLine('', 'unreachable') });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'mine.json'), '{ "kind": "call", "summary": "Mine.", "extends": "busy" }');
      await eventually(async () => expect((await shown(own, 'mine')).error).toMatch(/mine\.yaml.*mine\.json/));
      expect((await shown(own, 'mine')).timeline[0].trigger).toBe('unreachable');
      rmSync(join(folder, 'mine.yaml'));
      await eventually(async () => expect((await shown(own, 'mine')).error).toBeNull());
      expect((await shown(own, 'mine')).summary).toBe('Mine.');
    });

    it('a folder that is taken away keeps its last good form, shows as `error`, and is read when it is back', async () => {
      const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
      const { own } = await open(folder);
      rmSync(folder, { recursive: true });
      await eventually(async () => expect((await shown(own, 'own_line')).error).toContain('is not a folder'));
      expect((await shown(own, 'busy')).error).toBeNull();
      expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
      mkdirSync(folder);
      writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n', 'unreachable'));
      await eventually(async () => expect((await shown(own, 'own_line')).error).toBeNull());
      expect((await shown(own, 'own_line')).timeline[0].trigger).toBe('unreachable');
    });

    it.each([
      ['an alias that names nothing', 'timeline: *nope\n', /own_line\.yaml:3: \*nope/],
      ['a trigger that every object has', 'timeline: [{ after: 1s, trigger: constructor }]\n', /"constructor" is no/],
      ['lists without an end', `timeline: ${'['.repeat(50_000)}`, /64 levels/],
    ])('an edit with %s is a broken one like any other', async (_, text, reason) => {
      const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'own_line.yaml'), `kind: call\nsummary: Broken.\n${text}`);
      await eventually(async () => expect((await shown(own, 'own_line')).error).toMatch(reason));
      expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
    });

    it('an edit leaves timelines that are planned as they are', async () => {
      const folder = folderOf({ 'own_line.yaml': busyLine() });
      const { own } = await open(folder);
      const id = await own.call('+12125550147', playing('own_line'));
      writeFileSync(join(folder, 'own_line.yaml'), busyLine('', 'unreachable'));
      await eventually(async () => expect((await shown(own, 'own_line')).timeline[0].trigger).toBe('unreachable'));
      await untilIdle(own);
      expect((await own.readCall(id)).status).toBe('BUSY');
    });

    it('new files are taken, and deleted ones uncover what they lay over', async () => {
      const folder = folderOf({ 'busy.yaml': busyLine('numbers: ["01"]\n', 'reject') });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n'));
      rmSync(join(folder, 'busy.yaml'));
      await eventually(async () => expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line'));
      expect(await shown(own, 'busy')).toMatchObject({ origin: 'bundled', error: null });
    });

    it('an edit that claims the number of another file is the broken one, and the other keeps it', async () => {
      const folder = folderOf({
        'a_line.yaml': busyLine('numbers: ["60"]\n'),
        'z_line.yaml': busyLine('numbers: ["61"]\n'),
      });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'a_line.yaml'), busyLine('numbers: ["60", "61"]\n'));
      await eventually(async () => {
        const errors = [(await shown(own, 'a_line')).error, (await shown(own, 'z_line')).error];
        expect(errors.filter((error) => error !== null)).toHaveLength(1);
      });
      expect((await shown(own, 'z_line')).error).toBeNull();
      expect((await shown(own, 'a_line')).error).toContain('a_line.yaml:3');
      expect((await shown(own, 'a_line')).numbers).toEqual(['60']);
      expect(scenarioOf(await own.dial('+12125550161'))).toBe('z_line');
    });

    it('an edit is taken by the files that extend it', async () => {
      const folder = folderOf({
        'base_line.yaml': busyLine(),
        'child_line.yaml': 'kind: call\nsummary: A child.\nextends: base_line\n',
      });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'base_line.yaml'), busyLine('', 'unreachable'));
      await eventually(async () => expect((await shown(own, 'base_line')).timeline[0].trigger).toBe('unreachable'));
      expect((await shown(own, 'child_line')).timeline[0].trigger).toBe('unreachable');
    });

    it('a file that extends the bundled one of its name begins anew from that one with every edit', async () => {
      const text = 'kind: call\nsummary: Busy, after a while.\nextends: busy\n';
      const folder = folderOf({ 'busy.yaml': `${text}parameters: { ring: 9s }\n` });
      const { own } = await open(folder);
      expect((await shown(own, 'busy')).parameters).toEqual({ ring: '9s' });
      writeFileSync(join(folder, 'busy.yaml'), text.replace('after a while', 'at once'));
      await eventually(async () => expect((await shown(own, 'busy')).summary).toContain('at once'));
      expect((await shown(own, 'busy')).parameters).toEqual({ ring: '1s..3s' });
    });

    it('every world sees the edit', async () => {
      const folder = folderOf();
      const { own, sandbox: seen } = await open(folder);
      const other = inWorld('watching', seen);
      await other.get('/v1/account');
      writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n'));
      await eventually(async () => expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line'));
      expect(scenarioOf(await other.dial('+12125550160'))).toBe('own_line');
    });
  });
});
