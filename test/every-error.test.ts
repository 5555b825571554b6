// Every error code and each way to meet it: by its natural cause, by the scenario that `interface.md` section 3 names, by
// its magic number, by X-Sandbox-Error on every operation; and where it is described: in the catalogue and on the page
// that `doc_url` names. What is expected is written from `spec.md` "Errors", and not read from the catalogue. A code
// without a natural cause says why, and the test prints it; nothing else is left out.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../src/errors/catalogue.ts';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { keyedOperations } from './support/operations.ts';
import { operationOf, rightPath, send, shownWorld } from './support/valid-request.ts';
import { type Wire, wireTo } from './support/wire.ts';
import { childOf, clientWith } from './support/world.ts';

type Category =
  | 'invalid_request'
  | 'compliance_block'
  | 'account_limit'
  | 'unreachable'
  | 'voicemail'
  | 'provider_error';

interface Specified {
  readonly code: ErrorCode;
  /** Null where it is never answered, and stands on the call resource. */
  readonly status: number | null;
  readonly retryable: boolean;
  readonly category: Category | undefined;
}

/** The rows of a table of `spec.md` "Errors": code, status and, where it says so, whether to try again. */
function table(
  category: Category | undefined,
  ...rows: readonly [code: ErrorCode, status: number | null, retryable?: 'retryable'][]
): Specified[] {
  return rows.map(([code, status, retryable]) => ({ code, status, category, retryable: retryable !== undefined }));
}

const again = 'retryable';

/** The tables in their order; two codes stand in two of them, with a category where calls are placed. */
const specified: readonly Specified[] = [
  ...table(
    'invalid_request',
    ['destination_missing', 400],
    ['destination_invalid', 400],
    ['no_active_number', 409],
    ['call_id_not_verified', 422],
  ),
  ...table(
    'compliance_block',
    ['destination_blocked', 403],
    ['dnc_suppressed', 403],
    ['recipient_opted_out', 403],
    ['contact_automation_paused', 403],
    ['no_consent', 403],
    ['outside_call_window', 403, again],
    ['day_not_allowed', 403, again],
    ['frequency_exceeded', 429, again],
  ),
  ...table(undefined, ['texting_not_ready', 403], ['content_policy_forbidden', 403]),
  ...table(
    'account_limit',
    ['voice_usage_exhausted', 402],
    ['no_active_subscription', 402],
    ['no_number_available', 429, again],
    ['rate_limited', 429, again],
  ),
  ...table(
    'unreachable',
    ['busy', null, again],
    ['no_answer', null, again],
    ['number_unreachable', null],
    ['call_declined', null],
    ['carrier_rejected', null],
  ),
  ...table('voicemail', ['voicemail_reached', null, again]),
  ...table(
    'provider_error',
    ['room_creation_failed', 502, again],
    ['agent_dispatch_failed', 502, again],
    ['sip_gateway_failed', 502, again],
    ['provider_api_error', 502, again],
    ['internal_error', 500, again],
  ),
  ...table(
    undefined,
    ['validation_error', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['idempotency_conflict', 409],
    ['rate_limited', 429, again],
    ['internal_error', 500, again],
    ['scope_missing', 403],
  ),
];

/** What the ledger adds (`extra_error_codes`). */
const added = table(
  undefined,
  ['conflict', 409],
  ['method_not_allowed', 405],
  ['payload_too_large', 413],
  ['unsupported_media_type', 415],
  ['headers_too_large', 431],
);

/** The row of a code; where it stands in two tables, the one of calls or the one of all endpoints. */
function rowOf(code: ErrorCode, where: 'calls' | 'everywhere' = 'everywhere'): Specified {
  const rows = [...specified, ...added].filter((each) => each.code === code);
  const found =
    rows.length > 1 ? rows.find(({ category }) => (category !== undefined) === (where === 'calls')) : rows[0];
  return found as Specified;
}

const TO = '+12125550100';
const folderOf = temporaryFolders();

let sandbox: Sandbox;
let wire: Wire;
let worlds = 0;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  wire = wireTo(sandbox.url);
});
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

/** A world that no other test has seen, with a rate window of its own. */
const fresh = (): Client => clientOf(sandbox.url, `svc_test_error-${++worlds}`);
const inWorld = (name: string): Client => clientOf(sandbox.url, `svc_sandbox_${name}`);

