// Worlds and keys: `interface.md` section 2 row by row, the settings --auto-worlds, --max-worlds and --world-ttl of
// section 1, and worlds, keys and reset of section 5.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { createSandbox, type Sandbox, type SandboxOptions, verifySignature } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { runs } from './support/thorough.ts';
import { eventually } from './support/until.ts';
import { fire, gate } from './support/webhooks.ts';
import { exchange, JSON_TYPE, wireTo } from './support/wire.ts';
import { childOf, childOrganization, clientWith, START } from './support/world.ts';

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
  receiver = await startReceiver();
});
afterEach(() => {
  receiver.got.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

const to = (key: string, own: Sandbox = sandbox): Client => clientOf(own.url, key);
const inWorld = (world: string, own: Sandbox = sandbox): Client => to(`svc_test_${world}`, own);

/** A sandbox of its own, for settings or states that the others must not have. */
async function withSandbox(options: SandboxOptions, body: (own: Sandbox) => Promise<void>): Promise<void> {
  const own = await createSandbox({ clock: 'manual', ...options });
  try {
    await body(own);
  } finally {
    await own.close();
  }
}

const dataOf = async (by: Client, path: string): Promise<Answer['body']> => {
  const answer = await by.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};

const organizationOf = async (by: Client): Promise<string> => (await dataOf(by, '/v1/account')).organization.id;

const worldNames = async (own: Sandbox = sandbox): Promise<string[]> =>
  (await dataOf(clientOf(own.url), '/_sandbox/worlds?page_size=1000')).map(({ name }: { name: string }) => name);

const bundled = ['default', 'demo', 'hipaa', 'regulated', 'other'];
const usualScopes = async (): Promise<string[]> =>
  (await dataOf(client, '/_sandbox/catalog')).scopes.filter((scope: string) => scope !== 'compliance:write');

describe('the bundled keys', () => {
  it.each([
    ['svc_sandbox_default', 'default', 'harbor-street-dental'],
    ['svc_sandbox_compliance', 'default', 'harbor-street-dental'],
    ['svc_sandbox_metadata', 'default', 'harbor-street-dental'],
    ['svc_sandbox_demo', 'demo', 'meridian-home-services'],
    ['svc_sandbox_hipaa', 'hipaa', 'larkspur-clinic'],
    ['svc_sandbox_regulated', 'regulated', 'copperfield-outreach'],
    ['svc_sandbox_other', 'other', 'quayside-motors'],
  ])('%s leads to the world %s', async (key, world, slug) => {
    const answer = await to(key).get('/v1/account');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-sandbox-world']).toBe(world);
    expect(answer.body.data.organization.slug).toBe(slug);
  });

  it('lead to five organizations', async () => {
    const ids = await Promise.all(bundled.map((world) => organizationOf(to(`svc_sandbox_${world}`))));
    expect(new Set(ids).size).toBe(5);
  });

  it('svc_sandbox_webrtc can do nothing but issue browser calling tokens', async () => {
    const { paths } = parse((await client.get('/openapi.yaml')).text) as {
      paths: Record<string, Record<string, { 'x-scopes'?: { any: string[] } }>>;
    };
    const by = to('svc_sandbox_webrtc');
    let refused = 0;
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const scopes = operation['x-scopes']?.any;
        if (!scopes?.length || scopes.includes('voice:webrtc')) continue;
        const answer = await by[method as 'get'](path.replaceAll(/\{\w+\}/g, 'x'));
        expectError(answer, 403, 'scope_missing');
        expect(answer.headers['x-sandbox-world']).toBe('default');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThanOrEqual(18);
    expectError(await by.get('/v1/me'), 403, 'scope_missing');
    expect((await by.post('/v1/webrtc-token')).status).toBe(201);
  });

  it('svc_sandbox_revoked is 401, on the control API too', async () => {
    for (const path of ['/v1/account', '/v1/calls', '/_sandbox/clock', '/_sandbox/requests']) {
      const answer = await to('svc_sandbox_revoked').get(path);
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('svc_sandbox_demo is a demo key with 120 requests a minute', async () => {
    await withSandbox({}, async (own) => {
      const by = to('svc_sandbox_demo', own);
      const first = await by.get('/v1/account');
      expect(first.body.data.is_demo).toBe(true);
      expect(first.headers['x-ratelimit-limit']).toBe('120');
      expect(first.headers['x-ratelimit-remaining']).toBe('119');
      expect(first.headers['ratelimit-policy']).toBe('"default";q=120;w=60');
      for (let requests = 2; requests <= 120; requests++) expect((await by.get('/v1/me')).status).toBe(200);
      expectError(await by.get('/v1/me'), 429, 'rate_limited');
    });
  });

  it('svc_sandbox_demo shows numbers, agents, and finished calls with a transcript', async () => {
    const by = to('svc_sandbox_demo');
    expect((await dataOf(by, '/v1/phone-numbers')).length).toBeGreaterThanOrEqual(4);
    expect((await dataOf(by, '/v1/agents')).length).toBeGreaterThanOrEqual(1);
    const calls = (await dataOf(by, '/v1/calls')) as { id: string; has_transcript: boolean }[];
    const spoken = calls.filter(({ has_transcript }) => has_transcript);
    expect(spoken.length).toBeGreaterThanOrEqual(1);
    for (const { id } of spoken) expect((await dataOf(by, `/v1/calls/${id}/transcript`)).call_id).toBe(id);
  });

  it('svc_sandbox_hipaa shows a finished call with a transcript, which the content policy keeps', async () => {
    const by = to('svc_sandbox_hipaa');
    const calls = (await dataOf(by, '/v1/calls')) as Answer['body'][];
    const spoken = calls.find(({ has_transcript }) => has_transcript);
    expect(spoken).toMatchObject({ status: 'COMPLETED', recording_url: null });
    expectError(await by.get(`/v1/calls/${spoken.id}/transcript`), 403, 'content_policy_forbidden');
  });

  it('svc_sandbox_other shows a second tenant with ids of its own', async () => {
    const idsOf = async (by: Client): Promise<string[]> => {
      const lists = await Promise.all(
        ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers'].map((path) => dataOf(by, path)),
      );
      const rows = lists.flat().map(({ id, caller_id_id }) => String(id ?? caller_id_id));
      return [...rows, (await dataOf(by, '/v1/me')).user.id];
    };
    const [ours, theirs] = [await idsOf(client), await idsOf(to('svc_sandbox_other'))];
    expect(theirs.length).toBeGreaterThan(5);
    expect(ours.filter((id) => theirs.includes(id))).toEqual([]);
  });
});

describe('any other key', () => {
  it.each([
    'svc_',
    'svc_sandbox_',
    'svc_sandbox_nope',
    'svc_sandbox_default_x',
    'svc_sandbox_defaul',
    'SVC_SANDBOX_DEFAULT',
    'sandbox_default',
    'svc_key_0000000000000000000000000000000000000000',
    'x',
  ])('%s is 401, on the control API too', async (key) => {
    for (const path of ['/v1/me', '/_sandbox/clock']) {
      const answer = await to(key).get(path);
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['x-sandbox-world']).toBeUndefined();
    }
  });

  it.each([
    ['without a name', 'svc_test_'],
    ['with nothing before the underscore', 'svc_test__ci'],
    ['in capitals', 'svc_test_NIGHTLY'],
    ['with a capital', 'svc_test_nightlY'],
    ['with a dot', 'svc_test_a.b'],
    ['with a letter beyond a to z', 'svc_test_%C3%A4'],
    ['of 41 characters', `svc_test_${'a'.repeat(41)}`],
    ['in capitals itself', 'SVC_TEST_a'],
  ])('a svc_test_ key %s is 401 and makes no world', async (_, key) => {
    const before = await worldNames();
    for (const path of ['/v1/me', '/_sandbox/clock']) expectError(await to(key).get(path), 401, 'unauthorized');
    expect(await worldNames()).toEqual(before);
  });
});

describe('a svc_test_ key', () => {
  it.each(['a', '0', 'nightly-42', '2026-01-05', 'a'.repeat(40)])('makes the world %s on first use', async (world) => {
    expect(await worldNames()).not.toContain(world);
    const answer = await inWorld(world).get('/v1/account');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-sandbox-world']).toBe(world);
    expect(answer.body.data.organization.slug).toBe('harbor-street-dental');
    expect(await worldNames()).toContain(world);
  });

  it('makes it on a first control request too', async () => {
    expect((await inWorld('by-control').get('/_sandbox/clock')).status).toBe(200);
    expect(await worldNames()).toContain('by-control');
  });

  it.each(['_ci', '_CI.worker-7', '_a_b_c', '_%7Bx%7D'])(
    'with %s after the name leads to the same world',
    async (rest) => {
      const id = await inWorld('suffixed').call('+12125550100');
      const answer = await to(`svc_test_suffixed${rest}`).get(`/v1/calls/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-sandbox-world']).toBe('suffixed');
    },
  );

  it('has the scopes of svc_sandbox_default', async () => {
    const scopes = [...(await dataOf(inWorld('scoped_x'), '/v1/me')).scopes].sort();
    expect(scopes).toEqual([...(await dataOf(client, '/v1/me')).scopes].sort());
    expect(scopes).toEqual([...(await usualScopes())].sort());
  });

  it.each(bundled)('with the name of the bundled world %s means that world', async (world) => {
    const [own, test] = [to(`svc_sandbox_${world}`), inWorld(world)];
    expect(await organizationOf(test)).toBe(await organizationOf(own));
    const id = await test.call('+12125550199');
    expect((await own.readCall(id)).id).toBe(id);
    expect((await to(`svc_test_${world}_x`).get('/v1/me')).headers['x-sandbox-world']).toBe(world);
    await sandbox.world(world).reset();
  });

  it('has a rate window of its own for each full key', async () => {
    const [plain, one, two] = ['svc_test_rated', 'svc_test_rated_1', 'svc_test_rated_2'].map((key) => to(key));
    const remaining = async (by: Client | undefined) => (await by?.get('/v1/me'))?.headers['x-ratelimit-remaining'];
    expect([await remaining(plain), await remaining(plain), await remaining(plain)]).toEqual(['599', '598', '597']);
    expect([await remaining(one), await remaining(one)]).toEqual(['599', '598']);
    expect(await remaining(two)).toBe('599');
    expect(await remaining(plain)).toBe('596');
  });

  it('makes one world, however many requests are the first at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => inWorld('crowded').dial('+12125550100')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(20);
    expect(new Set(answers.map(({ headers }) => headers['x-sandbox-world']))).toEqual(new Set(['crowded']));
    expect((await inWorld('crowded').get('/v1/calls')).body.meta.total_results).toBe(27);
  });

  it('says recreated only where the world had gone', async () => {
    const headers = [];
    for (let requests = 0; requests < 3; requests++) {
      headers.push((await inWorld('never-gone').get('/v1/me')).headers['x-sandbox-world']);
    }
    expect(headers).toEqual(['never-gone', 'never-gone', 'never-gone']);
  });
});

describe('the plaintext of a key', () => {
  it('is nowhere in what the control API shows of keys and requests', async () => {
    const made = (await client.post('/_sandbox/keys', {})).body.data.api_key;
    await to(made).get('/v1/me');
    await client.get('/v1/me');
    const shown = [
      (await client.get('/_sandbox/keys')).text,
      (await client.get('/_sandbox/requests')).text,
      JSON.stringify(await sandbox.requests()),
    ].join('\n');
    for (const key of [made, 'svc_sandbox_default', 'svc_sandbox_metadata']) expect(shown).not.toContain(key);
  });

  it('is not in the state file, where its SHA-256 is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-worlds-'));
    const file = join(folder, 'state.json');
    try {
      let made = '';
      await withSandbox({ state: file }, async (own) => {
        const by = clientOf(own.url);
        made = (await by.post('/_sandbox/keys', {})).body.data.api_key;
        await to(made, own).get('/v1/me');
      });
      const written = readFileSync(file, 'utf8');
      expect(written).toContain(createHash('sha256').update(made).digest('hex'));
      expect(written).not.toContain(made);
      expect(written).not.toContain('svc_sandbox_default');
      await withSandbox({ state: file }, async (own) => {
        expect((await to(made, own).get('/v1/me')).status).toBe(200);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the bundled fixtures', () => {
  const numbers = [
    ['+14155550190', true, 'VERIFIED'],
    ['+14155550191', true, 'VERIFIED'],
    ['+14155550192', false, 'VERIFIED'],
    ['+14155550193', true, 'PENDING_VERIFICATION'],
  ];

  it.each(bundled)('%s owns the four numbers: two to call from, one provisioning, one not verified', async (world) => {
    const by = to(`svc_sandbox_${world}`);
    const callerIds = (await dataOf(by, '/v1/caller-ids')) as { phone_number: string; status: string }[];
    const held = (await dataOf(by, '/v1/phone-numbers')) as Answer['body'][];
    expect(
      held.map(({ phone_number, is_active }) => [
        phone_number,
        is_active,
        callerIds.find((each) => each.phone_number === phone_number)?.status,
      ]),
    ).toEqual(numbers);
    expect(held.slice(0, 2).map(({ texting_status }) => texting_status)).toEqual(['approved', 'approved']);
    const outcomes = [];
    for (const { phone_number } of held) {
      const body = { from_number: phone_number, to_number: '+12125550199' };
      const answer = await by.post('/v1/calls/dial', body);
      outcomes.push(answer.body.error?.code ?? answer.status);
    }
    expect(outcomes).toEqual([202, 202, 'no_active_number', 'call_id_not_verified']);
    await sandbox.world(world).reset();
  });

  it.each(bundled)('%s calls, and is called by, only people with numbers 555-0170 to 0189', async (world) => {
    for (const call of await dataOf(to(`svc_sandbox_${world}`), '/v1/calls?page_size=100')) {
      const other = call.direction === 'inbound' ? call.from_number : call.to_number;
      expect(other).toMatch(/^\+1\d{3}55501[78]\d$/);
    }
  });

  it('default has two agents and a caller ID of each state', async () => {
    expect(await dataOf(client, '/v1/agents')).toHaveLength(2);
    const states = (await dataOf(client, '/v1/caller-ids')).map(({ status }: { status: string }) => status);
    expect(new Set(states)).toEqual(new Set(['PENDING_VERIFICATION', 'VERIFIED', 'REVOKED']));
  });

  it('default has finished calls with and without recording and transcript', async () => {
    const calls = (await dataOf(client, '/v1/calls')) as Answer['body'][];
    const completed = calls.filter(({ status }) => status === 'COMPLETED');
    const kinds = completed.map(({ has_recording, has_transcript }) => `${has_recording} ${has_transcript}`);
    expect(new Set(kinds)).toEqual(new Set(['true true', 'false false']));
  });

  it('default has one sub-entity with a number, verified and active, and a finished call', async () => {
    const child = await childOf(sandbox.url, client);
    const [number, ...numbersBeside] = await dataOf(child, '/v1/phone-numbers');
    expect(number).toMatchObject({ phone_number: '+14155550194', is_active: true });
    expect(numbersBeside).toEqual([]);
    expect((await dataOf(child, '/v1/caller-ids'))[0]).toMatchObject({
      phone_number: '+14155550194',
      status: 'VERIFIED',
    });
    const [call, ...callsBeside] = await dataOf(child, '/v1/calls');
    expect(call).toMatchObject({ status: 'COMPLETED', has_recording: true, has_transcript: true });
    expect(callsBeside).toEqual([]);
  });

  it('default has no enterprise', async () => {
    expect((await dataOf(client, '/v1/account')).footprint.own_brand_enterprise).toBe(false);
  });

  it("date everything by the world's start", async () => {
    const days = 100;
    const shift = (text: string): string =>
      text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => new Date(Date.parse(at) + days * 86_400_000).toISOString());
    const start = new Date(Date.parse(START) + days * 86_400_000).toISOString();
    await withSandbox({ start }, async (own) => {
      for (const path of ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers']) {
        const [here, there] = [await inWorld('dated').get(path), await inWorld('dated', own).get(path)];
        expect(there.text.replaceAll(own.url, ''), path).toBe(shift(here.text.replaceAll(sandbox.url, '')));
      }
    });
  });

  it('sign with sandbox_signing_secret', async () => {
    const by = inWorld('signed');
    const body = { webhook_url: `${receiver.url}/signed`, event_type: 'number_purchased' };
    expect((await by.post('/api/v1/webhook_subscriptions', body)).status).toBe(201);
    await by.post('/_sandbox/events', { event_type: 'number_purchased' });
    await sandbox.world('signed').clock.untilIdle();
    const [delivery] = receiver.got;
    const header = delivery?.headers['x-service-signature-256'] as string;
    expect(verifySignature(delivery?.raw as Buffer, header, 'sandbox_signing_secret')).toBe(true);
    expect(verifySignature(delivery?.raw as Buffer, header, 'another secret')).toBe(false);
  });
});

describe('the regulated world', () => {
  const NEW_YORK = '+12125550199';
  const LOS_ANGELES = '+12135550199';

  /** A sandbox that begins before the window of that Monday. */
  async function regulated(body: (dial: (number: string, at?: string) => Promise<Answer>) => Promise<void>) {
    await withSandbox({ start: '2026-01-05T12:00:00.000Z' }, async (own) => {
      const by = to('svc_sandbox_regulated', own);
      await body(async (number, at) => {
        if (at !== undefined) await own.world('regulated').clock.advance({ to: at });
        return by.dial(number);
      });
    });
  }

  const allowed = (answer: Answer): void => expect(answer.status, answer.text).toBe(202);

  it.each([
    ['+12125550170', 403, 'dnc_suppressed'],
    ['+12125550171', 403, 'recipient_opted_out'],
    ['+12125550172', 403, 'no_consent'],
    ['+12125550173', 403, 'contact_automation_paused'],
  ])('refuses %s with %i %s', async (number, status, code) => {
    await regulated(async (dial) => {
      const answer = await dial(number, '2026-01-05T16:00:00.000Z');
      expectError(answer, status, code);
      expect(answer.body.error.category).toBe('compliance_block');
    });
  });

  it('allows three calls a day to one number', async () => {
    await regulated(async (dial) => {
      for (const time of ['16:00', '17:00', '18:00']) allowed(await dial(NEW_YORK, `2026-01-05T${time}:00.000Z`));
      const fourth = await dial(NEW_YORK);
      expectError(fourth, 429, 'frequency_exceeded');
      expect(fourth.body.error.category).toBe('compliance_block');
      allowed(await dial('+12125550198'));
      allowed(await dial(NEW_YORK, '2026-01-06T18:00:00.000Z'));
    });
  });

  it('allows calls from 08:00:00 to 20:59:59 at the destination', async () => {
    await regulated(async (dial) => {
      expectError(await dial(NEW_YORK, '2026-01-05T12:59:59.000Z'), 403, 'outside_call_window');
      allowed(await dial(NEW_YORK, '2026-01-05T13:00:00.000Z'));
      expectError(await dial(LOS_ANGELES), 403, 'outside_call_window');
      expectError(await dial(LOS_ANGELES, '2026-01-05T15:59:59.000Z'), 403, 'outside_call_window');
      allowed(await dial(LOS_ANGELES, '2026-01-05T16:00:00.000Z'));
      allowed(await dial(NEW_YORK, '2026-01-06T01:59:59.000Z'));
      expectError(await dial(NEW_YORK, '2026-01-06T02:00:00.000Z'), 403, 'outside_call_window');
      allowed(await dial(LOS_ANGELES));
    });
  });

  it('allows calls from Monday to Saturday', async () => {
    await regulated(async (dial) => {
      allowed(await dial(NEW_YORK, '2026-01-10T17:00:00.000Z'));
      expectError(await dial(NEW_YORK, '2026-01-11T17:00:00.000Z'), 403, 'day_not_allowed');
      allowed(await dial(NEW_YORK, '2026-01-12T17:00:00.000Z'));
    });
  });

  it('is the only one whose rules are closed: everywhere else a first dial at night works, a fourth too', async () => {
    await withSandbox({ start: '2026-01-11T08:00:00.000Z' }, async (own) => {
      for (const key of [
        'svc_sandbox_default',
        'svc_sandbox_demo',
        'svc_sandbox_hipaa',
        'svc_sandbox_other',
        'svc_test_n',
      ]) {
        for (let calls = 0; calls < 4; calls++) allowed(await to(key, own).dial(NEW_YORK));
        for (const number of ['70', '71', '72', '73']) allowed(await to(key, own).dial(`+121255501${number}`));
      }
    });
  });
});

describe('worlds of the default fixture', () => {
  const fixtureIds = async (by: Client): Promise<string[]> => {
    const lists = ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers'];
    const rows = (await Promise.all(lists.map((path) => dataOf(by, path)))).flat();
    const ids = rows.map(({ id, caller_id_id }) => String(id ?? caller_id_id));
    return [...ids, (await dataOf(by, '/v1/me')).user.id, await childOrganization(by)];
  };

  it('share the ids of their fixture records, and no organization', async () => {
    const [one, two] = [inWorld('twin-1'), inWorld('twin-2')];
    const ids = await fixtureIds(one);
    expect(ids).toHaveLength(7 + 2 + 5 + 4 + 2);
    expect(await fixtureIds(two)).toEqual(ids);
    expect(await fixtureIds(client)).toEqual(ids);
    const organizations = await Promise.all([one, two, client].map(organizationOf));
    expect(new Set(organizations).size).toBe(3);
    for (const [by, id] of [
      [one, organizations[0]],
      [two, organizations[1]],
    ] as const) {
      for (const { organization_id } of await dataOf(by, '/v1/phone-numbers')) expect(organization_id).toBe(id);
    }
  });

  it('share no id that is made while they run', async () => {
    const made = async (by: Client, world: string): Promise<string[]> => {
      const call = await by.dial('+12125550101');
      const callerId = await by.post('/v1/caller-ids', { phone_number: '+12125550160' });
      const body = { webhook_url: `${receiver.url}/`, event_type: 'call_busy' };
      const subscription = await by.post('/api/v1/webhook_subscriptions', body);
      const key = await by.post('/_sandbox/keys', {});
      await sandbox.world(world).clock.untilIdle();
      const events = await sandbox.world(world).events();
      const deliveries = await sandbox.world(world).deliveries();
      expect([events.length, deliveries.length]).toEqual([4, 1]);
      return [
        call.body.call_id,
        callerId.body.data.caller_id_id,
        subscription.body.id,
        key.body.data.id,
        key.body.data.api_key,
        call.headers['x-sandbox-request-id'] as string,
        ...events.map(({ id }) => id),
        ...deliveries.map(({ id }) => id),
      ];
    };
    const one = await made(inWorld('maker-1'), 'maker-1');
    const two = await made(inWorld('maker-2'), 'maker-2');
    expect(one.filter((id) => two.includes(id))).toEqual([]);
    expect(new Set([...one, ...two]).size).toBe(one.length * 2);
  });

  it('change their fixture records each for itself', async () => {
    const [one, two] = [inWorld('changer-1'), inWorld('changer-2')];
    const before = {
      agents: await dataOf(two, '/v1/agents'),
      callerIds: await dataOf(two, '/v1/caller-ids'),
    };
    const [{ id: agent }] = before.agents;
    const [{ caller_id_id: callerId }] = before.callerIds;
    expect((await one.patch(`/v1/agents/${agent}`, { name: 'Changed', enabled: false })).status).toBe(200);
    expect((await one.delete(`/v1/caller-ids/${callerId}`)).status).toBe(200);
    expect(await dataOf(two, '/v1/agents')).toEqual(before.agents);
    expect(await dataOf(two, '/v1/caller-ids')).toEqual(before.callerIds);
    expect((await dataOf(one, `/v1/agents/${agent}`)).name).toBe('Changed');
    expect((await dataOf(inWorld('changer-3'), `/v1/agents/${agent}`)).name).toBe('Front desk assistant');
  });
});

describe('an id of another world', () => {
  it('is 404 for every kind of object, whatever is asked of it', async () => {
    const [mine, theirs] = [inWorld('mine'), inWorld('theirs')];
    for (const by of [mine, theirs]) await by.dial('+12125550199');
    const call = await mine.call('+12125550101');
    const callerId = (await mine.post('/v1/caller-ids', { phone_number: '+12125550160' })).body.data.caller_id_id;
    const body = { webhook_url: `${receiver.url}/mine`, event_type: 'call_busy' };
    const subscription = (await mine.post('/api/v1/webhook_subscriptions', body)).body.id;
    const key = (await mine.post('/_sandbox/keys', {})).body.data;
    const child = (await mine.post('/v1/sub-entities', { name: 'Mine Alone' })).body.data.id;
    const contact = (await mine.post('/_sandbox/simulate/new-contact', {})).body.data.id;
    const number = (await mine.post('/v1/phone-numbers', { area_code: '212' })).body.data;
    const message = (await mine.post('/v1/sms/send', { to_number: '+12125550147', body: 'Hello' })).body.data.id;
    const source = 'kind: call\nsummary: Mine alone.\nextends: busy\n';
    const put = await mine.put('/_sandbox/scenarios/mine-alone', source, { 'Content-Type': 'application/yaml' });
    expect(put.status, put.text).toBeLessThan(300);
    await sandbox.world('mine').clock.untilIdle();
    const request = (await sandbox.world('mine').requests())[0]?.id;
    const delivery = (await sandbox.world('mine').deliveries())[0]?.id;

    const asked: ['get' | 'post' | 'put' | 'delete', string, object?][] = [
      ['get', `/v1/calls/${call}`],
      ['post', `/v1/calls/${call}/hangup`],
      ['get', `/v1/calls/${call}/transcript`],
      ['post', `/v1/caller-ids/${callerId}/verify`, { verification_code: '000000' }],
      ['delete', `/v1/caller-ids/${callerId}`],
      ['get', `/_sandbox/caller-ids/${callerId}/verification-code`],
      ['get', `/v1/contacts/${contact}`],
      ['get', `/v1/phone-numbers/${number.id}`],
      ['put', `/v1/phone-numbers/${number.id}/cnam`, { cnam_display_name: 'STOLEN' }],
      ['delete', `/v1/phone-numbers/${number.id}`],
      ['get', `/v1/sms/${message}`],
      ['post', '/_sandbox/simulate/inbound-sms', { in_reply_to: message }],
      ['post', '/_sandbox/simulate/inbound-sms', { to_number: number.phone_number }],
      ['get', `/v1/sub-entities/${child}`],
      ['post', '/_sandbox/keys', { organization_id: child }],
      ['post', '/_sandbox/simulate/new-contact', { organization_id: child }],
      ['post', '/_sandbox/simulate/new-appointment', { contact_id: contact }],
      ['delete', `/api/v1/webhook_subscriptions/${subscription}`],
      ['get', `/_sandbox/webhook-subscriptions/${subscription}`],
      ['put', `/_sandbox/webhook-subscriptions/${subscription}`, { signing_secret: 'stolen' }],
      ['delete', `/_sandbox/keys/${key.id}`],
      ['get', '/_sandbox/scenarios/mine-alone'],
      ['get', `/_sandbox/requests/${request}`],
      ['get', `/_sandbox/deliveries/${delivery}`],
      ['post', `/_sandbox/deliveries/${delivery}/redeliver`],
    ];
    for (const [method, path, sent] of asked) {
      const answer =
        method === 'get' || method === 'delete' ? await theirs[method](path) : await theirs[method](path, sent);
      expectError(answer, 404, 'not_found');
    }
    const scenario = await theirs.dial('+12125550100', { 'X-Sandbox-Scenario': 'mine-alone' });
    expectError(scenario, 400, 'validation_error');

    expect((await mine.readCall(call)).status).toBe('BUSY');
    expect((await to(key.api_key).get('/v1/me')).status).toBe(200);
    expect((await dataOf(mine, `/_sandbox/webhook-subscriptions/${subscription}`)).signing_secret).toBe(
      'sandbox_signing_secret',
    );
  });

  it('is 404 for every record of a second tenant, in both directions', async () => {
    for (const [by, of] of [
      [client, to('svc_sandbox_other')],
      [to('svc_sandbox_other'), client],
    ] as const) {
      for (const { id } of await dataOf(of, '/v1/calls'))
        expectError(await by.get(`/v1/calls/${id}`), 404, 'not_found');
      for (const { id } of await dataOf(of, '/v1/agents')) {
        expectError(await by.get(`/v1/agents/${id}`), 404, 'not_found');
        expectError(await by.patch(`/v1/agents/${id}`, { enabled: false }), 404, 'not_found');
      }
      for (const { caller_id_id } of await dataOf(of, '/v1/caller-ids')) {
        expectError(await by.delete(`/v1/caller-ids/${caller_id_id}`), 404, 'not_found');
      }
    }
  });
});

/** What someone does in a world, drawn by chance; `mind` remembers what it was answered. */
interface Mind {
  readonly world: string;
  readonly calls: string[];
  readonly callerIds: string[];
  readonly subscriptions: string[];
}
type Deed = (by: Client, mind: Mind, pick: number) => Promise<Answer>;

const one = (ids: readonly string[], pick: number): string => ids[pick % ids.length] ?? 'none';
const eventTypes = ['new_call', 'call_completed', 'call_busy', 'call_no_answer', 'phone_call.ended'];

const deeds: Record<string, Deed> = {
  async dial(by, mind, pick) {
    const answer = await by.dial(`+1212555010${pick}`);
    if (answer.status === 202) mind.calls.push(answer.body.call_id ?? answer.body.data.call_id);
    return answer;
  },
  hangUp: (by, mind, pick) => by.post(`/v1/calls/${one(mind.calls, pick)}/hangup`),
  async add(by, mind, pick) {
    const answer = await by.post('/v1/caller-ids', { phone_number: `+1212555016${pick}` });
    if (answer.status === 201) mind.callerIds.push(answer.body.data.caller_id_id);
    return answer;
  },
  async verify(by, mind, pick) {
    const id = one(mind.callerIds, pick);
    const code = await by.get(`/_sandbox/caller-ids/${id}/verification-code`);
    const verification_code = pick % 3 === 0 ? 'wrong' : (code.body.data?.verification_code ?? 'none');
    return by.post(`/v1/caller-ids/${id}/verify`, { verification_code });
  },
  revoke: (by, mind, pick) => by.delete(`/v1/caller-ids/${one(mind.callerIds, pick)}`),
  async configure(by, _, pick) {
    const agents = (await by.get('/v1/agents')).body.data as { id: string }[];
    return by.patch(`/v1/agents/${agents[pick % 2]?.id}`, { greeting: `Greeting ${pick}` });
  },
  async subscribe(by, mind, pick) {
    const webhook_url = `${receiver.url}/${mind.world}/${mind.subscriptions.length}`;
    const body = { webhook_url, event_type: one(eventTypes, pick) };
    const answer = await by.post('/api/v1/webhook_subscriptions', body);
    mind.subscriptions.push(answer.body.id);
    return answer;
  },
  async unsubscribe(by, mind, pick) {
    await by.post('/_sandbox/clock/advance', { by: '0s' });
    return by.delete(`/api/v1/webhook_subscriptions/${one(mind.subscriptions, pick)}`);
  },
  activate: (by, _, pick) =>
    by.put('/_sandbox/active-scenarios/call', { use: pick % 2 ? 'no_answer' : ['busy', 'busy'] }),
  deactivate: (by) => by.delete('/_sandbox/active-scenarios/call'),
  envelope: (by, _, pick) =>
    by.put('/_sandbox/assumptions/dial_response_envelope', { value: pick % 2 ? 'data' : 'flat' }),
  overlay: (by, _, pick) =>
    by.put(
      '/_sandbox/scenarios/answered',
      `kind: call\nsummary: Quicker.\nextends: answered\nparameters: { ring: ${pick + 1}s }\n`,
      {
        'Content-Type': 'application/yaml',
      },
    ),
  key: (by) => by.post('/_sandbox/keys', { scopes: ['account:read'] }),
  ring: (by) => by.post('/_sandbox/simulate/inbound-call', {}),
  befriend: (by, _, pick) => by.post('/_sandbox/simulate/new-contact', { name: `Contact ${pick}` }),
  book: (by) => by.post('/_sandbox/simulate/new-appointment', {}),
  found: (by, _, pick) => by.post('/v1/sub-entities', { name: `Branch ${pick}` }),
  async pass(by, _, pick) {
    const answer = await by.post('/_sandbox/clock/advance', { by: `${pick * 3}s` });
    return { ...answer, body: { now: answer.body.data.now } };
  },
  /** Once deliveries have arrived: whether one is still under way, and so shown as canceled, is a matter of speed. */
  async reset(by) {
    await by.post('/_sandbox/clock/advance', { by: '0s' });
    return by.post('/_sandbox/reset');
  },
};

/** What is always granted; a program of refusals would show nothing. */
const granted = [
  'configure',
  'subscribe',
  'activate',
  'deactivate',
  'envelope',
  'overlay',
  'key',
  'ring',
  'befriend',
  'book',
  'found',
  'pass',
  'reset',
];

interface Move {
  readonly world: string;
  readonly deed: string;
  readonly pick: number;
}

const programs = (worlds: readonly string[], maxLength: number): fc.Arbitrary<Move[]> => {
  const move = fc.record({
    world: fc.constantFrom(...worlds),
    // Dials and passing time more often than the rest, so that there is something to see.
    deed: fc.constantFrom(...Object.keys(deeds), 'dial', 'dial', 'dial', 'pass', 'subscribe'),
    pick: fc.nat(9),
  });
  return fc.array(move, { minLength: 5, maxLength });
};

/** Plays a program; answers what each world's part of it was answered, and what every list of it then shows. */
async function play(own: Sandbox, moves: readonly Move[]): Promise<{ seen: Record<string, unknown[]>; minds: Mind[] }> {
  const minds = new Map<string, Mind>();
  const seen: Record<string, unknown[]> = {};
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(own.url, 'http://sandbox'));
  for (const { world, deed, pick } of moves) {
    const mind = minds.get(world) ?? { world, calls: [], callerIds: [], subscriptions: [] };
    minds.set(world, mind);
    const { status, body, headers } = await (deeds[deed] as Deed)(inWorld(world, own), mind, pick);
    if (granted.includes(deed)) expect(status, deed).toBeLessThan(300);
    const log = seen[world] ?? [];
    seen[world] = log;
    log.push([deed, status, plain(body), headers['x-sandbox-request-id'] ?? null]);
  }
  for (const world of minds.keys()) {
    const handle = own.world(world);
    await handle.clock.untilIdle();
    const by = inWorld(world, own);
    for (const path of [
      '/v1/account',
      '/v1/me',
      '/v1/calls?page_size=100',
      '/v1/agents',
      '/v1/appointments',
      '/v1/caller-ids',
      '/v1/contacts',
      '/v1/phone-numbers',
      '/v1/sub-entities',
      '/v1/usage',
      '/api/v1/webhook_subscriptions',
      '/_sandbox/clock',
      '/_sandbox/keys',
      '/_sandbox/scenarios',
      '/_sandbox/active-scenarios/call',
      '/_sandbox/assumptions',
      '/_sandbox/events',
    ]) {
      seen[world]?.push([path, plain((await by.get(path)).body)]);
    }
    for (const { id, at, method, path, status, error_code, scenario, request, response } of await handle.requests()) {
      seen[world]?.push(plain([id, at, method, path, status, error_code, scenario, request.body, response.body]));
    }
    for (const { id, event_id, subscription_id, url, status, body } of await handle.deliveries()) {
      seen[world]?.push([id, event_id, subscription_id, url, status, body]);
    }
  }
  return { seen, minds: [...minds.values()] };
}

/** What the receiver has got, by path, and forgets then. */
function delivered(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const { path, raw } of receiver.got.splice(0)) paths[path] = [...(paths[path] ?? []), raw.toString()];
  return paths;
}

describe('isolation', () => {
  it('a world answers, lists, journals and delivers as if it were alone, whatever is done in others', async () => {
    await fc.assert(
      fc.asyncProperty(programs(['ash', 'birch'], 30), async (moves) => {
        const together = await createSandbox({ clock: 'manual', rateLimit: 'off' });
        const both = await play(together, moves);
        const heard = delivered();
        try {
          for (const world of ['ash', 'birch']) {
            const alone = await createSandbox({ clock: 'manual', rateLimit: 'off' });
            const { seen } = await play(
              alone,
              moves.filter((move) => move.world === world),
            );
            await alone.close();
            expect(both.seen[world]).toEqual(seen[world]);
            const own = Object.entries(heard).filter(([path]) => path.startsWith(`/${world}/`));
            expect(Object.fromEntries(own)).toEqual(delivered());
          }
          for (const mind of both.minds) {
            const by = inWorld(mind.world === 'ash' ? 'birch' : 'ash', together);
            for (const id of mind.calls) expectError(await by.get(`/v1/calls/${id}`), 404, 'not_found');
            for (const id of mind.callerIds) expectError(await by.delete(`/v1/caller-ids/${id}`), 404, 'not_found');
          }
          const untouched = clientOf(together.url);
          expect((await untouched.get('/v1/calls')).body.meta.total_results).toBe(7);
          expect(await together.events()).toEqual([]);
          expect((await together.requests()).map(({ path }) => path)).toEqual(['/v1/calls']);
        } finally {
          await together.close();
        }
      }),
      { numRuns: runs(3, 12) },
    );
  });

  it("waiting for an event passes over another world's", async () => {
    const [heard, other] = [inWorld('waits'), inWorld('busy-elsewhere')];
    const waiting = heard.get('/_sandbox/wait?event_type=call_busy&timeout=10s');
    const elsewhere = await other.call('+12125550101');
    await sandbox.world('busy-elsewhere').clock.untilIdle();
    const own = await heard.call('+12125550101');
    await sandbox.world('waits').clock.untilIdle();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.body.data.payload.id).toBe(own);
    expect(own).not.toBe(elsewhere);
  });

  it('each world has its own clock', async () => {
    const [early, late] = [inWorld('early'), inWorld('late')];
    const [before, after] = [await early.call('+12125550101'), await late.call('+12125550101')];
    await sandbox.world('late').clock.advance('1d');
    expect((await early.readCall(before)).status).toBe('QUEUED');
    expect((await late.readCall(after)).status).toBe('BUSY');
    expect(await sandbox.world('early').clock.now()).toBe(START);
    expect(await sandbox.world('late').clock.now()).toBe('2026-01-06T15:00:00.000Z');
  });
});

describe('what follows from the seed', () => {
  const moves = programs(['cedar'], 25);

  it('two sandboxes with one seed answer one order of requests alike, down to the webhook bytes', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(1_000_000), async (program, seed) => {
        const runs = [];
        for (let run = 0; run < 2; run++) {
          const own = await createSandbox({ clock: 'manual', rateLimit: 'off', seed });
          const { seen } = await play(own, program);
          await own.close();
          runs.push({ seen, delivered: delivered() });
        }
        expect(runs[1]).toEqual(runs[0]);
      }),
      { numRuns: runs(2, 8) },
    );
  });

  it('another seed gives other ids, of the fixture and of what is made', async () => {
    const idsFor = async (seed: number): Promise<string[]> => {
      const own = await createSandbox({ clock: 'manual', seed });
      const by = clientOf(own.url);
      const { data: calls } = (await by.get('/v1/calls')).body;
      const { data: agents } = (await by.get('/v1/agents')).body;
      const { data: callerIds } = (await by.get('/v1/caller-ids')).body;
      const { user, organization } = await dataOf(by, '/v1/me');
      const dialled = await by.dial('+12125550100');
      const key = (await by.post('/_sandbox/keys', {})).body.data;
      await own.close();
      return [
        ...[...calls, ...agents].map(({ id }) => id),
        ...callerIds.map(({ caller_id_id }: { caller_id_id: string }) => caller_id_id),
        user.id,
        organization.id,
        dialled.body.call_id,
        dialled.headers['x-sandbox-request-id'],
        key.api_key,
      ];
    };
    const [first, again, other] = [await idsFor(7), await idsFor(7), await idsFor(8)];
    expect(again).toEqual(first);
    expect(other).toHaveLength(first.length);
    expect(other.filter((id) => first.includes(id))).toEqual([]);
  });

  it('the id of the n-th object of a kind does not depend on what else was made, nor on other worlds', async () => {
    const third = async (between: (by: Client, own: Sandbox) => Promise<unknown>): Promise<string> => {
      const own = await createSandbox({ clock: 'manual' });
      const by = inWorld('ordinal', own);
      await by.call('+12125550100');
      await between(by, own);
      await by.call('+12125550101');
      await between(by, own);
      const id = await by.call('+12125550102');
      await own.close();
      return id;
    };
    const plain = await third(async () => {});
    expect(await third((by) => by.post('/v1/caller-ids', { phone_number: '+12125550160' }))).toBe(plain);
    expect(await third((by) => by.get('/v1/calls'))).toBe(plain);
    expect(await third((by) => by.dial('911'))).toBe(plain);
    expect(await third((by) => by.dial('+12125550111'))).toBe(plain);
    expect(await third((_, own) => inWorld('beside', own).call('+12125550100'))).toBe(plain);
  });

  it('a world is the same whether a key made it on first use or it was posted', async () => {
    const first = async (post: boolean): Promise<unknown> => {
      const own = await createSandbox({ clock: 'manual' });
      if (post) await clientOf(own.url).post('/_sandbox/worlds', { name: 'either' });
      const by = inWorld('either', own);
      const shown = [await organizationOf(by), await by.call('+12125550100'), await dataOf(by, '/v1/agents')];
      await own.close();
      return shown;
    };
    expect(await first(true)).toEqual(await first(false));
  });
});

describe('--auto-worlds off', () => {
  it('makes no world on first use, and serves those that are there', async () => {
    await withSandbox({ autoWorlds: 'off' }, async (own) => {
      for (const path of ['/v1/me', '/_sandbox/clock']) {
        expectError(await inWorld('unheard-of', own).get(path), 401, 'unauthorized');
      }
      expect((await worldNames(own)).sort()).toEqual([...bundled].sort());
      expect((await inWorld('demo', own).get('/v1/me')).headers['x-sandbox-world']).toBe('demo');
      const { api_key } = (await clientOf(own.url).post('/_sandbox/worlds', { name: 'posted' })).body.data;
      expect((await to(api_key, own).get('/v1/me')).headers['x-sandbox-world']).toBe('posted');
      expect((await to(`${api_key}_x`, own).get('/v1/me')).status).toBe(200);
    });
  });
});

describe('--max-worlds', () => {
  const use = async (own: Sandbox, world: string): Promise<string | undefined> =>
    (await inWorld(world, own).get('/v1/me')).headers['x-sandbox-world'];
  const beside = async (own: Sandbox): Promise<string[]> =>
    (await worldNames(own)).filter((name) => !bundled.includes(name)).sort();

  it('lets the longest idle world go for a new one, which says so when it is made anew', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      const call = await inWorld('one', own).call('+12125550100');
      await use(own, 'two');
      expect(await beside(own)).toEqual(['one', 'two']);
      await use(own, 'three');
      expect(await beside(own)).toEqual(['three', 'two']);

      const answer = await inWorld('one', own).get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('one;recreated');
      expect(await use(own, 'one')).toBe('one');
      expect(await beside(own)).toEqual(['one', 'three']);
      expect(await use(own, 'two')).toBe('two;recreated');
    });
  });

  it('lets one world go for a new one, however many of its requests come at once, and one answer says recreated', async () => {
    await withSandbox({ maxWorlds: 8 }, async (own) => {
      for (const world of ['one', 'two', 'three', 'four']) await use(own, world);
      expect(await beside(own)).toEqual(['four', 'three', 'two']);
      const shown = await Promise.all(Array.from({ length: 10 }, () => use(own, 'one')));
      expect(await beside(own)).toEqual(['four', 'one', 'three']);
      expect(shown.filter((world) => world === 'one;recreated')).toHaveLength(1);
    });
  });

  it('counts a request as use', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      await use(own, 'one');
      await use(own, 'two');
      await use(own, 'one');
      await use(own, 'three');
      expect(await beside(own)).toEqual(['one', 'three']);
    });
  });

  it('spares a world with a delivery that is under way', async () => {
    await withSandbox({ maxWorlds: 7 }, async (own) => {
      const held = await startReceiver();
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held.onDelivery = () => released;
      try {
        const by = inWorld('delivering', own);
        const body = { webhook_url: held.url, event_type: 'new_call' };
        await by.post('/api/v1/webhook_subscriptions', body);
        await by.dial('+12125550100');
        await use(own, 'idle');
        await use(own, 'next');
        expect(await beside(own)).toEqual(['delivering', 'next']);
      } finally {
        release();
        await held.close();
      }
    });
  });

  it('never lets bundled and posted worlds go, and refuses a POST past the maximum', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const by = clientOf(own.url);
      expect((await by.post('/_sandbox/worlds', { name: 'posted' })).status).toBe(201);
      expectError(await by.post('/_sandbox/worlds', { name: 'one-too-many' }), 409, 'conflict');
      expect((await worldNames(own)).sort()).toEqual([...bundled, 'posted'].sort());
      expect((await inWorld('crowded-out', own).get('/v1/me')).status).not.toBe(200);
      expect((await worldNames(own)).sort()).toEqual([...bundled, 'posted'].sort());
      await by.delete('/_sandbox/worlds/posted');
      expect((await by.post('/_sandbox/worlds', { name: 'one-too-many' })).status).toBe(201);
    });
  });

  it('holds however many worlds are asked for at once', async () => {
    await withSandbox({ maxWorlds: 10 }, async (own) => {
      const first = (world: number): string =>
        `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_test_at-once-${world}\r\n\r\n`;
      const last = first(0).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
      const { statuses } = await exchange(own.url, [...Array.from({ length: 40 }, (_, n) => first(n)), last].join(''));
      expect(statuses).toHaveLength(41);
      expect(await worldNames(own)).toHaveLength(10);
    });
  });

  it('a POST that is refused lets no world go: an existing name is 409, an unknown fixture 400', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const by = clientOf(own.url);
      const call = await inWorld('one', own).call('+12125550100');
      expectError(await by.post('/_sandbox/worlds', { name: 'demo' }), 409, 'conflict');
      expect(await beside(own)).toEqual(['one']);
      expectError(await by.post('/_sandbox/worlds', { name: 'new', fixtures: 'nope' }), 400, 'validation_error');
      expect(await beside(own)).toEqual(['one']);
      expect((await inWorld('one', own).readCall(call)).status).toBe('QUEUED');
    });
  });

  it('a POST with the name of a world that a key made is 409 at the maximum too, and its records stay', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      const call = await inWorld('one', own).call('+12125550100');
      expectError(await clientOf(own.url).post('/_sandbox/worlds', { name: 'one' }), 409, 'conflict');
      expect((await inWorld('one', own).readCall(call)).status).toBe('QUEUED');
    });
  });

  it('a world that a control request made anew says so on its first answer', async () => {
    await withSandbox({ maxWorlds: 6 }, async (own) => {
      await use(own, 'one');
      await use(own, 'two');
      const control = await inWorld('one', own).get('/_sandbox/clock');
      const platform = await use(own, 'one');
      expect([control.headers['x-sandbox-world'], platform]).toContain('one;recreated');
    });
  });
});

describe('--world-ttl', () => {
  const MINUTE = 60_000;
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Hands the machine's time to the test: the server's sweep and its reading of the clock, nothing of the network. */
  async function withMachineTime(options: SandboxOptions, body: (own: Sandbox) => Promise<void>): Promise<void> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    await withSandbox(options, body);
  }

  it('lets a world go that was idle for an hour, and keeps the ones that were used, posted or bundled', async () => {
    await withMachineTime({}, async (own) => {
      const call = await inWorld('idle', own).call('+12125550100');
      await inWorld('used', own).get('/v1/me');
      await clientOf(own.url).post('/_sandbox/worlds', { name: 'posted' });
      await vi.advanceTimersByTimeAsync(30 * MINUTE);
      await inWorld('used', own).get('/v1/me');
      await vi.advanceTimersByTimeAsync(29 * MINUTE);
      expect((await worldNames(own)).sort()).toEqual([...bundled, 'idle', 'posted', 'used'].sort());
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      expect((await worldNames(own)).sort()).toEqual([...bundled, 'posted', 'used'].sort());

      const answer = await inWorld('idle', own).get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('idle;recreated');
      expect((await inWorld('idle', own).get('/v1/me')).headers['x-sandbox-world']).toBe('idle');
    });
  });

  it('takes another time, and goes by the machine, not by the clock of the world', async () => {
    await withMachineTime({ worldTtl: '10m' }, async (own) => {
      await inWorld('brief', own).get('/v1/me');
      await own.world('brief').clock.advance('30d');
      await vi.advanceTimersByTimeAsync(9 * MINUTE);
      expect(await worldNames(own)).toContain('brief');
      await vi.advanceTimersByTimeAsync(2 * MINUTE);
      expect(await worldNames(own)).not.toContain('brief');
    });
  });

  it('holds to the millisecond for whoever asks next, swept up or not', async () => {
    await withMachineTime({ worldTtl: '1s' }, async (own) => {
      const first = inWorld('brief', own);
      const call = await first.call('+12125550100');
      const { api_key } = (await first.post('/_sandbox/keys', {})).body.data;
      const keyed = to(api_key, own);
      vi.setSystemTime(Date.now() + 999);
      expect((await keyed.readCall(call)).id).toBe(call);
      vi.setSystemTime(Date.now() + 1000);
      expectError(await keyed.get(`/v1/calls/${call}`), 401, 'unauthorized');
      const answer = await first.get(`/v1/calls/${call}`);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-world']).toBe('brief;recreated');
      vi.setSystemTime(Date.now() + 1000);
      expect((await first.get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('brief;recreated');
    });
  });

  it('sweeps as often as it is short', async () => {
    await withMachineTime({ worldTtl: '1s' }, async (own) => {
      await inWorld('brief', own).get('/v1/me');
      await vi.advanceTimersByTimeAsync(1500);
      expect(await worldNames(own)).not.toContain('brief');
    });
  });

  it('counts requests with the control token and calls of the library as use', async () => {
    await withMachineTime({ worldTtl: '1s', controlToken: 'let-me-in' }, async (own) => {
      const control = to('let-me-in', own);
      const inBrief = { 'X-Sandbox-World': 'brief' };
      await control.get('/_sandbox/clock', inBrief);
      for (const use of [() => control.get('/_sandbox/clock', inBrief), () => own.world('brief').clock.now()]) {
        vi.setSystemTime(Date.now() + 900);
        await use();
        vi.setSystemTime(Date.now() + 900);
        expect((await control.get('/_sandbox/clock', inBrief)).headers['x-sandbox-world']).toBe('brief');
      }
      vi.setSystemTime(Date.now() + 1000);
      expect((await control.get('/_sandbox/clock', inBrief)).headers['x-sandbox-world']).toBe('brief;recreated');
    });
  });

  it('spares a world with a delivery that is under way', async () => {
    await withMachineTime({ worldTtl: '1s' }, async (own) => {
      const held = await startReceiver();
      let release = (): void => {};
      held.onDelivery = () => new Promise<void>((resolve) => (release = resolve));
      const by = inWorld('delivering', own);
      await by.post('/api/v1/webhook_subscriptions', { webhook_url: held.url, event_type: 'new_call' });
      const call = await by.call('+12125550100');
      vi.setSystemTime(Date.now() + 5000);
      expect((await by.readCall(call)).id).toBe(call);
      await vi.waitFor(() => expect(held.got).toHaveLength(1));
      release();
      await held.close();
    });
  });

  it.each<[what: string, world: string, begin: (own: Sandbox, by: Client) => Promise<() => Promise<unknown>>]>([
    [
      'a body is still to come',
      'receiving',
      async (own, by) => {
        const wire = wireTo(own.url);
        const body = gate();
        const sent = { method: 'POST', path: '/v1/client-tokens', key: by.key, headers: JSON_TYPE, body: '{}' };
        const answered = wire.send({ ...sent, bodyAfter: body.opened });
        await vi.waitFor(async () => expect(await worldNames(own)).toContain('receiving'));
        return async () => {
          body.open();
          expect((await answered).status).toBe(201);
          wire.close();
        };
      },
    ],
    [
      'an answer is delayed',
      'delaying',
      async (own, by) => {
        const answered = by.get('/v1/me', { 'X-Sandbox-Delay': '2s' });
        await vi.waitFor(async () => expect(await own.world('delaying').requests()).toHaveLength(1));
        return () => answered;
      },
    ],
    [
      'the library waits',
      'waiting',
      async (own, by) => {
        const happened = own.world('waiting').waitFor({ event_type: 'call_busy' });
        await own.world('waiting').clock.now();
        return async () => {
          await fire(by, 'call_busy');
          await happened;
        };
      },
    ],
  ])('spares a world as long as %s, and counts from the end of that', async (_, world, begin) => {
    await withMachineTime({ worldTtl: '10s' }, async (own) => {
      const end = await begin(own, inWorld(world, own));
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await worldNames(own)).toContain(world);
      await end();
      await vi.advanceTimersByTimeAsync(9000);
      expect(await worldNames(own)).toContain(world);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await worldNames(own)).not.toContain(world);
    });
  });
});

/** Begins a POST of `{}` and leaves its second byte out until `end`, which answers status and body as one text. */
async function halfOf(path: string, headers: Record<string, string>): Promise<{ end: () => Promise<string> }> {
  const outgoing = request(sandbox.url + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 2 },
  });
  const answered = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      resolve(`${incoming.statusCode} ${text}`);
    });
  });
  await new Promise<unknown>((resolve) => outgoing.write('{', resolve));
  return {
    end() {
      outgoing.end('}');
      return answered;
    },
  };
}

describe('the worlds of the control API', () => {
  it('are listed with their organization', async () => {
    await inWorld('listed').get('/v1/me');
    const answer = await client.get('/_sandbox/worlds?page_size=1000');
    expect(answer.status).toBe(200);
    const { data, meta } = answer.body;
    expect(meta).toEqual({ cursor: null, total_results: data.length, page_size: 1000 });
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([...bundled, 'listed']));
    expect(new Set(names).size).toBe(names.length);
    for (const world of [...bundled, 'listed']) {
      const shown = data.find(({ name }: { name: string }) => name === world);
      expect(shown.organization_id).toBe(await organizationOf(inWorld(world)));
    }
  });

  it('are paged', async () => {
    const all = await worldNames();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, meta }: Answer['body'] = (await client.get(`/_sandbox/worlds?page_size=3${from}`)).body;
      expect(data.length).toBeLessThanOrEqual(3);
      expect(meta.total_results).toBe(all.length);
      seen.push(...data.map(({ name }: { name: string }) => name));
      cursor = meta.cursor;
    }
    expect(seen).toEqual(all);
  });

  it('can be made by name: 201 with what a test needs', async () => {
    const answer = await client.post('/_sandbox/worlds', { name: 'made' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        name: 'made',
        organization_id: expect.any(String),
        api_key: 'svc_test_made',
        signing_secret: 'sandbox_signing_secret',
      },
    });
    const own = await inWorld('made').get('/v1/account');
    expect(own.headers['x-sandbox-world']).toBe('made');
    expect(own.body.data.organization.id).toBe(answer.body.data.organization_id);
  });

  it('can be made without a name, many at once, each with one of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/_sandbox/worlds', {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const made = answers.map(({ body }) => body.data);
    expect(new Set(made.map(({ name }) => name)).size).toBe(8);
    for (const { name, api_key, organization_id } of made) {
      expect(name).toMatch(/^[a-z0-9-]{1,40}$/);
      expect(api_key).toBe(`svc_test_${name}`);
      expect(await organizationOf(to(api_key))).toBe(organization_id);
    }
  });

  it.each(['default', 'demo', 'taken-by-a-key', 'taken-by-a-post'])('a name that exists is 409: %s', async (name) => {
    await inWorld('taken-by-a-key').get('/v1/me');
    await client.post('/_sandbox/worlds', { name: 'taken-by-a-post' });
    const before = await dataOf(inWorld(name), '/v1/account');
    expectError(await client.post('/_sandbox/worlds', { name }), 409, 'conflict');
    expect(await dataOf(inWorld(name), '/v1/account')).toEqual(before);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'Nightly' }],
    ['name', { name: 'a_b' }],
    ['name', { name: 'a b' }],
    ['name', { name: 'a'.repeat(41) }],
    ['name', { name: 5 }],
    ['fixtures', { fixtures: 'nope' }],
    ['fixtures', { fixtures: ['default'] }],
    ['clock', { clock: 'slow' }],
    ['clock', { clock: '0x' }],
    ['speed', { speed: 2 }],
  ])('a malformed %s is 400 and named (case %#)', async (field, body) => {
    const before = await worldNames();
    const answer = await client.post('/_sandbox/worlds', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await worldNames()).toEqual(before);
  });

  it('begin with the fixture that was named, whose ids they share', async () => {
    await client.post('/_sandbox/worlds', { name: 'like-demo', fixtures: 'demo' });
    const [like, demo] = [inWorld('like-demo'), to('svc_sandbox_demo')];
    expect(await dataOf(like, '/v1/agents')).toEqual(await dataOf(demo, '/v1/agents'));
    expect(await organizationOf(like)).not.toBe(await organizationOf(demo));
    expect((await dataOf(like, '/v1/account')).is_demo).toBe(false);
  });

  it.each([
    ['manual', START],
    ['instant', START],
    ['real', null],
    ['20x', null],
  ])('begin with the clock that was named: %s', async (clock, now) => {
    const name = `clock-${clock}`;
    await client.post('/_sandbox/worlds', { name, clock });
    const shown = await dataOf(inWorld(name), '/_sandbox/clock');
    expect(shown.mode).toBe(clock);
    if (now !== null) expect(shown.now).toBe(now);
    // A minute of leeway for a machine that is busy.
    else expect(Math.abs(Date.parse(shown.now) - Date.now())).toBeLessThan(60_000);
  });

  it('that are deleted while a request comes in leave it 401 with a key of theirs, and 404 with a lead source', async () => {
    await client.post('/_sandbox/worlds', { name: 'short-lived' });
    const { api_key } = (await inWorld('short-lived').post('/_sandbox/keys', {})).body.data;
    const lead = { 'X-Source-Secret': 'sandbox_lead_secret' };
    const half = [
      await halfOf('/v1/webrtc-token', { Authorization: `Bearer ${api_key}` }),
      await halfOf('/v1/leads/lead_short-lived', lead),
    ];
    // Both have been admitted once each has been counted.
    for (const probe of [() => to(api_key).get('/v1/me'), () => to('').post('/v1/leads/lead_short-lived', {}, lead)]) {
      for (let asked = 1; ; asked++) {
        const answer = await probe();
        if (Number(answer.headers['x-ratelimit-remaining']) < 600 - asked) break;
      }
    }
    await client.delete('/_sandbox/worlds/short-lived');
    const [byKey, bySource] = await Promise.all(half.map((request) => request.end()));
    expect([byKey, bySource]).toEqual([
      expect.stringMatching(/^401 .*"unauthorized".*unknown or revoked/),
      expect.stringMatching(/^404 .*"not_found".*No lead source/),
    ]);
  });

  it('that are deleted while an instant clock runs out a job leave the answer that was given', async () => {
    await client.post('/_sandbox/worlds', { name: 'short-lived', clock: 'instant' });
    const by = inWorld('short-lived');
    const [{ id: agent_id }] = await dataOf(by, '/v1/agents');
    const to_numbers = Array.from({ length: 3000 }, (_, n) => `+1212556${String(n).padStart(4, '0')}`);
    await by.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });
    let isAnswered = false;
    const deleted = new Promise((resolve) => {
      receiver.onDelivery = () => {
        receiver.onDelivery = () => undefined;
        expect(isAnswered).toBe(false);
        resolve(client.delete('/_sandbox/worlds/short-lived'));
      };
    });
    const answer = by.post('/v1/jobs', { agent_id, to_numbers, concurrency: 100 }).finally(() => {
      isAnswered = true;
    });
    await deleted;
    expect((await answer).status).toBe(201);
  });

  it('can be deleted with everything in them, and be made anew', async () => {
    const { api_key } = (await client.post('/_sandbox/worlds', { name: 'short-lived' })).body.data;
    const call = await to(api_key).call('+12125550100');
    const key = (await to(api_key).post('/_sandbox/keys', {})).body.data.api_key;
    const { token } = (await to(api_key).post('/v1/client-tokens')).body.data;
    const answer = await client.delete('/_sandbox/worlds/short-lived');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await worldNames()).not.toContain('short-lived');
    expectError(await to(key).get('/v1/me'), 401, 'unauthorized');
    expectError(await client.delete('/_sandbox/worlds/short-lived'), 404, 'not_found');
    expect((await client.post('/_sandbox/worlds', { name: 'short-lived' })).status).toBe(201);
    expectError(await to(api_key).get(`/v1/calls/${call}`), 404, 'not_found');
    expectError(await to(key).get('/v1/me'), 401, 'unauthorized');
    expect((await to(api_key).post('/v1/client-tokens')).status).toBe(201);
    expectError(await to(token).get('/v1/me'), 401, 'unauthorized');
  });

  it('cannot be deleted where they are bundled', async () => {
    for (const world of bundled) expectError(await client.delete(`/_sandbox/worlds/${world}`), 409, 'conflict');
    expect(await worldNames()).toEqual(expect.arrayContaining(bundled));
  });

  it.each(['unheard-of', 'Default', '%00'])('is 404 to delete where there is none: %s', async (name) => {
    expectError(await client.delete(`/_sandbox/worlds/${name}`), 404, 'not_found');
  });
});

describe('the worlds of the library', () => {
  it('are those of the keys', async () => {
    const handle = sandbox.world('handled');
    expect(handle.apiKey).toBe('svc_test_handled');
    const id = await to(handle.apiKey).call('+12125550101');
    await handle.clock.untilIdle();
    expect((await handle.events())[0]?.subject?.id).toBe(id);
    expect((await inWorld('handled').readCall(id)).status).toBe('BUSY');
  });

  it.each([['a_b'], ['Nightly'], ['a b'], [''], ['a'.repeat(41)]])(
    'are not there under a name that no key leads to: "%s"',
    async (name) => {
      const before = await worldNames();
      await expect((async () => sandbox.world(name).clock.now())()).rejects.toThrow();
      expect(await worldNames()).toEqual(before);
    },
  );
});

describe('the keys of the control API', () => {
  const make = async (by: Client, body: object): Promise<Answer['body']> => {
    const answer = await by.post('/_sandbox/keys', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };

  it('are answered once with their plaintext, and then listed without it', async () => {
    const by = inWorld('keys');
    const made = await make(by, { scopes: ['calls:read', 'calls:write'] });
    expect(made).toEqual({
      id: expect.stringMatching(/./),
      api_key: expect.stringMatching(/^svc_/),
      scopes: ['calls:read', 'calls:write'],
    });
    const { text, body } = await by.get('/_sandbox/keys');
    expect(text).not.toContain(made.api_key);
    expect(text).not.toContain(createHash('sha256').update(made.api_key).digest('hex'));
    expect(body.data).toEqual([
      {
        id: made.id,
        scopes: ['calls:read', 'calls:write'],
        is_demo: false,
        requests_per_minute: 600,
        revoked: false,
        created_at: START,
        organization_id: await organizationOf(by),
      },
    ]);
    expect(body.meta).toEqual({ cursor: null, total_results: 1, page_size: 100 });
  });

  it('of the default world are the bundled ones', async () => {
    await withSandbox({}, async (own) => {
      const keys = (await dataOf(clientOf(own.url), '/_sandbox/keys')) as Answer['body'][];
      expect(keys).toHaveLength(5);
      expect(keys.filter(({ revoked }) => revoked)).toHaveLength(1);
      expect(keys.map(({ scopes }) => scopes.length).sort((a, b) => a - b)).toEqual([1, 13, 27, 27, 28]);
    });
  });

  it('have every scope but compliance:write unless they are narrowed', async () => {
    const { scopes } = await make(inWorld('keys-usual'), {});
    expect([...scopes].sort()).toEqual([...(await usualScopes())].sort());
  });

  it('can do what their scopes say, and nothing else', async () => {
    const { api_key } = await make(client, { scopes: ['agents:read'] });
    const by = to(api_key);
    expect((await by.get('/v1/agents')).status).toBe(200);
    expectError(await by.get('/v1/me'), 403, 'scope_missing');
    expectError(await by.dial('+12125550100'), 403, 'scope_missing');
    const none = to((await make(client, { scopes: [] })).api_key);
    expectError(await none.get('/v1/agents'), 403, 'scope_missing');
  });

  it('work on the control API whatever their scopes are', async () => {
    const by = to((await make(inWorld('keys-control'), { scopes: [] })).api_key);
    await inWorld('keys-control').call('+12125550100');
    expect((await by.get('/_sandbox/events')).body.meta.total_results).toBe(1);
  });

  it('are demo keys where that is asked for', async () => {
    const by = to((await make(client, { is_demo: true })).api_key);
    const answer = await by.get('/v1/account');
    expect(answer.body.data.is_demo).toBe(true);
    expect(answer.headers['x-ratelimit-limit']).toBe('120');
  });

  it('have the rate that is asked for', async () => {
    const by = to((await make(client, { requests_per_minute: 3 })).api_key);
    for (const remaining of ['2', '1', '0']) {
      const answer = await by.get('/v1/me');
      expect(answer.status).toBe(200);
      expect(answer.headers['x-ratelimit-limit']).toBe('3');
      expect(answer.headers['x-ratelimit-remaining']).toBe(remaining);
    }
    const refused = await by.get('/v1/me');
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['ratelimit-policy']).toBe('"default";q=3;w=60');
    const both = to((await make(client, { is_demo: true, requests_per_minute: 7 })).api_key);
    expect((await both.get('/v1/me')).headers['x-ratelimit-limit']).toBe('7');
  });

  it('of a sub-entity see that child alone', async () => {
    const organization_id = await childOrganization(client);
    const made = await make(client, { organization_id });
    const by = to(made.api_key);
    const { organization } = await dataOf(by, '/v1/account');
    expect(organization).toMatchObject({ id: organization_id, slug: 'harbor-street-orthodontics' });
    const numbers = await dataOf(by, '/v1/phone-numbers');
    expect(numbers.map(({ phone_number }: { phone_number: string }) => phone_number)).toEqual(['+14155550194']);
    const listed = (await dataOf(client, '/_sandbox/keys')) as Answer['body'][];
    expect(listed.find(({ id }) => id === made.id).organization_id).toBe(organization_id);
  });

  it("of the organization's own id are keys of the organization", async () => {
    const organization_id = await organizationOf(client);
    const made = await make(client, { organization_id });
    expect(await organizationOf(to(made.api_key))).toBe(organization_id);
  });

  it.each([
    ['scopes.0', { scopes: ['calls:delete'] }],
    ['scopes.1', { scopes: ['calls:read', 5] }],
    ['scopes', { scopes: 'calls:read' }],
    ['is_demo', { is_demo: 'yes' }],
    ['requests_per_minute', { requests_per_minute: 0 }],
    ['requests_per_minute', { requests_per_minute: 1.5 }],
    ['requests_per_minute', { requests_per_minute: '60' }],
    ['organization_id', { organization_id: 5 }],
    ['organization_id', { organization_id: 'nonsense' }],
    ['organization_id', { organization_id: '' }],
    ['name', { name: 'ci' }],
  ])('a malformed %s is 400 and named (case %#)', async (field, body) => {
    const answer = await client.post('/_sandbox/keys', body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
  });

  it('an organization_id that names nothing in this world is 404 and named', async () => {
    const elsewhere = await organizationOf(to('svc_sandbox_other'));
    for (const organization_id of ['00000000-0000-4000-8000-000000000000', elsewhere]) {
      const answer = await client.post('/_sandbox/keys', { organization_id });
      expectError(answer, 404, 'not_found');
      expect(Object.keys(answer.body.error.fields)).toEqual(['organization_id']);
    }
  });

  it('are each another one', async () => {
    const by = inWorld('keys-many');
    const made = [];
    for (let keys = 0; keys < 12; keys++) made.push(await make(by, {}));
    expect(new Set(made.map(({ api_key }) => api_key)).size).toBe(12);
    expect(new Set(made.map(({ id }) => id)).size).toBe(12);
  });

  it('are 401 once they are deleted, on the control API too, and the others are not', async () => {
    const [gone, kept] = [await make(client, {}), await make(client, {})];
    const answer = await client.delete(`/_sandbox/keys/${gone.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectError(await to(gone.api_key).get('/v1/me'), 401, 'unauthorized');
    expectError(await to(gone.api_key).get('/_sandbox/clock'), 401, 'unauthorized');
    expect((await to(kept.api_key).get('/v1/me')).status).toBe(200);
  });

  it('is 404 to delete where there is none', async () => {
    expectError(await client.delete('/_sandbox/keys/key_nope'), 404, 'not_found');
  });

  it('are listed for their own world alone', async () => {
    const made = await make(inWorld('keys-here'), {});
    expect((await dataOf(inWorld('keys-there'), '/_sandbox/keys')).length).toBe(0);
    expect((await dataOf(inWorld('keys-here'), '/_sandbox/keys'))[0].id).toBe(made.id);
  });
});

describe('a reset', () => {
  const lists = ['/v1/calls', '/v1/agents', '/v1/caller-ids', '/v1/phone-numbers', '/api/v1/webhook_subscriptions'];
  const shownBy = (by: Client): Promise<unknown[]> => Promise.all(lists.map(async (path) => (await by.get(path)).body));

  it('is 204 and puts every record back to the fixture', async () => {
    const by = inWorld('reset-records');
    const before = await shownBy(by);
    await by.call('+12125550100');
    await by.post('/v1/caller-ids', { phone_number: '+12125550160' });
    await by.post('/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/`, event_type: 'new_call' });
    const [agent] = await dataOf(by, '/v1/agents');
    await by.patch(`/v1/agents/${agent.id}`, { name: 'Changed' });
    const [callerId] = await dataOf(by, '/v1/caller-ids');
    await by.delete(`/v1/caller-ids/${callerId.caller_id_id}`);
    expect(await shownBy(by)).not.toEqual(before);

    const answer = await by.post('/_sandbox/reset');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await shownBy(by)).toEqual(before);
  });

  it('empties the journals and the agenda', async () => {
    const by = inWorld('reset-journals');
    await by.post('/api/v1/webhook_subscriptions', { webhook_url: `${receiver.url}/`, event_type: 'call_busy' });
    await by.call('+12125550101');
    await sandbox.world('reset-journals').clock.untilIdle();
    await by.call('+12125550100');
    const journals = ['/_sandbox/requests', '/_sandbox/events', '/_sandbox/deliveries'];
    for (const path of journals) expect((await by.get(path)).body.meta.total_results, path).toBeGreaterThan(0);
    expect((await dataOf(by, '/_sandbox/clock')).pending).toBeGreaterThan(0);
    await by.post('/_sandbox/reset');
    for (const path of journals) expect((await by.get(path)).body, path).toMatchObject({ data: [] });
    expect((await dataOf(by, '/_sandbox/clock')).pending).toBe(0);
  });

  it('lets active scenarios go, and the counts of scenarios that count', async () => {
    const by = inWorld('reset-scenarios');
    await by.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await by.dial('+12125550135', { 'X-Sandbox-Scenario': 'flaky_provider' });
    await by.post('/_sandbox/reset');
    expect((await dataOf(by, '/_sandbox/active-scenarios/call')).use).toBeNull();
    const statuses = [];
    for (let dials = 0; dials < 3; dials++) statuses.push((await by.dial('+12125550135')).status);
    expect(statuses).toEqual([502, 502, 202]);
  });

  it('forgets idempotency keys and rate windows', async () => {
    const by = inWorld('reset-windows');
    const key = { 'Idempotency-Key': '5b7a2a0e-6d1c-4b6e-9a55-0d8c3f9f2f11' };
    const first = await by.dial('+12125550100', key);
    expectError(await by.dial('+12125550101', key), 409, 'idempotency_conflict');
    await by.post('/_sandbox/reset');
    const again = await by.dial('+12125550101', key);
    expect(again.status).toBe(202);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['x-ratelimit-remaining']).toBe('599');
    expect(again.body.call_id).toBe(first.body.call_id);
  });

  it('begins the ids anew, so that a run can be repeated', async () => {
    const by = inWorld('reset-ids');
    const run = async (): Promise<string[]> => {
      const callerId = await by.post('/v1/caller-ids', { phone_number: '+12125550160' });
      const body = { webhook_url: `${receiver.url}/`, event_type: 'new_call' };
      const subscription = await by.post('/api/v1/webhook_subscriptions', body);
      return [
        await by.call('+12125550100'),
        await by.call('+12125550101'),
        callerId.body.data.caller_id_id,
        subscription.body.id,
      ];
    };
    const first = await run();
    await by.post('/_sandbox/reset');
    expect(await run()).toEqual(first);
  });

  it('keeps keys, as they are and revoked ones revoked', async () => {
    const by = inWorld('reset-keys');
    const kept = (await by.post('/_sandbox/keys', { scopes: ['account:read'] })).body.data;
    const revoked = (await by.post('/_sandbox/keys', {})).body.data;
    await by.delete(`/_sandbox/keys/${revoked.id}`);
    const before = await dataOf(by, '/_sandbox/keys');
    await by.post('/_sandbox/reset');
    expect(await dataOf(by, '/_sandbox/keys')).toEqual(before);
    expect((await dataOf(to(kept.api_key), '/v1/me')).scopes).toEqual(['account:read']);
    expectError(await to(revoked.api_key).get('/v1/me'), 401, 'unauthorized');
  });

  it('a key made after it is another one than those made before, which stay as they were', async () => {
    const by = inWorld('reset-new-key');
    const before = (await by.post('/_sandbox/keys', { scopes: ['account:read'] })).body.data;
    const revoked = (await by.post('/_sandbox/keys', {})).body.data;
    await by.delete(`/_sandbox/keys/${revoked.id}`);
    await by.post('/_sandbox/reset');
    const made = [];
    for (let keys = 0; keys < 2; keys++) made.push((await by.post('/_sandbox/keys', {})).body.data.api_key);
    expect(made).not.toContain(before.api_key);
    expect(made).not.toContain(revoked.api_key);
    expect((await dataOf(to(before.api_key), '/v1/me')).scopes).toEqual(['account:read']);
    expectError(await to(revoked.api_key).get('/v1/me'), 401, 'unauthorized');
    expect((await by.get('/_sandbox/keys')).body.meta.total_results).toBe(4);
  });

  it('keeps scenario overlays and assumption values', async () => {
    const by = inWorld('reset-kept');
    const source = 'kind: call\nsummary: Kept.\nextends: busy\n';
    await by.put('/_sandbox/scenarios/kept', source, { 'Content-Type': 'application/yaml' });
    await by.put('/_sandbox/assumptions/dial_response_envelope', { value: 'data' });
    await by.post('/_sandbox/reset');
    const answer = await by.dial('+12125550100', { 'X-Sandbox-Scenario': 'kept' });
    expect(answer.status).toBe(202);
    expect(answer.body.data.status).toBe('QUEUED');
    await sandbox.world('reset-kept').clock.untilIdle();
    expect((await by.readCall(answer.body.data.call_id)).status).toBe('BUSY');
  });

  it('keeps the organization and its id', async () => {
    const by = inWorld('reset-organization');
    const before = await dataOf(by, '/v1/account');
    await by.post('/_sandbox/reset');
    expect(await dataOf(by, '/v1/account')).toEqual(before);
  });

  it.each(['manual', 'instant'])('puts a %s clock back to its start, and its mode stays', async (mode) => {
    const name = `reset-${mode}`;
    await client.post('/_sandbox/worlds', { name, clock: mode });
    const by = inWorld(name);
    await by.put('/_sandbox/clock', { now: '2026-03-01T00:00:00.000Z' });
    expect((await dataOf(by, '/_sandbox/clock')).now).toBe('2026-03-01T00:00:00.000Z');
    await by.post('/_sandbox/reset');
    expect(await dataOf(by, '/_sandbox/clock')).toMatchObject({ mode, now: START, pending: 0 });
  });

  it.each(['real', '20x'])("puts a %s clock back to the machine's time, and its mode stays", async (mode) => {
    const name = `reset-${mode}`;
    await client.post('/_sandbox/worlds', { name, clock: mode });
    const by = inWorld(name);
    const ahead = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await by.put('/_sandbox/clock', { now: ahead });
    await by.post('/_sandbox/reset');
    const shown = await dataOf(by, '/_sandbox/clock');
    expect(shown.mode).toBe(mode);
    expect(Math.abs(Date.parse(shown.now) - Date.now())).toBeLessThan(60_000);
    const [call] = await dataOf(by, '/v1/calls');
    expect(Math.abs(Date.parse(call.started_at) - (Date.now() - 7_200_000))).toBeLessThan(60_000);
  });

  it('dates the fixture of a running world by the instant of the reset', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await withSandbox({ clock: 'real', worldTtl: '1d' }, async (own) => {
        const by = inWorld('dated-anew', own);
        const startedAt = async (): Promise<number> => Date.parse((await dataOf(by, '/v1/calls'))[0].started_at);
        const before = await startedAt();
        vi.setSystemTime(Date.now() + 5 * 3_600_000);
        expect(await startedAt()).toBe(before);
        await by.post('/_sandbox/reset');
        expect(await startedAt()).toBe(before + 5 * 3_600_000);
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps a mode that was set while running', async () => {
    const by = inWorld('reset-mode');
    await by.put('/_sandbox/clock', { mode: 'instant' });
    await by.post('/_sandbox/reset');
    expect(await dataOf(by, '/_sandbox/clock')).toMatchObject({ mode: 'instant', now: START });
  });

  it('opens a new epoch: what was queued before it is recorded and never sent', async () => {
    const by = inWorld('reset-epoch');
    const held = await startReceiver();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    held.onDelivery = () => released;
    const subscription = { webhook_url: held.url, event_type: 'new_call' };
    try {
      await by.post('/api/v1/webhook_subscriptions', subscription);
      const calls = [await by.call('+12125550100'), await by.call('+12125550101'), await by.call('+12125550102')];
      await vi.waitFor(() => expect(held.got).toHaveLength(1));
      await by.post('/_sandbox/reset');
      release();
      await sandbox.world('reset-epoch').clock.untilIdle();
      expect(held.got.map(({ body }) => body.id)).toEqual(calls.slice(0, 1));
      const recorded = await sandbox.world('reset-epoch').deliveries();
      expect(recorded.map(({ body, status }) => [JSON.parse(body).id, status])).toEqual(
        calls.map((id) => [id, expect.stringMatching(/^(canceled|delivered)$/)]),
      );
      expect(recorded.slice(1).map(({ status }) => status)).toEqual(['canceled', 'canceled']);

      await by.post('/api/v1/webhook_subscriptions', subscription);
      const next = await by.call('+12125550100');
      await sandbox.world('reset-epoch').clock.untilIdle();
      expect(held.got.map(({ body }) => body.id)).toEqual([calls[0], next]);
    } finally {
      release();
      await held.close();
    }
  });

  it('leaves other worlds alone', async () => {
    const [reset, beside] = [inWorld('reset-here'), inWorld('reset-beside')];
    const id = await beside.call('+12125550108');
    await sandbox.world('reset-beside').clock.advance('5s');
    const before = [await shownBy(beside), await sandbox.world('reset-beside').events()];
    await reset.post('/_sandbox/reset');
    expect([await shownBy(beside), await sandbox.world('reset-beside').events()]).toEqual(before);
    expect((await beside.readCall(id)).status).toBe('IN_PROGRESS');
    expect(await sandbox.world('reset-beside').clock.now()).toBe('2026-01-05T15:00:05.000Z');
  });
});

describe('the deliveries of a world whose ids begin anew', () => {
  it.each([
    ['a reset', 'was-reset', 'post', '/_sandbox/reset'],
    ['its deletion', 'was-deleted', 'delete', '/_sandbox/worlds/was-deleted'],
  ] as const)(
    'are each sent once and in order after %s, though one of before is under way',
    async (_, world, method, path) => {
      const by = inWorld(world);
      const held = await startReceiver();
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held.onDelivery = () => released;
      const subscription = { webhook_url: held.url, event_type: 'new_call' };
      try {
        await by.post('/api/v1/webhook_subscriptions', subscription);
        for (const last of [0, 1, 2]) await by.call(`+1212555010${last}`);
        await vi.waitFor(() => expect(held.got).toHaveLength(1));
        expect((await by[method](path)).status).toBe(204);
        await by.post('/api/v1/webhook_subscriptions', subscription);
        for (const last of [5, 6, 7, 8]) await by.call(`+1212555010${last}`);
        release();
        await sandbox.world(world).clock.advance('1ms');
        expect(held.got.map(({ body }) => body.to_number.slice(-1))).toEqual(['0', '5', '6', '7', '8']);
      } finally {
        release();
        await held.close();
      }
    },
  );
});

describe('a world that changes under a request', () => {
  it.each([
    ['was reset', 'was-reset-then', 'post', '/_sandbox/reset', 1],
    ['was deleted', 'was-deleted-then', 'delete', '/_sandbox/worlds/was-deleted-then', 0],
    ['was made anew', 'was-made-anew-then', 'delete', '/_sandbox/worlds/was-made-anew-then', 1],
  ] as const)(
    'serves one whose body comes after it %s as what it is by then',
    async (_, world, method, path, others) => {
      const wire = wireTo(sandbox.url);
      const body = gate();
      const by = inWorld(world);
      const dialled = wire.send({
        method: 'POST',
        path: '/v1/calls/dial',
        key: by.key,
        headers: JSON_TYPE,
        body: JSON.stringify({ from_number: FROM, to_number: '+12125550100' }),
        bodyAfter: body.opened,
      });
      await vi.waitFor(async () => expect(await worldNames()).toContain(world));
      expect((await by[method](path)).status).toBe(204);
      const between = others === 0 ? [] : [await by.get('/v1/me')];
      body.open();
      const answer = await dialled;
      expect(answer.status, answer.text).toBe(202);
      expect((await by.readCall(answer.body.call_id)).status).toBe('QUEUED');
      const journal = (await sandbox.world(world).requests()).slice(0, others + 1);
      expect(journal.map((entry) => [entry.id, entry.path])).toEqual([
        ...between.map(({ headers }) => [headers['x-sandbox-request-id'], '/v1/me']),
        [answer.headers['x-sandbox-request-id'], '/v1/calls/dial'],
      ]);
      wire.close();
    },
  );

  it('answers what it has done before it was deleted, though its clock was still running it out', async () => {
    await withSandbox({ clock: 'instant' }, async (own) => {
      const by = inWorld('run-out', own);
      const [agent] = await dataOf(by, '/v1/agents');
      const to_numbers = Array.from({ length: 5000 }, (_, n) => `+1212${2_000_000 + n}`);
      const made = by.post('/v1/jobs', { agent_id: agent.id, to_numbers });
      await eventually(async () => expect(await dataOf(by, '/_sandbox/events')).not.toEqual([]), 1);
      expect((await by.delete('/_sandbox/worlds/run-out')).status).toBe(204);
      expect((await made).status).toBe(201);
    });
  });
});

describe('the world of a request', () => {
  it('is on the answer, of errors too', async () => {
    const by = inWorld('named');
    for (const answer of [
      await by.get('/v1/me'),
      await by.get('/v1/calls/nope'),
      await by.dial('911'),
      await by.post('/v1/calls/dial', { from_number: FROM, to_number: '+12125550111' }),
      await by.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' }),
      await (await clientWith(sandbox.url, by, { scopes: [] })).get('/v1/me'),
    ]) {
      expect(answer.headers['x-sandbox-world'], answer.text).toBe('named');
    }
  });

  it('cannot be chosen by X-Sandbox-World', async () => {
    for (const path of ['/v1/me', '/_sandbox/clock']) {
      const answer = await client.get(path, { 'X-Sandbox-World': 'demo' });
      expectError(answer, 400, 'validation_error');
      expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-World']);
    }
  });

  it('is default on the control API for a request without a key', async () => {
    await sandbox.world('default').reset();
    await client.call('+12125550100');
    expect((await clientOf(sandbox.url, null).get('/_sandbox/events')).body.meta.total_results).toBe(1);
    expectError(await clientOf(sandbox.url, null).get('/v1/me'), 401, 'unauthorized');
  });
});
