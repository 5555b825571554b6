// Idempotency keys: `interface.md` section 9 (`idempotency`), section 3 (order of checks), section 4 (expiry), and
// `spec.md` "Common rules" under "Endpoints". `every-write.test.ts` has what holds for each operation.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError, FROM } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { runs, thorough } from './support/thorough.ts';
import { JSON_TYPE, type Outgoing, type Wire, wireTo } from './support/wire.ts';

const TO = '+12125550100';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

let sandbox: Sandbox;
let client: Client;
let wire: Wire;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  client = clientOf(sandbox.url);
  wire = wireTo(sandbox.url);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  wire.close();
  await sandbox.close();
});

type Rest = Partial<Outgoing>;

/** Dials under an idempotency key; `rest` overrides any part of the request. */
function dial(idempotencyKey: string, fields: object = {}, { headers, ...rest }: Rest = {}): Promise<Answer> {
  return wire.send({
    method: 'POST',
    path: '/v1/calls/dial',
    headers: { ...JSON_TYPE, 'Idempotency-Key': idempotencyKey, ...headers },
    body: JSON.stringify({ from_number: FROM, to_number: TO, ...fields }),
    ...rest,
  });
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true';
const calls = async (by: Client = client): Promise<number> => (await by.get('/v1/calls')).body.meta.total_results;
const emitted = async (): Promise<string[]> => (await sandbox.events()).map(({ event_type }) => event_type);

function expectReplay(answer: Answer, first: Answer): void {
  expect(isReplay(answer), answer.text).toBe(true);
  expect([answer.status, answer.text]).toEqual([first.status, first.text]);
  expect(answer.headers['content-type']).toBe(first.headers['content-type']);
}

function expectFresh(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers).not.toHaveProperty('idempotency-replayed');
}

async function expectOneCall(id: string, before: number): Promise<void> {
  const { data, meta } = (await client.get('/v1/calls')).body;
  expect(meta.total_results).toBe(before + 1);
  expect(data[0].id).toBe(id);
}

const subscription = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };

describe('a replayed dial', () => {
  it('is still QUEUED when the call has long ended', async () => {
    const key = randomUUID();
    const first = await dial(key);
    await sandbox.clock.untilIdle();
    expect((await client.readCall(first.body.call_id)).status).toBe('COMPLETED');
    expectReplay(await dial(key), first);
    expect(first.body.status).toBe('QUEUED');
  });

  it('names the scenario that the first one played, whatever the repeat asks for', async () => {
    const key = randomUUID();
    const first = await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'busy' } });
    const repeat = await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'no_answer;ring=5s' } });
    expectReplay(repeat, first);
    expect(repeat.headers['x-sandbox-scenario']).toBe('busy');
    await sandbox.clock.untilIdle();
    expect((await client.readCall(first.body.call_id)).status).toBe('BUSY');
  });

  it('consumes nothing of the active scenarios', async () => {
    await client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'no_answer'] });
    const key = randomUUID();
    await dial(key);
    expect(isReplay(await dial(key))).toBe(true);
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual(['no_answer']);
  });

  it('sends no webhook a second time', async () => {
    const receiver: Receiver = await startReceiver();
    try {
      await client.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });
      const key = randomUUID();
      const first = await dial(key);
      await dial(key);
      await sandbox.clock.advance('0s');
      await dial(key);
      await sandbox.clock.advance('0s');
      expect(receiver.got.map(({ body }) => body.id)).toEqual([first.body.call_id]);
    } finally {
      await receiver.close();
    }
  });

  it('is marked as a replay in the journal, with an id of its own', async () => {
    const key = randomUUID();
    const answers = [await dial(key), await dial(key)];
    const journaled = await sandbox.requests();
    expect(journaled.map(({ id, replayed, status }) => [id, replayed, status])).toEqual([
      [answers[0]?.headers['x-sandbox-request-id'], false, 202],
      [answers[1]?.headers['x-sandbox-request-id'], true, 202],
    ]);
    expect(answers[0]?.headers['x-sandbox-request-id']).not.toBe(answers[1]?.headers['x-sandbox-request-id']);
  });

  it('comes before validation and the look-up of what it speaks of', async () => {
    const key = randomUUID();
    const { body } = await client.post('/v1/caller-ids', { phone_number: '+14155550157' });
    const { caller_id_id } = body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    await client.post(`/v1/caller-ids/${caller_id_id}/verify`, { verification_code });
    const first = await dial(key, { from_number: '+14155550157' });
    expectFresh(first, 202);
    await client.delete(`/v1/caller-ids/${caller_id_id}`);
    expectReplay(await dial(key, { from_number: '+14155550157' }), first);
    expectError(await dial(randomUUID(), { from_number: '+14155550157' }), 422, 'call_id_not_verified');
  });
});

