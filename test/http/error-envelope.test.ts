// The envelope of an error, for each cause of one: `spec.md` "Errors".
import { describe, expect, it } from 'vitest';
import { type Answer, expectError, FROM, NOWHERE } from '../support/client.ts';
import { PATIENCE } from '../support/until.ts';
import { answerOf, sendBytes } from '../support/wire.ts';
import { BODY_LIMIT, usePlatform } from './setup.ts';

const { sandbox, client, wire, dial, createKey } = usePlatform();

describe('the error envelope', () => {
  const inject = (code: string) => () => dial({}, { headers: { 'X-Sandbox-Error': code } });
  const kinds: readonly [kind: string, status: number, code: string, ask: () => Promise<Answer>, category?: string][] =
    [
      ['an unknown path', 404, 'not_found', () => client.get('/v1/nowhere')],
      ['an unknown path outside the platform', 404, 'not_found', () => client.get('/nowhere')],
      ['a malformed path', 404, 'not_found', () => wire.send({ path: '/_sandbox/worlds/%zz' })],
      ['an unsupported method', 405, 'method_not_allowed', () => client.delete('/v1/me')],
      [
        'a malformed control header',
        400,
        'validation_error',
        () => client.get('/v1/me', { 'X-Sandbox-Delay': 'soon' }),
      ],
      ['a missing API key', 401, 'unauthorized', () => wire.send({ path: '/v1/me', key: null })],
      ['a missing scope', 403, 'scope_missing', () => wire.send({ path: '/v1/me', key: 'svc_sandbox_webrtc' })],
      ['a body over the limit', 413, 'payload_too_large', () => dial({ note: 'x'.repeat(BODY_LIMIT) })],
      [
        'a wrong media type',
        415,
        'unsupported_media_type',
        () => dial({}, { headers: { 'Content-Type': 'text/xml' } }),
      ],
      ['malformed JSON', 400, 'validation_error', () => dial({}, { body: '{' })],
      ['an invalid idempotency key', 400, 'validation_error', () => dial({}, { headers: { 'Idempotency-Key': 'x' } })],
      ['an invalid field', 400, 'validation_error', () => client.post('/v1/caller-ids', { phone_number: 1 })],
      ['a missing destination', 400, 'destination_missing', () => dial({ to_number: '' }), 'invalid_request'],
      ['an invalid destination', 400, 'destination_invalid', () => dial({ to_number: '+1' }), 'invalid_request'],
      ['an emergency number', 403, 'destination_blocked', () => dial({ to_number: '911' }), 'compliance_block'],
      ['a scripted refusal', 402, 'voice_usage_exhausted', () => dial({ to_number: '+12125550120' }), 'account_limit'],
      ['a provider error', 502, 'sip_gateway_failed', () => dial({ to_number: '+12125550132' }), 'provider_error'],
      [
        'an unverified caller ID',
        422,
        'call_id_not_verified',
        () => dial({ from_number: '+14155550193' }),
        'invalid_request',
      ],
      ['an inactive number', 409, 'no_active_number', () => dial({ from_number: '+14155550192' }), 'invalid_request'],
      ['an unknown record', 404, 'not_found', () => client.get(`/v1/calls/${NOWHERE}`)],
      ['a record in the wrong state', 409, 'conflict', () => client.post('/v1/caller-ids', { phone_number: FROM })],
      ['a content policy', 403, 'content_policy_forbidden', inject('content_policy_forbidden')],
      ['an internal error', 500, 'internal_error', inject('internal_error'), 'provider_error'],
      ['an unknown path of the control API', 404, 'not_found', () => client.get('/_sandbox/nowhere')],
      ['an unsupported method of the control API', 405, 'method_not_allowed', () => client.delete('/_sandbox/clock')],
      [
        'an invalid body of the control API',
        400,
        'validation_error',
        () => client.post('/_sandbox/keys', { scopes: ['all'] }),
      ],
      [
        'an unknown key on the control API',
        401,
        'unauthorized',
        () => wire.send({ path: '/_sandbox/clock', key: 'svc_nobody' }),
      ],
      ['a conflict on the control API', 409, 'conflict', () => client.delete('/_sandbox/worlds/default')],
      [
        'a wait that times out',
        408,
        'timeout',
        () => wire.send({ path: '/_sandbox/wait?event_type=call_busy&timeout=50ms', timeoutMs: PATIENCE }),
      ],
      [
        'an idempotency conflict',
        409,
        'idempotency_conflict',
        async () => {
          const headers = { 'Idempotency-Key': 'b5f4c5a0-3a1c-4b44-8d44-4b8d7c6f0a11' };
          await dial({}, { headers });
          return dial({ note: 'other' }, { headers });
        },
      ],
      [
        'an exhausted rate window',
        429,
        'rate_limited',
        async () => {
          const { api_key: key } = await createKey({ requests_per_minute: 1 });
          await wire.send({ path: '/v1/me', key });
          return wire.send({ path: '/v1/me', key });
        },
      ],
      [
        'headers over the limit',
        431,
        'headers_too_large',
        async () =>
          answerOf(await sendBytes(sandbox.url, `GET /v1/me HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)),
      ],
    ];

  it.each(kinds)(
    '%s is %i %s with a message, a hint and a documentation page',
    async (_, status, code, ask, category) => {
      const answer = await ask();
      expectError(answer, status, code);
      expect(answer.headers['content-type']).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
      expect(Object.keys(answer.body)).toEqual(['error']);
      const { error } = answer.body;
      expect(error.message).toMatch(/\w{2}/);
      expect(error.resolution_hint).toMatch(/\w{2}/);
      expect(error.category).toBe(category);
      const known = ['category', 'code', 'doc_url', 'fields', 'message', 'resolution_hint'];
      expect(Object.keys(error).filter((name) => !known.includes(name))).toEqual([]);
      for (const explanation of Object.values(error.fields ?? {})) expect(explanation).toMatch(/\w{2}/);
      expect(error.doc_url).toBe(`${sandbox.url}/docs/errors#${code}`);
      const page = await fetch(error.doc_url);
      expect(page.status).toBe(200);
      expect((await page.text()).includes(`id="${code}"`), `an anchor for ${code}`).toBe(true);
    },
  );

  it('all invalid fields of a body are listed at once', async () => {
    const answer = await client.post('/api/v1/webhook_subscriptions', { webhook_url: 7, event_type: 'NEW_CALL', x: 1 });
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(['event_type', 'webhook_url', 'x']);
  });

  it('doc_url uses the Host of the request', async () => {
    const answer = await wire.send({ path: '/v1/nowhere', headers: { Host: 'sandbox.internal:8080' } });
    expect(answer.body.error.doc_url).toBe('http://sandbox.internal:8080/docs/errors#not_found');
  });

  it('doc_url of the refusal of a malformed Host ignores it', async () => {
    const answer = await wire.send({ path: '/v1/nowhere', headers: { Host: 'a/"><script>' } });
    expect(answer.body.error.doc_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#validation_error$/);
  });
});
