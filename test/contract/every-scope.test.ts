// Every scope, and exactly the operations and fields that a key with that scope alone can use. The list is written by
// hand from `spec.md` "Authentication" and the assumption operation_scopes, and not read from openapi.yaml.
// `every-operation.test.ts` covers successes and the message about missing scopes.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Client, expectError } from '../support/client.ts';
import { keyedOperations } from '../support/operations.ts';
import { useSandbox } from '../support/sandbox.ts';
import { thorough } from '../support/thorough.ts';
import { JSON_TYPE } from '../support/wire.ts';
import { childOrganization, clientWith } from '../support/world.ts';

const TRUST = '/v1/caller-trust';

const operationsByScope: Readonly<Record<string, readonly string[]>> = {
  'account:read': ['GET /v1/account', 'GET /v1/me', 'GET /v1/contacts', 'GET /v1/contacts/{id}'],
  'voice:read': ['GET /v1/calls', 'GET /v1/calls/{id}', 'GET /v1/usage'],
  'voice:write': ['POST /v1/calls/dial', 'POST /v1/calls', 'POST /v1/room-token'],
  'voice:webrtc': ['POST /v1/webrtc-token'],
  'calls:read': ['GET /v1/calls', 'GET /v1/calls/{id}'],
  'calls:write': ['POST /v1/calls/dial', 'POST /v1/calls', 'POST /v1/calls/{id}/hangup'],
  // It shows a field of calls; another scope reads the call.
  'recordings:read': [],
  'transcripts:read': ['GET /v1/calls/{id}/transcript'],
  'agents:read': ['GET /v1/agents', 'GET /v1/agents/{id}'],
  'agents:write': ['PATCH /v1/agents/{id}', 'POST /v1/agents/{id}/web-call'],
  'phone_numbers:read': ['GET /v1/phone-numbers', 'GET /v1/phone-numbers/available', 'GET /v1/phone-numbers/{id}'],
  'phone_numbers:write': [
    'POST /v1/phone-numbers',
    'PATCH /v1/phone-numbers/{id}',
    'DELETE /v1/phone-numbers/{id}',
    'PUT /v1/phone-numbers/{id}/cnam',
  ],
  'sms:read': ['GET /v1/sms', 'GET /v1/sms/{id}'],
  'sms:write': ['POST /v1/sms/send'],
  'webhooks:read': ['GET /api/v1/webhook_subscriptions'],
  'webhooks:write': ['POST /api/v1/webhook_subscriptions', 'DELETE /api/v1/webhook_subscriptions/{id}'],
  'caller_trust:read': [
    'GET /v1/caller-ids',
    `GET ${TRUST}/documents/{id}`,
    `GET ${TRUST}/enterprise`,
    `GET ${TRUST}/reputation/numbers`,
    `GET ${TRUST}/reputation/remediations`,
    `GET ${TRUST}/reputation/remediations/{id}`,
    `GET ${TRUST}/display-identities`,
  ],
  'caller_trust:write': [
    'POST /v1/caller-ids',
    'POST /v1/caller-ids/{id}/verify',
    'DELETE /v1/caller-ids/{id}',
    `POST ${TRUST}/documents`,
    `POST ${TRUST}/enterprise`,
    `PATCH ${TRUST}/enterprise`,
    `POST ${TRUST}/enterprise/generate-loa`,
    `POST ${TRUST}/enterprise/submit`,
    `POST ${TRUST}/enterprise/sign-and-submit`,
    `POST ${TRUST}/reputation/remediations`,
    `POST ${TRUST}/display-identities`,
  ],
  'brand:read': ['GET /v1/brand', 'GET /v1/brand/campaigns'],
  'brand:write': ['POST /v1/brand', 'POST /v1/brand/campaigns'],
  'sub_entities:read': ['GET /v1/sub-entities', 'GET /v1/sub-entities/{id}'],
  'sub_entities:write': ['POST /v1/sub-entities', 'PATCH /v1/sub-entities/{id}'],
  // It allows a field of sub-entities; another scope changes the sub-entity.
  'compliance:write': [],
  'usage:read': ['GET /v1/usage'],
  'tokens:mint': ['POST /v1/client-tokens'],
  'jobs:read': ['GET /v1/jobs', 'GET /v1/jobs/{id}'],
  'jobs:write': ['POST /v1/jobs', 'POST /v1/jobs/{id}/pause', 'POST /v1/jobs/{id}/resume', 'POST /v1/jobs/{id}/cancel'],
  'bookings:read': ['GET /v1/appointments'],
};
const scopes = Object.keys(operationsByScope);