describe('the key itself', () => {
  const key = '6F9619FF-8B86-4011-B42D-00CF4FC964FF';

  it.each([
    ['bare', key],
    ['quoted, as a structured field', `"${key}"`],
    ['in lower case', key.toLowerCase()],
    ['quoted in lower case', `"${key.toLowerCase()}"`],
    ['between blanks', `  ${key}  `],
  ])('is the same key %s', async (_, written) => {
    const first = await dial(key);
    expectFresh(first, 202);
    expectReplay(await dial(written), first);
  });

  it('is no key of another request: a new one has a new effect', async () => {
    const before = await calls();
    const ids = [await dial(randomUUID()), await dial(randomUUID())].map(({ body }) => body.call_id);
    expect(new Set(ids).size).toBe(2);
    expect(await calls()).toBe(before + 2);
  });

  it('may be left out: then the same body dials twice', async () => {
    const before = await calls();
    await client.dial(TO);
    await client.dial(TO);
    expect(await calls()).toBe(before + 2);
  });

  it.each(['not-a-uuid', ''])('%j is ignored on GET', async (written) => {
    const answer = await client.get('/v1/agents', { 'Idempotency-Key': written });
    expectFresh(answer, 200);
  });

  it('does not freeze what a GET reads', async () => {
    const id = await client.call(TO);
    const read = async (): Promise<Answer> => client.get(`/v1/calls/${id}`, { 'Idempotency-Key': key });
    expect((await read()).body.data.status).toBe('QUEUED');
    await sandbox.clock.untilIdle();
    const later = await read();
    expectFresh(later, 200);
    expect(later.body.data.status).toBe('COMPLETED');
  });
});