const advance = (by: Client, step: string): Promise<Answer> => by.post('/_sandbox/clock/advance', { by: step });
const dial = (by: Client, fields: object): Promise<Answer> =>
  by.post('/v1/calls/dial', { from_number: FROM, to_number: TO, ...fields });

/** A dial in the world of the calling rules, where it is Monday 10:00 at the destination until the clock goes on. */
async function regulated(to: string, later?: string): Promise<Answer> {
  const by = inWorld('regulated');
  expect((await by.post('/_sandbox/reset')).status).toBe(204);
  if (later !== undefined) await advance(by, later);
  return dial(by, { to_number: to });
}

/** Why a code has no natural cause here. */
type Without = { readonly none: string };

const noPlan = { none: 'plans, minutes and payment are no part of this API; the account always has a plan' };
const noProvider = { none: 'there is no provider behind the sandbox that could fail' };
const onTheCall = { none: 'it shows on the call resource, which the scenarios below lead to' };

const natural: Readonly<Record<ErrorCode, (() => Promise<Answer>) | Without>> = {
  destination_missing: () => dial(fresh(), { to_number: undefined }),
  destination_invalid: () => dial(fresh(), { to_number: '0049 30 1234' }),
  no_active_number: () => dial(fresh(), { from_number: '+14155550192' }),
  call_id_not_verified: () => dial(fresh(), { from_number: '+14155550193' }),
  destination_blocked: () => dial(fresh(), { to_number: '911' }),
  dnc_suppressed: () => regulated('+12125550170'),
  recipient_opted_out: () => regulated('+12125550171'),
  contact_automation_paused: () => regulated('+12125550173'),
  no_consent: () => regulated('+12125550172'),
  outside_call_window: () => regulated('+12125550199', '12h'),
  day_not_allowed: () => regulated('+12125550199', '6d'),
  async frequency_exceeded() {
    for (let call = 0; call < 3; call++) {
      const placed =
        call === 0 ? await regulated('+12125550198') : await dial(inWorld('regulated'), { to_number: '+12125550198' });
      expect(placed.status, placed.text).toBe(202);
    }
    return dial(inWorld('regulated'), { to_number: '+12125550198' });
  },
  texting_not_ready: () => fresh().post('/v1/sms/send', { to_number: TO, body: 'Hello', from_number: '+14155550193' }),
  async content_policy_forbidden() {
    const by = inWorld('hipaa');
    return by.get(await rightPath(operationOf('getCallTranscript'), by));
  },
  voice_usage_exhausted: noPlan,
  no_active_subscription: noPlan,
  async no_number_available() {
    const file = folderOf({
      'narrow.yaml': `organization: { name: Narrow Lane, slug: narrow-lane, plan: starter }
user: { name: Front Office, email: office@narrow.example }
phone_numbers: [{ id: 1, phone_number: "${FROM}", created: -1d, max_calls: 1 }]
caller_ids: [{ phone_number: "${FROM}", status: VERIFIED, created: -1d }]
`,
    });
    const own = await createSandbox({ clock: 'manual', fixtures: file });
    try {
      const by = clientOf(own.url, 'svc_test_narrow');
      await by.call(TO);
      return await dial(by, {});
    } finally {
      await own.close();
    }
  },
  async rate_limited() {
    const by = await clientWith(sandbox.url, fresh(), { requests_per_minute: 1 });
    expect((await by.get('/v1/me')).status).toBe(200);
    return by.get('/v1/me');
  },
  busy: onTheCall,
  no_answer: onTheCall,
  number_unreachable: onTheCall,
  call_declined: onTheCall,
  carrier_rejected: onTheCall,
  voicemail_reached: onTheCall,
  room_creation_failed: noProvider,
  agent_dispatch_failed: noProvider,
  sip_gateway_failed: noProvider,
  provider_api_error: noProvider,
  internal_error: { none: 'it would take a bug' },
  validation_error: () => dial(fresh(), { from_number: 'the front desk' }),
  unauthorized: () => clientOf(sandbox.url, null).get('/v1/me'),
  async forbidden() {
    return (await childOf(sandbox.url, fresh())).get('/v1/sub-entities');
  },
  not_found: () => fresh().get('/v1/calls/00000000-0000-4000-8000-000000000000'),
  async idempotency_conflict() {
    const by = fresh();
    const key = { 'Idempotency-Key': randomUUID() };
    expect((await by.dial(TO, key)).status).toBe(202);
    return by.dial('+12125550101', key);
  },
  async scope_missing() {
    return (await clientWith(sandbox.url, fresh(), { scopes: ['tokens:mint'] })).get('/v1/me');
  },
  async conflict() {
    const by = fresh();
    const { data } = (await by.get('/v1/caller-ids')).body;
    const { caller_id_id } = data.find(({ status }: Answer['body']) => status === 'REVOKED');
    return by.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code: '1' });
  },
  method_not_allowed: () => fresh().delete('/v1/me'),
  payload_too_large: () => dial(fresh(), { note: 'x'.repeat(256 * 1024) }),
  unsupported_media_type: () => fresh().post('/v1/calls/dial', '{}', { 'Content-Type': 'text/plain' }),
  headers_too_large: () => wire.send({ path: '/v1/me', headers: { 'X-Note': 'x'.repeat(9000) } }),
};

