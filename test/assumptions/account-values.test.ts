// The values of the ledger about keys, numbers, caller trust, tokens and requests: `interface.md` section 9.
import { approve, dataOf, draft, ENTERPRISE, REMEDIATIONS, REPUTATION, sign, submit } from '../support/caller-trust.ts';
import { type Client, clientOf, FROM, playing } from '../support/client.ts';
import { agentsOf } from '../support/outbound.ts';
import { childOf } from '../support/world.ts';
import { describeCases } from './cases.ts';
import { advance, type Case, eventsOf, resultOf } from './setup.ts';

const UUID = 'a3bb189e-8bf9-4c7a-9e54-0c1d2e3f4a5b';
const clockOf = (client: Client): never => ({ clock: { advance: (by: string) => advance(client, by) } }) as never;

/** A pending caller ID whose code has been spoken; its path. */
async function pendingCallerId(client: Client): Promise<string> {
  const { caller_id_id } = (await client.post('/v1/caller-ids', { phone_number: '+14155550171' })).body.data;
  await advance(client, '1m');
  return `/v1/caller-ids/${caller_id_id}`;
}

const tryCode = (client: Client, path: string, verification_code = 'wrong') =>
  client.post(`${path}/verify`, { verification_code });

const spokenCode = async (client: Client, path: string): Promise<string> =>
  (await client.get(`/_sandbox${path.slice(3)}/verification-code`)).body.data.verification_code;

/** Remediates the first number of an approved enterprise. */
async function remediate(client: Client) {
  await approve(client, clockOf(client));
  return client.post(REMEDIATIONS, { phone_numbers: [FROM] });
}

/** How long a join token is valid, in seconds, and when it ends by its own words. */
const joinToken = async (client: Client): Promise<{ token: string; expires_in: number }> =>
  (await client.post('/v1/webrtc-token', {})).body.data;

const claimsOf = (token: string): { exp: number } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