describe('bodies', () => {
  const note = { b: [1, { x: null, y: 'z' }], a: { d: true, c: 0.5 } };
  const first = `{"from_number":"${FROM}","to_number":"${TO}","note":${JSON.stringify(note)}}`;

  it.each([
    ['other order of fields', `{"note":${JSON.stringify(note)},"to_number":"${TO}","from_number":"${FROM}"}`],
    [
      'other order within',
      `{"from_number":"${FROM}","to_number":"${TO}","note":{"a":{"c":0.5,"d":true},"b":[1,{"y":"z","x":null}]}}`,
    ],
    ['blanks between', JSON.stringify(JSON.parse(first), null, 4)],
    ['escapes', first.replace('note', '\\u006eote').replace('"z"', '"\\u007a"')],
    ['other spellings of a number', first.replace('0.5', '5e-1').replace('[1,', '[1.0,')],
  ])('that differ by %s are the same', async (_, body) => {
    const key = randomUUID();
    const answer = await dial(key, {}, { body: first });
    expectFresh(answer, 202);
    expect(body).not.toBe(first);
    expectReplay(await dial(key, {}, { body }), answer);
  });

  it.each([
    ['the order of a list', first.replace('[1,{"x":null,"y":"z"}]', '[{"x":null,"y":"z"},1]')],
    ['a value', first.replace('0.5', '0.25')],
    ['the type of a value', first.replace('[1,', '["1",')],
    ['null in place of nothing', first.replace('"d":true', '"d":true,"e":null')],
    ['a field more, though it is ignored', first.replace(/\}$/, ',"more":1}')],
    ['a field less', first.replace('"x":null,', '')],
    ['the case of a text', first.replace('"z"', '"Z"')],
    ['what is dialled', first.replace(TO, '+12125550101')],
  ])('that differ by %s are 409', async (_, body) => {
    const key = randomUUID();
    const before = await calls();
    expectFresh(await dial(key, {}, { body: first }), 202);
    expect(body).not.toBe(first);
    expectError(await dial(key, {}, { body }), 409, 'idempotency_conflict');
    expect(await calls()).toBe(before + 1);
  });

  it('that are invalid are 409 all the same: the key comes before validation', async () => {
    const key = randomUUID();
    await dial(key);
    expectError(await dial(key, { to_number: '' }), 409, 'idempotency_conflict');
    expectError(await dial(key, { from_number: 7 }), 409, 'idempotency_conflict');
  });

  it('of an operation without a body are not compared', async () => {
    const path = `/v1/calls/${await client.call(TO)}/hangup`;
    const key = randomUUID();
    const hangup = (body: string): Promise<Answer> =>
      wire.send({ method: 'POST', path, headers: { ...JSON_TYPE, 'Idempotency-Key': key }, body });
    const answer = await hangup('{"reason":1}');
    expectFresh(answer, 200);
    expectReplay(await hangup('{"reason":2}'), answer);
  });

  it('are compared as JSON, whatever they are (any value under a field that is ignored)', async () => {
    await client.post('/_sandbox/worlds', { name: 'idempotency-bodies' });
    const { api_key } = (
      await clientOf(sandbox.url, 'svc_test_idempotency-bodies').post('/_sandbox/keys', {
        requests_per_minute: 100_000,
      })
    ).body.data;
    // A caller ID takes fields that it does not know, and no capacity for calls.
    const send = (id: string, body: unknown): Promise<Answer> =>
      wire.send({
        method: 'POST',
        path: '/v1/caller-ids',
        key: api_key,
        headers: { ...JSON_TYPE, 'Idempotency-Key': id },
        body: JSON.stringify({ phone_number: '+14155550158', note: body }),
      });
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, each]) => [name, reversed(each)]),
      );
    };
    // Names that the body reader refuses, or that objects order by themselves, are left out.
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(null, true, false, 0, 1, -1.5, 1e21, '', 'text', '\u00e9', '\ud83d\ude00'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, value, async (one, other) => {
        const key = randomUUID();
        const first = await send(key, one);
        expect(first.status).toBe(201);
        expectReplay(await send(key, reversed(one)), first);
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        const second = await send(key, other);
        if (same) expectReplay(second, first);
        else expectError(second, 409, 'idempotency_conflict');
      }),
      { numRuns: runs(40, 150) },
    );
  });

  function sorted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
  }
});