/** The status, code and category of its row, the rest of the envelope, and when to come again where it is 429. */
function expectRow(code: ErrorCode, answer: Answer, where?: 'calls'): void {
  const { status, category } = rowOf(code, where);
  expectError(answer, status as number, code);
  const { error } = answer.body;
  expect(error.category).toBe(category);
  expect(error.message).toMatch(/\w.*\.$/s);
  expect(error.resolution_hint).toMatch(/^[A-Z].*\.$/s);
  expect(error.doc_url).toMatch(new RegExp(`^http://[^/]+/docs/errors#${code}$`));
  if (status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(0);
}

const caused = errorCodes.flatMap((code) => {
  const cause = natural[code];
  return typeof cause === 'function' ? [[code, cause] as const] : [];
});

describe('the catalogue of errors', () => {
  it('has the 37 rows of the specification, which are 35 codes, and five of the ledger', async () => {
    expect(specified).toHaveLength(37);
    expect(new Set(specified.map(({ code }) => code)).size).toBe(35);
    expect(new Set([...specified, ...added].map(({ code }) => code))).toEqual(new Set(errorCodes));
  });

  it('calls every code with 429 or 5xx retryable, as client libraries treat it', async () => {
    const { data } = (await fresh().get('/_sandbox/catalog')).body;
    const again = data.errors.filter(({ status }: Answer['body']) => status === 429 || status >= 500);
    expect(again).toHaveLength(8);
    expect(again.filter(({ retryable }: Answer['body']) => !retryable)).toEqual([]);
  });

  it.each(errorCodes)('shows %s as it is specified, in /_sandbox/catalog and on the page of doc_url', async (code) => {
    const { status, category, retryable } = rowOf(code, 'calls');
    const { data } = (await fresh().get('/_sandbox/catalog')).body;
    expect(data.errors.filter((each: Answer['body']) => each.code === code)).toEqual([
      {
        code,
        status,
        category: category ?? null,
        retryable,
        meaning: expect.stringMatching(/\w/),
        synchronous: status !== null && !added.some((each) => each.code === code),
      },
    ]);
    const answer = await fetch(`${sandbox.url}/docs/errors`);
    const [, section = ''] = new RegExp(`<section id="${code}">(.*?)</section>`, 's').exec(await answer.text()) ?? [];
    const facts = [...section.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]);
    const everywhere = rowOf(code).category;
    expect(Object.fromEntries(facts)).toEqual({
      HTTP: status === null ? 'on the call resource only' : String(status),
      ...(category ? { category: everywhere ? category : `${category}, where calls are placed` } : {}),
      retryable: retryable ? 'yes' : 'no',
    });
    expect(section).toMatch(/What to do\.<\/strong> \S/);
  });
});

describe('by its natural cause', () => {
  it.each(caused)('%s', async (code, cause) => {
    expectRow(code, await cause());
  });

  it('is met in every row but those that say why not', () => {
    const reasons = new Map<string, ErrorCode[]>();
    for (const code of errorCodes) {
      const cause = natural[code];
      if (typeof cause === 'function') continue;
      reasons.set(cause.none, [...(reasons.get(cause.none) ?? []), code]);
    }
    for (const [why, codes] of reasons) console.info(`skipped: ${codes.join(', ')} by a natural cause: ${why}`);
    expect(caused.length + [...reasons.values()].flat().length).toBe(errorCodes.length);
  });

  it('rate_limited of calls placed at once has a category, that of a key has none', async () => {
    const by = fresh();
    expect((await by.put('/_sandbox/assumptions/concurrent_calls', { value: 1 })).status).toBe(200);
    await by.call(TO);
    expectRow('rate_limited', await dial(by, {}), 'calls');
  });
});