const { sandbox, client, wire } = useSandbox({ clock: 'manual', rateLimit: 'off' });

const keyWith = (...granted: readonly string[]): Promise<Client> =>
  clientWith(sandbox.url, client, { scopes: granted });

it('there are 28 scopes, and every operation accepts at least one of them', async () => {
  expect(scopes).toHaveLength(28);
  expect([...dataOf(await client.get('/_sandbox/catalog')).scopes].sort()).toEqual([...scopes].sort());
  const operations = keyedOperations.map(({ method, template }) => `${method} ${template}`);
  expect([...new Set(Object.values(operationsByScope).flat())].sort()).toEqual(operations.sort());
});

describe('a key with one scope', () => {
  it.each(scopes)('%s can call the operations that accept it, and no others', async (scope) => {
    const { key } = await keyWith(scope);
    const opened: string[] = [];
    const accepting = operationsByScope[scope] as string[];
    // `npm test` tries a quarter of those that must refuse it, another one with each scope.
    const tried = keyedOperations.filter(({ method, template }, index) => {
      return thorough || accepting.includes(`${method} ${template}`) || (index + scopes.indexOf(scope)) % 4 === 0;
    });
    for (const { method, template, path } of tried) {
      // Malformed JSON is refused after the scope is checked, so nothing is written.
      const body = method === 'GET' ? undefined : '{';
      const answer = await wire.send({ method, path, key, headers: JSON_TYPE, body });
      if (answer.body.error?.code === 'scope_missing') expect(answer.status).toBe(403);
      else opened.push(`${method} ${template}`);
    }
    expect(opened.sort()).toEqual([...accepting].sort());
  });
});

describe('recordings:read', () => {
  it('shows recording_url, a playable sound, to a key that may read calls; has_recording needs no such scope', async () => {
    const { data } = (await client.get('/v1/calls')).body;
    const { id } = data.find((each: { has_recording: boolean }) => each.has_recording);
    const recordingUrlWith = async (...granted: string[]): Promise<string | null> => {
      const by = await keyWith(...granted);
      const item = (await by.get('/v1/calls')).body.data.find((each: { id: string }) => each.id === id);
      const { recording_url, has_recording } = await by.readCall(id);
      expect(item).toMatchObject({ recording_url, has_recording });
      expect(has_recording).toBe(true);
      return recording_url;
    };
    for (const reads of ['calls:read', 'voice:read']) {
      expect(await recordingUrlWith(reads)).toBeNull();
      const sound = await fetch((await recordingUrlWith(reads, 'recordings:read')) as string);
      expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect(Buffer.from(await sound.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
    }
    expect(await recordingUrlWith(...scopes.filter((scope) => scope !== 'recordings:read'))).toBeNull();
  });
});

describe('compliance:write', () => {
  it('changes the HIPAA mode of a sub-entity only together with sub_entities:write', async () => {
    const path = `/v1/sub-entities/${await childOrganization(client)}`;
    const change = async (hipaa_enabled: boolean, ...granted: string[]) =>
      (await keyWith(...granted)).patch(path, { hipaa_enabled });
    expectError(await change(true, 'compliance:write'), 403, 'scope_missing');
    expectError(await change(true, 'sub_entities:write'), 403, 'scope_missing');
    const others = scopes.filter((scope) => scope !== 'compliance:write');
    expectError(await change(true, ...others), 403, 'scope_missing');
    expect(dataOf(await client.get(path)).hipaa_enabled).toBe(false);
    for (const mode of [true, false]) {
      expect(dataOf(await change(mode, 'sub_entities:write', 'compliance:write')).hipaa_enabled).toBe(mode);
      expect(dataOf(await client.get(path)).hipaa_enabled).toBe(mode);
    }
  });
});