describe('only successes are kept', () => {
  it('a scripted 502 is tried again under its key, until it succeeds', async () => {
    const key = randomUUID();
    const before = await calls();
    const flaky = { to_number: '+12125550135' };
    expectError(await dial(key, flaky), 502, 'provider_api_error');
    expectError(await dial(key, flaky), 502, 'provider_api_error');
    const success = await dial(key, flaky);
    expectFresh(success, 202);
    expectReplay(await dial(key, flaky), success);
    await expectOneCall(success.body.call_id, before);
    expect(await emitted()).toEqual(['new_call']);
  });

  it.each<[failure: string, status: number, code: string, fields: object, rest: Rest]>([
    ['a validation error', 400, 'validation_error', { from_number: 'x' }, {}],
    ['a missing destination', 400, 'destination_missing', { to_number: null }, {}],
    ['a scripted refusal', 403, 'dnc_suppressed', { to_number: '+12125550111' }, {}],
    ['a scripted 429', 429, 'frequency_exceeded', { to_number: '+12125550117' }, {}],
    ['an unverified caller ID', 422, 'call_id_not_verified', { from_number: '+14155550193' }, {}],
    ['an inactive number', 409, 'no_active_number', { from_number: '+14155550192' }, {}],
    ['an injected error', 500, 'internal_error', {}, { headers: { 'X-Sandbox-Error': 'internal_error' } }],
    ['an unknown key', 401, 'unauthorized', {}, { key: 'svc_nobody' }],
    ['a missing scope', 403, 'scope_missing', {}, { key: 'svc_sandbox_metadata' }],
    ['malformed JSON', 400, 'validation_error', {}, { body: '{' }],
    ['a large body', 413, 'payload_too_large', { note: 'x'.repeat(256 * 1024) }, {}],
  ])('%s leaves the key free, for this body or another', async (_, status, code, fields, rest) => {
    const key = randomUUID();
    expectError(await dial(key, fields, rest), status, code);
    const success = await dial(key);
    expectFresh(success, 202);
    expectReplay(await dial(key), success);
  });

  it('a conflict leaves the kept answer as it is', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    expectReplay(await dial(key), first);
  });
});

describe('24 hours on the clock of the world', () => {
  it('a key is kept to the last millisecond, and is free then', async () => {
    const key = randomUUID();
    const first = await dial(key);
    await sandbox.clock.advance('86399999ms');
    expectReplay(await dial(key), first);
    expectError(await dial(key, { note: 1 }), 409, 'idempotency_conflict');
    await sandbox.clock.advance('1ms');
    const anew = await dial(key, { note: 1 });
    expectFresh(anew, 202);
    expect(anew.body.call_id).not.toBe(first.body.call_id);
    expectReplay(await dial(key, { note: 1 }), anew);
  });

  it('a replay does not prolong them', async () => {
    const key = randomUUID();
    await dial(key);
    await sandbox.clock.advance('23h');
    expect(isReplay(await dial(key))).toBe(true);
    await sandbox.clock.advance('1h');
    expectFresh(await dial(key), 202);
  });

  it('are counted from the success, not from the failures before it', async () => {
    const key = randomUUID();
    expectError(await dial(key, { to_number: '+12125550135' }), 502, 'provider_api_error');
    await sandbox.clock.advance('20h');
    const success = await dial(key);
    await sandbox.clock.advance('20h');
    expectReplay(await dial(key), success);
  });

  it('do not pass by the leaps of an instant clock, where real time counts', async () => {
    await client.post('/_sandbox/worlds', { name: 'idempotency-instant', clock: 'instant' });
    const apiKey = 'svc_test_idempotency-instant';
    const key = randomUUID();
    const first = await dial(key, {}, { key: apiKey });
    const leap = await dial(randomUUID(), {}, { key: apiKey, headers: { 'X-Sandbox-Scenario': 'answered;talk=3d' } });
    const { started_at, ended_at } = (await clientOf(sandbox.url, apiKey).readCall(leap.body.call_id)) as {
      started_at: string;
      ended_at: string;
    };
    expect(Date.parse(ended_at) - Date.parse(started_at)).toBeGreaterThan(3 * 86_400_000);
    expectReplay(await dial(key, {}, { key: apiKey }), first);
  });

  it.runIf(thorough)(
    'are shorter for the oldest where long replies take more than 64 MiB, and for none where they do not',
    async () => {
      const own = await createSandbox({ clock: 'manual', rateLimit: 'off', journalLimit: 1 });
      const to = wireTo(own.url);
      try {
        const agent = (await clientOf(own.url).get('/v1/agents')).body.data[0].id;
        const change = (key: string, text: string): Promise<Answer> => {
          const headers = { ...JSON_TYPE, 'Idempotency-Key': key };
          const body = JSON.stringify({ system_prompt: text });
          return to.send({ method: 'PATCH', path: `/v1/agents/${agent}`, headers, body });
        };
        const long = 'x'.repeat(131_072);
        const keys = Array.from({ length: 540 }, () => randomUUID());
        for (const [at, key] of keys.entries()) {
          expect((await change(key, long)).status).toBe(200);
          if (at === 490) expect(isReplay(await change(keys[0] as string, long))).toBe(true);
        }
        expect(isReplay(await change(keys.at(-1) as string, long))).toBe(true);
        expect(isReplay(await change(keys.at(-495) as string, long))).toBe(true);
        expectFresh(await change(keys[0] as string, long), 200);
      } finally {
        to.close();
        await own.close();
      }
    },
  );

  it('end with a reset of the world', async () => {
    const key = randomUUID();
    await dial(key);
    await sandbox.reset();
    expectFresh(await dial(key), 202);
  });
});