/** Codes of the specification that are answered; X-Sandbox-Error takes no others. */
const answered = new Set(specified.flatMap(({ code, status }) => (status === null ? [] : [code])));
/** Codes of the call categories that are answered; `interface.md` section 3 promises a scenario of the name of each. */
const refused = specified.flatMap(({ code, status, category }) => (status !== null && category ? [code] : []));
/** Codes that a call can end with. */
const ended = specified.flatMap(({ code, status }) => (status === null ? [code] : []));

/** The other name of a code among the scenarios. */
const scenarioOf = (code: ErrorCode): string => (code === 'voicemail_reached' ? 'voicemail' : code);

describe('by the scenario of its name', () => {
  it('there are 29 codes that are answered, 21 of them on a dial, and six that a call can end with', () => {
    expect([answered.size, refused.length, ended.length]).toEqual([29, 21, 6]);
  });

  it('no other scenario refuses every dial', async () => {
    const { data } = (await fresh().get('/_sandbox/scenarios?kind=call&page_size=100')).body;
    const refusing = data.filter((each: Answer['body']) => each.timeline.length === 0);
    expect(refusing.map(({ name }: Answer['body']) => name)).toEqual([...refused].sort());
  });

  it.each(refused)('%s refuses a dial that asks for it, and one in a world where it is active', async (code) => {
    const by = fresh();
    const before = await shownWorld(by);
    const asked = await by.dial(TO, { 'X-Sandbox-Scenario': code });
    expectRow(code, asked, 'calls');
    expect(asked.headers['x-sandbox-scenario']).toBe(code);
    expect((await by.put('/_sandbox/active-scenarios/call', { use: code })).status).toBe(200);
    expectRow(code, await by.dial(TO), 'calls');
    expect(await shownWorld(by)).toEqual(before);
  });

  it.each(ended)('%s is on the call that asks for it when it has ended, and on its event', async (code) => {
    const by = fresh();
    const id = await by.call(TO, { 'X-Sandbox-Scenario': scenarioOf(code) });
    await advance(by, '60s');
    const failure = { failure_code: code, failure_category: rowOf(code).category };
    expect(await by.readCall(id)).toMatchObject(failure);
    const [event] = (await by.get('/_sandbox/events?event_type=phone_call.ended')).body.data;
    expect(event.payload).toMatchObject({ id, ...failure });
  });
});

describe('by its magic number', () => {
  it('every code that a dial can answer or a call can end with has one, but those that its form alone decides', async () => {
    const { numbers } = (await fresh().get('/_sandbox/catalog')).body.data;
    const claimed = new Map<string, string>(numbers.map((row: Answer['body']) => [row.scenario, row.number]));
    // These four are about the form of the numbers in the request, or about the number that is called from.
    const formal = ['destination_missing', 'destination_invalid', 'no_active_number', 'call_id_not_verified'];
    for (const code of [...refused, ...ended]) {
      const digits = claimed.get(scenarioOf(code));
      if (formal.includes(code)) {
        expect(digits, code).toBeUndefined();
        continue;
      }
      const by = fresh();
      const answer = await by.dial(`+131255501${digits}`);
      if (refused.includes(code)) {
        expectRow(code, answer, 'calls');
        continue;
      }
      expect(answer.status, answer.text).toBe(202);
      await advance(by, '60s');
      expect((await by.readCall(answer.body.call_id)).failure_code).toBe(code);
    }
  });
});

describe('by X-Sandbox-Error', () => {
  const about = keyedOperations.map(({ method, path, example }) => ({
    method,
    path,
    ...(example ? { body: example } : {}),
  }));
  const open = (): Promise<Client> => clientWith(sandbox.url, fresh(), { requests_per_minute: 1_000_000 });

  it.each(errorCodes)(
    '%s is answered by every operation, or refused where it does not come synchronously',
    async (code) => {
      const by = await open();
      for (const request of about) {
        const answer = await send(by, request, { 'X-Sandbox-Error': code });
        if (answered.has(code)) expectError(answer, rowOf(code).status as number, code);
        else expectError(answer, 400, 'validation_error');
      }
    },
  );

  it('none of it changes anything', async () => {
    const by = await open();
    const before = await shownWorld(by);
    for (const code of ['internal_error', 'provider_api_error', 'not_found']) {
      for (const request of about) await send(by, request, { 'X-Sandbox-Error': code });
    }
    expect(await shownWorld(by)).toEqual(before);
  });
});
