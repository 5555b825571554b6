// Every error code by its natural cause, expected as `spec.md` "Errors" specifies it. A code without a natural cause
// says why, and the test prints that; nothing else is left out.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../../src/errors/catalogue.ts';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, FROM } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandbox } from '../support/sandbox.ts';
import { operationOf, validPath } from '../support/valid-request.ts';
import { childOf, clientWith } from '../support/world.ts';
import { expectRow } from './specified-errors.ts';

const TO = '+12125550100';

const { sandbox, wire } = useSandbox({ clock: 'manual' });
let worlds = 0;

/** A client of a world that no other test uses, so that it has its own rate window. */
const newWorld = (): Client => clientOf(sandbox.url, `svc_test_error-${++worlds}`);
const advance = (by: Client, step: string): Promise<Answer> => by.post('/_sandbox/clock/advance', { by: step });

const folderOf = temporaryFolders();

const dial = (by: Client, fields: object): Promise<Answer> =>
  by.post('/v1/calls/dial', { from_number: FROM, to_number: TO, ...fields });

const inWorld = (name: string): Client => clientOf(sandbox.url, `svc_sandbox_${name}`);

/** A dial in the world of the calling rules, where it is Monday 10:00 at the destination until the clock advances. */
async function regulated(to: string, later?: string): Promise<Answer> {
  const by = inWorld('regulated');
  expect((await by.post('/_sandbox/reset')).status).toBe(204);
  if (later !== undefined) await advance(by, later);
  return dial(by, { to_number: to });
}

/** Why a code has no natural cause in the sandbox. */
type Without = { readonly none: string };

/** A dial in a world whose plan has that value. */
async function withPlan(assumption: string, value: string | number): Promise<Answer> {
  const by = newWorld();
  expect((await by.put(`/_sandbox/assumptions/${assumption}`, { value })).status).toBe(200);
  return dial(by, {});
}

const noProvider = { none: 'the sandbox has no provider that could fail' };
const onTheCall = { none: 'it appears on the call resource only; every-error.test.ts causes it by its scenario' };

const natural: Readonly<Record<ErrorCode, (() => Promise<Answer>) | Without>> = {
  destination_missing: () => dial(newWorld(), { to_number: undefined }),
  destination_invalid: () => dial(newWorld(), { to_number: '0049 30 1234' }),
  no_active_number: () => dial(newWorld(), { from_number: '+14155550192' }),
  call_id_not_verified: () => dial(newWorld(), { from_number: '+14155550193' }),
  destination_blocked: () => dial(newWorld(), { to_number: '911' }),
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
  texting_not_ready: () =>
    newWorld().post('/v1/sms/send', { to_number: TO, body: 'Hello', from_number: '+14155550193' }),
  async content_policy_forbidden() {
    const by = inWorld('hipaa');
    return by.get(await validPath(operationOf('getCallTranscript'), by));
  },
  voice_usage_exhausted: () => withPlan('included_minutes', 6),
  no_active_subscription: () => withPlan('account_subscription', 'ended'),
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
    const by = await clientWith(sandbox.url, newWorld(), { requests_per_minute: 1 });
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
  validation_error: () => dial(newWorld(), { from_number: 'the front desk' }),
  unauthorized: () => clientOf(sandbox.url, null).get('/v1/me'),
  async forbidden() {
    return (await childOf(sandbox.url, newWorld())).get('/v1/sub-entities');
  },
  not_found: () => newWorld().get('/v1/calls/00000000-0000-4000-8000-000000000000'),
  async idempotency_conflict() {
    const by = newWorld();
    const key = { 'Idempotency-Key': randomUUID() };
    expect((await by.dial(TO, key)).status).toBe(202);
    return by.dial('+12125550101', key);
  },
  async scope_missing() {
    return (await clientWith(sandbox.url, newWorld(), { scopes: ['tokens:mint'] })).get('/v1/me');
  },
  async conflict() {
    const by = newWorld();
    const { data } = (await by.get('/v1/caller-ids')).body;
    const { caller_id_id } = data.find(({ status }: Answer['body']) => status === 'REVOKED');
    return by.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code: '1' });
  },
  method_not_allowed: () => newWorld().delete('/v1/me'),
  payload_too_large: () => dial(newWorld(), { note: 'x'.repeat(256 * 1024) }),
  unsupported_media_type: () => newWorld().post('/v1/calls/dial', '{}', { 'Content-Type': 'text/plain' }),
  headers_too_large: () => wire.send({ path: '/v1/me', headers: { 'X-Note': 'x'.repeat(9000) } }),
};

const caused = errorCodes.flatMap((code) => {
  const cause = natural[code];
  return typeof cause === 'function' ? [[code, cause] as const] : [];
});

describe('a natural cause', () => {
  it.each(caused)('leads to %s', async (code, cause) => {
    expectRow(code, await cause());
  });

  it('exists for every code, or the table says why not', () => {
    const reasons = new Map<string, ErrorCode[]>();
    for (const code of errorCodes) {
      const cause = natural[code];
      if (typeof cause === 'function') continue;
      reasons.set(cause.none, [...(reasons.get(cause.none) ?? []), code]);
    }
    for (const [why, codes] of reasons) console.info(`skipped: ${codes.join(', ')} by a natural cause: ${why}`);
    expect(caused.length + [...reasons.values()].flat().length).toBe(errorCodes.length);
  });

  it('gives rate_limited a category for concurrent calls, and none for the quota of a key', async () => {
    const by = newWorld();
    expect((await by.put('/_sandbox/assumptions/concurrent_calls', { value: 1 })).status).toBe(200);
    await by.call(TO);
    expectRow('rate_limited', await dial(by, {}), 'calls');
  });
});