describe('at once', () => {
  it('200 identical dials are one call, one new_call and 200 equal answers', async () => {
    const key = randomUUID();
    const before = await calls();
    const answers = await Promise.all(Array.from({ length: 200 }, () => dial(key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await emitted()).toEqual(['new_call']);
    await expectOneCall(answers[0]?.body.call_id, before);
  });

  it('100 dials with 100 bodies are one success and 99 conflicts', async () => {
    const key = randomUUID();
    const before = await calls();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, note) => dial(key, { note })));
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).sort();
    expect(codes).toEqual(['202', ...Array<string>(99).fill('409 idempotency_conflict')]);
    const success = answers.find(({ status }) => status === 202);
    expect(isReplay(success as Answer)).toBe(false);
    await expectOneCall(success?.body.call_id, before);
    expect(await emitted()).toEqual(['new_call']);
  });

  it('a repeat that comes while the first runs waits for it, delayed or not', async () => {
    const key = randomUUID();
    const [first, repeat] = await Promise.all([dial(key, {}, { headers: { 'X-Sandbox-Delay': '150ms' } }), dial(key)]);
    expect(first?.text).toBe(repeat?.text);
    expect([first, repeat].filter((answer) => isReplay(answer as Answer))).toHaveLength(1);
    expect(await emitted()).toEqual(['new_call']);
  });

  it('a failure and its repeats leave exactly one success', async () => {
    const key = randomUUID();
    const flaky = { to_number: '+13125550135' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => dial(key, flaky)));
    expect(answers.filter(({ status }) => status === 502)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(18);
    expect(answers.filter((answer) => answer.status === 202 && !isReplay(answer))).toHaveLength(1);
    expect(await emitted()).toEqual(['new_call']);
  });
});

describe('whose key it is', () => {
  it('every organization has its own', async () => {
    const key = randomUUID();
    const first = await dial(key);
    for (const other of ['svc_sandbox_other', 'svc_test_idempotency-tenant']) {
      const answer = await dial(key, { note: 'another body' }, { key: other });
      expectFresh(answer, 202);
      expect(answer.body.call_id).not.toBe(first.body.call_id);
    }
    expectReplay(await dial(key), first);
  });

  it('all API keys of one organization share it', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectReplay(await dial(key, {}, { key: 'svc_sandbox_compliance' }), first);
    expectReplay(await dial(key, {}, { key: 'svc_test_default' }), first);
    expectError(await dial(key, { note: 1 }, { key: 'svc_sandbox_compliance' }), 409, 'idempotency_conflict');
  });

  it('every path has its own, ids included', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const agents = (await client.get('/v1/agents')).body.data;
    const renamed = [];
    for (const { id } of agents) renamed.push(await client.patch(`/v1/agents/${id}`, { name: 'Same' }, key));
    expect(renamed.map(({ body }) => body.data.id)).toEqual(agents.map(({ id }: { id: string }) => id));
    renamed.forEach((answer) => {
      expectFresh(answer, 200);
    });
    const hungUp = await client.post(`/v1/calls/${await client.call(TO)}/hangup`, undefined, key);
    expectFresh(hungUp, 200);
    expectFresh(await dial(key['Idempotency-Key']), 202);
    expectFresh(await client.post('/v1/caller-ids', { phone_number: '+14155550155' }, key), 201);
  });
});