export const accountCases: readonly Case[] = [
  {
    name: 'scope_missing_status',
    value: 401,
    async act(client, url) {
      const { api_key } = (await client.post('/_sandbox/keys', { scopes: ['voice:webrtc'] })).body.data;
      return resultOf(await clientOf(url, api_key).get('/v1/calls'));
    },
    usual: '403 scope_missing',
    other: '401 scope_missing',
  },
  {
    name: 'retired_status',
    value: 410,
    act: async (client) => resultOf(await client.get('/v1/workflows')),
    usual: '404 not_found',
    other: '410 not_found',
  },
  {
    name: 'forbidden',
    value: 404,
    act: async (client, url) => resultOf(await (await childOf(url, client)).get('/v1/sub-entities')),
    usual: '403 forbidden',
    other: '404 not_found',
  },
  {
    name: 'umbrella_usage',
    value: 'with_children',
    act: async (client) => (await client.get('/v1/usage')).body.data.phone_numbers_active,
    usual: 3,
    other: 4,
  },
  {
    name: 'subscription_response',
    value: 'id_only',
    async act(client) {
      const body = { webhook_url: 'https://hooks.example.com/r', event_type: 'new_call' };
      const made = Object.keys((await client.post('/api/v1/webhook_subscriptions', body)).body);
      return [made, Object.keys((await client.get('/api/v1/webhook_subscriptions')).body.data[0])];
    },
    usual: [
      ['id', 'webhook_url', 'event_type'],
      ['id', 'webhook_url', 'event_type'],
    ],
    other: [['id'], ['id', 'webhook_url', 'event_type']],
  },
  ...(['refused', 'ignored'] as const).map(
    (value): Case => ({
      name: 'unknown_body_fields',
      value,
      async act(client) {
        const [agent] = await agentsOf(client);
        const dialled = await client.post('/v1/calls/dial', {
          from_number: FROM,
          to_number: '+12125550101',
          note: 'x',
        });
        const closed = await client.patch(`/v1/agents/${agent}`, { name: 'Mara', note: 'x' });
        return [resultOf(dialled), resultOf(closed), 'note' in (closed.body.data ?? {})];
      },
      usual: ['202', '400 validation_error', false],
      other: value === 'refused' ? ['400 validation_error', '400 validation_error', false] : ['202', '200', false],
    }),
  ),
  {
    name: 'wrong_verification_code',
    value: 400,
    async act(client) {
      const path = await pendingCallerId(client);
      const answers = [];
      for (let n = 0; n < 6; n++) answers.push(await tryCode(client, path));
      // The failed attempts count in both cases.
      const tooMany = await tryCode(client, path, await spokenCode(client, path));
      return [resultOf(answers[0] as never), resultOf(tooMany), tooMany.body.data?.verified];
    },
    usual: ['200', '200', false],
    other: ['400 validation_error', '400 validation_error', undefined],
  },
  {
    name: 'verification_attempts',
    value: 1,
    async act(client) {
      const path = await pendingCallerId(client);
      await tryCode(client, path);
      return (await tryCode(client, path, await spokenCode(client, path))).body.data.verified;
    },
    usual: true,
    other: false,
  },
  {
    name: 'verification_minutes',
    value: 60,
    async act(client) {
      const path = await pendingCallerId(client);
      await advance(client, '30m');
      return (await tryCode(client, path, await spokenCode(client, path))).body.data.verified;
    },
    usual: false,
    other: true,
  },
  {
    name: 'repeated_caller_id',
    value: 200,
    act: async (client) => resultOf(await client.post('/v1/caller-ids', { phone_number: FROM })),
    usual: '409 conflict',
    other: '200',
  },
  {
    name: 'second_delete',
    value: 404,
    async act(client) {
      const path = await pendingCallerId(client);
      const { id } = (await client.get('/v1/phone-numbers')).body.data[0];
      const twice = async (each: string) => [await client.delete(each), await client.delete(each)].map(resultOf);
      return [await twice(path), await twice(`/v1/phone-numbers/${id}`)];
    },
    usual: [
      ['200', '200'],
      ['200', '200'],
    ],
    other: [
      ['200', '404 not_found'],
      ['200', '404 not_found'],
    ],
  },
  {
    name: 'texting_status',
    value: 'null',
    act: async (client) => (await client.post('/v1/phone-numbers', {})).body.data.texting_status,
    usual: 'none',
    other: null,
  },
  {
    name: 'provisioned_caller_id',
    value: 'none',
    async act(client) {
      const { phone_number } = (await client.post('/v1/phone-numbers', {})).body.data;
      await advance(client, '10s');
      const { data } = (await client.get('/v1/caller-ids?page_size=100')).body;
      return data.some((callerId: { phone_number: string }) => callerId.phone_number === phone_number);
    },
    usual: true,
    other: false,
  },
  {
    name: 'cnam_approval',
    value: 'immediate',
    async act(client) {
      const { id } = (await client.get('/v1/phone-numbers')).body.data[0];
      const name = { cnam_display_name: 'HARBOR DENTAL' };
      return (await client.put(`/v1/phone-numbers/${id}/cnam`, name, playing('cnam_rejected'))).body.data.cnam_status;
    },
    usual: 'pending',
    other: 'approved',
  },
  {
    name: 'texting_keywords',
    value: 'off',
    async act(client) {
      await client.post('/_sandbox/simulate/inbound-sms', { from_number: '+12125550140', body: 'STOP' });
      const { body } = await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hello' });
      await advance(client, '1m');
      return (await client.get(`/v1/sms/${body.data.id}`)).body.data.status;
    },
    usual: 'failed',
    other: 'delivered',
  },
  {
    name: 'enterprise_absent',
    value: 200,
    async act(client) {
      const answer = await client.get(ENTERPRISE);
      return [resultOf(answer), answer.body.data];
    },
    usual: ['404 not_found', undefined],
    other: ['200', null],
  },
  {
    name: 'submission_without_loa',
    value: 'conflict',
    async act(client) {
      await draft(client);
      const without = resultOf(await submit(client));
      await client.post(`${ENTERPRISE}/generate-loa`, {});
      return [without, resultOf(await submit(client))];
    },
    usual: ['200', '409 conflict'],
    other: ['409 conflict', '200'],
  },
  {
    name: 'consent_time',
    value: 'past',
    async act(client) {
      await draft(client);
      const early = resultOf(await sign(client, { consent_acknowledged_at: '2026-01-05T15:00:01Z' }));
      return [early, resultOf(await sign(client))];
    },
    usual: ['200', '409 conflict'],
    other: ['400 validation_error', '200'],
  },
  {
    name: 'enterprise_events',
    value: 'every_change',
    async act(client) {
      await approve(client, clockOf(client));
      return (await eventsOf(client, 'enterprise.status.updated')).map(({ status }) => status);
    },
    usual: ['APPROVED'],
    other: ['PENDING_VETTING', 'APPROVED'],
    unnamed: true,
  },
  {
    name: 'check_frequency',
    value: 'monthly',
    act: async (client) => dataOf(await client.get(REPUTATION))[0].last_checked_at,
    usual: '2026-01-05T14:00:00.000Z',
    other: '2026-01-01T14:00:00.000Z',
  },
  {
    name: 'billed_amount',
    value: 42,
    async act(client) {
      const { request_id } = (await remediate(client)).body.data;
      await advance(client, '5m');
      return (await client.get(`${REMEDIATIONS}/${request_id}`)).body.data.numbers[0].billed_amount_dc;
    },
    usual: 1500,
    other: 42,
  },
  {
    name: 'remediation_overlap',
    value: 'accepted',
    async act(client) {
      await remediate(client);
      return resultOf(await client.post(REMEDIATIONS, { phone_numbers: [FROM] }));
    },
    usual: '409 conflict',
    other: '202',
  },
  {
    name: 'join_token_seconds',
    value: 60,
    act: async (client) => (await joinToken(client)).expires_in,
    usual: 21_600,
    other: 60,
  },
  {
    name: 'client_token_seconds',
    value: 60,
    act: async (client) => (await client.post('/v1/client-tokens', { scopes: ['account:read'] })).body.data?.expires_in,
    usual: 900,
    other: 60,
  },
  {
    name: 'token_clock',
    value: 'world',
    async act(client, url) {
      const { token } = (await client.post('/v1/client-tokens', { scopes: ['account:read'] })).body.data;
      const before = resultOf(await clientOf(url, token).get('/v1/account'));
      await advance(client, '16m');
      const after = resultOf(await clientOf(url, token).get('/v1/account'));
      const byWorld = claimsOf((await joinToken(client)).token).exp === Date.parse('2026-01-05T21:16:00Z') / 1000;
      return [before, after, byWorld];
    },
    usual: ['200', '200', false],
    other: ['200', '401 unauthorized', true],
  },
  {
    name: 'idempotency_hours',
    value: 1,
    async act(client) {
      const send = () => client.dial('+12125550101', { 'Idempotency-Key': UUID });
      const first = (await send()).body.call_id;
      await advance(client, '2h');
      return (await send()).body.call_id === first;
    },
    usual: true,
    other: false,
    unnamed: true,
  },
  {
    name: 'idempotency_key_form',
    value: 'any',
    async act(client) {
      const send = () => client.dial('+12125550101', { 'Idempotency-Key': 'order 66' });
      const [first, second] = [await send(), await send()];
      return [resultOf(first), first.body.call_id !== undefined && first.body.call_id === second.body.call_id];
    },
    usual: ['400 validation_error', false],
    other: ['202', true],
    unnamed: true,
  },
];

describeCases('keys, numbers, caller trust, tokens and requests', accountCases);