describe('a replay', () => {
  it('needs a key that is valid', async () => {
    const key = randomUUID();
    const made = (await client.post('/_sandbox/keys', {})).body.data;
    expectFresh(await dial(key, {}, { key: made.api_key }), 202);
    expect(isReplay(await dial(key, {}, { key: made.api_key }))).toBe(true);
    await client.delete(`/_sandbox/keys/${made.id}`);
    expectError(await dial(key, {}, { key: made.api_key }), 401, 'unauthorized');
    expectError(await dial(key, {}, { key: null }), 401, 'unauthorized');
  });

  it('needs the scope', async () => {
    const key = randomUUID();
    await dial(key);
    expectError(await dial(key, {}, { key: 'svc_sandbox_metadata' }), 403, 'scope_missing');
  });

  it('needs quota, and spends it', async () => {
    const { api_key } = (await client.post('/_sandbox/keys', { requests_per_minute: 3 })).body.data;
    const key = randomUUID();
    const left: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await dial(key, {}, { key: api_key });
      expect(status).toBe(202);
      left.push(headers['x-ratelimit-remaining'] as string);
    }
    expect(left).toEqual(['2', '1', '0']);
    expectError(await dial(key, {}, { key: api_key }), 429, 'rate_limited');
  });

  it('gives way to a control header that answers by itself, and to one that is wrong', async () => {
    const key = randomUUID();
    const first = await dial(key);
    expectError(await dial(key, {}, { headers: { 'X-Sandbox-Error': 'no_consent' } }), 403, 'no_consent');
    expectError(await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'no_such' } }), 400, 'validation_error');
    expectError(
      await dial(key, {}, { headers: { 'X-Sandbox-Scenario': 'verification_call' } }),
      400,
      'validation_error',
    );
    expectError(await dial(key, {}, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
    expectReplay(await dial(key), first);
  });

  it('takes a delay of its own', async () => {
    const key = randomUUID();
    const first = await dial(key);
    const began = performance.now();
    expectReplay(await dial(key, {}, { headers: { 'X-Sandbox-Delay': '120ms' } }), first);
    expect(performance.now() - began).toBeGreaterThanOrEqual(119);
  });
});

describe('the operations, each in its own way', () => {
  it('a repeated DELETE of a subscription is its 204; without the key it is 404', async () => {
    const { id } = (await client.post('/api/v1/webhook_subscriptions', subscription)).body;
    const path = `/api/v1/webhook_subscriptions/${id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.delete(path, key);
    expect([first.status, first.text]).toEqual([204, '']);
    const repeat = await client.delete(path, key);
    expect([repeat.status, repeat.text, isReplay(repeat)]).toEqual([204, '', true]);
    expectError(await client.delete(path), 404, 'not_found');
    expectError(await client.delete(path, { 'Idempotency-Key': randomUUID() }), 404, 'not_found');
  });

  it('a DELETE that found nothing is not kept', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const path = `/api/v1/webhook_subscriptions/${NOWHERE}`;
    expectError(await client.delete(path, key), 404, 'not_found');
    expectError(await client.delete(path, key), 404, 'not_found');
  });

  it('a repeated subscription has the id of the first, and is one', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const ids = [];
    for (let time = 0; time < 3; time++) {
      ids.push((await client.post('/api/v1/webhook_subscriptions', subscription, key)).body.id);
    }
    expect(new Set(ids).size).toBe(1);
    const { data } = (await client.get('/api/v1/webhook_subscriptions')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  });

  it('a repeated change of an agent does not undo the change that came after it', async () => {
    const [{ id }] = (await client.get('/v1/agents')).body.data;
    const path = `/v1/agents/${id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.patch(path, { name: 'First' }, key);
    await sandbox.clock.advance('1m');
    await client.patch(path, { name: 'Second' });
    const later = (await client.get(path)).text;
    const repeat = await client.patch(path, { name: 'First' }, key);
    expectReplay(repeat, first);
    expect(repeat.body.data.name).toBe('First');
    expect((await client.get(path)).text).toBe(later);
  });

  it('a repeated wrong code is one attempt, so that the right one still verifies', async () => {
    const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: '+14155550155' })).body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    const path = `/v1/caller-ids/${caller_id_id}/verify`;
    const key = { 'Idempotency-Key': randomUUID() };
    for (let time = 0; time < 8; time++) {
      const answer = await client.post(path, { verification_code: 'wrong' }, key);
      expect(answer.body.data.verified).toBe(false);
      expect(isReplay(answer)).toBe(time > 0);
    }
    const right = await client.post(path, { verification_code });
    expect(right.body.data.verified).toBe(true);
  });

  it('a repeated verification says verified again after the caller ID was revoked, and does not revive it', async () => {
    const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: '+14155550155' })).body.data;
    const { verification_code } = (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body
      .data;
    const path = `/v1/caller-ids/${caller_id_id}`;
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.post(`${path}/verify`, { verification_code }, key);
    expect(first.body.data.verified).toBe(true);
    await client.delete(path);
    expectReplay(await client.post(`${path}/verify`, { verification_code }, key), first);
    const { data } = (await client.get('/v1/caller-ids')).body;
    expect(data.find((each: { caller_id_id: string }) => each.caller_id_id === caller_id_id).status).toBe('REVOKED');
  });

  it('a repeated DELETE of a caller ID does not revoke it anew after it was started again', async () => {
    const { data } = (await client.get('/v1/caller-ids')).body;
    const { caller_id_id, phone_number } = data.find(({ status }: { status: string }) => status === 'VERIFIED');
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.delete(`/v1/caller-ids/${caller_id_id}`, key);
    expect(first.body.data).toMatchObject({ status: 'REVOKED', active: false });
    expect((await client.post('/v1/caller-ids', { phone_number })).body.data.caller_id_id).toBe(caller_id_id);
    expectReplay(await client.delete(`/v1/caller-ids/${caller_id_id}`, key), first);
    const after = (await client.get('/v1/caller-ids')).body.data;
    expect(after.find((each: { caller_id_id: string }) => each.caller_id_id === caller_id_id).status).toBe(
      'PENDING_VERIFICATION',
    );
  });

  it('a repeated caller ID makes one verification call with one code', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const ask = (): Promise<Answer> => client.post('/v1/caller-ids', { phone_number: '+14155550155' }, key);
    const { caller_id_id } = (await ask()).body.data;
    const code = async (): Promise<string> =>
      (await client.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`)).body.data.verification_code;
    const spoken = await code();
    expect((await ask()).body.data.caller_id_id).toBe(caller_id_id);
    expect(await code()).toBe(spoken);
    await client.post('/v1/caller-ids', { phone_number: '+14155550155' });
    expect(await code()).not.toBe(spoken);
  });

  it('a repeated hang-up keeps the status that the first one left', async () => {
    const id = await client.call(TO, { 'X-Sandbox-Scenario': 'answered;ring=1s;talk=1h' });
    await sandbox.clock.advance('10s');
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await client.post(`/v1/calls/${id}/hangup`, undefined, key);
    expect(first.body.data).toEqual({ call_id: id, status: 'COMPLETED' });
    const events = await emitted();
    expectReplay(await client.post(`/v1/calls/${id}/hangup`, undefined, key), first);
    expect(await emitted()).toEqual(events);
  });
});
