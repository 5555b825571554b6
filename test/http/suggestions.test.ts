// What an unknown path or control header is told: the name that was meant, if it is near and would be accepted.
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const { client } = useSandbox({ clock: 'manual' });

const message = async (method: 'get' | 'post', path: string): Promise<string> => {
  const answer = method === 'get' ? await client.get(path) : await client.post(path, {});
  expect(answer.status).toBe(404);
  return answer.body.error.message;
};

describe('an unknown path', () => {
  it.each([
    ['get', '/v1/calls/abc/transcrpt', '; did you mean /v1/calls/abc/transcript?'],
    ['post', '/v1/call', '; did you mean /v1/calls?'],
    // The path takes any text for the id.
    ['get', '/v1/phone-numbers/availible', '; did you mean /v1/phone-numbers/available?'],
    ['get', '/v1/calls/', '; did you mean /v1/calls?'],
    ['get', '/v1/webhook_subscriptions', '; did you mean /api/v1/webhook_subscriptions?'],
    ['get', '/api/v1/calls', '; did you mean /v1/calls?'],
    ['post', '/api/v1/calls/dial', '; did you mean /v1/calls/dial?'],
    ['get', '/v1/phone-number/available', '; did you mean /v1/phone-numbers/available?'],
    ['post', '/calls/dial', '; did you mean /v1/calls/dial?'],
    ['get', '/calls/abc/transcript', '; did you mean /v1/calls/abc/transcript?'],
    ['get', '/openapi.yml', '; did you mean /openapi.yaml?'],
    ['get', '/openapi-3.0.yml', '; did you mean /openapi-3.0.yaml?'],
    ['get', '/docs/error', '; did you mean /docs/errors?'],
    ['get', '/errors', '; did you mean /docs/errors?'],
    ['post', '/_sandbox/advance', '; did you mean /_sandbox/clock/advance?'],
    ['post', '/_sandbox/inbound-call', '; did you mean /_sandbox/simulate/inbound-call?'],
    ['post', '/_sandbox/simulate/inbound_call', '; did you mean /_sandbox/simulate/inbound-call?'],
    ['get', '/v1/%zz', 'There is no path /v1/%zz.'],
    ['get', '/docs/%zz', 'There is no path /docs/%zz.'],
    ['get', '/nowhere', 'There is no path /nowhere.'],
    ['get', '/_sandbox/clok', '; did you mean /_sandbox/clock?'],
    ['get', '/_sandbox/caller-ids/abc/verification-cod', '; did you mean /_sandbox/caller-ids/abc/verification-code?'],
  ] as const)('suggests the one that was meant: %s %s', async (method, path, suggestion) => {
    expect(await message(method, path)).toContain(suggestion);
  });

  it.each([
    ['get', '/v1/something/else'],
    // Only POST is allowed there.
    ['get', '/v1/client-token'],
    ['get', '/v1/calls/dail'],
    // `dial` is the name of a path there, and no id.
    ['get', '/v1/calls/dial/transcrpt'],
    ['get', '/_sandbox/rese'],
    ['get', '/callssssssssss'],
    ['post', '/openapi.yml'],
    // Any of several could have been meant.
    ['get', '/_sandbox/abc'],
    ['get', '/api/v1/something'],
  ] as const)('suggests none that is far, or that does not take the method: %s %s', async (method, path) => {
    expect(await message(method, path)).not.toContain('did you mean');
  });
});

describe('a method that a path does not support', () => {
  it.each([
    ['post', '/v1/calls/dail', 'allowed: GET, HEAD; did you mean /v1/calls/dial?'],
    ['get', '/v1/calls/dial', 'allowed: POST.'],
    ['post', '/_sandbox/scenarios/x', 'it supports GET, PUT, DELETE.'],
    ['post', '/openapi.yaml', 'allowed: GET, HEAD.'],
  ] as const)('has the path that was meant suggested, if that supports it: %s %s', async (method, path, end) => {
    const { status, body } = method === 'get' ? await client.get(path) : await client.post(path, {});
    expect(status).toBe(405);
    expect(body.error.message.endsWith(end), body.error.message).toBe(true);
  });
});

describe('a misspelt fault', () => {
  it.each([
    ['reset;when=befor', 'reset;when=before'],
    ['rest', 'reset'],
  ])('has one suggested that would be accepted: %s', async (value, meant) => {
    const { body } = await client.get('/v1/agents', { 'X-Sandbox-Fault': value });
    expect(body.error.fields['X-Sandbox-Fault'].endsWith(`; did you mean ${meant}?`)).toBe(true);
  });
});

describe('an unknown control header of a platform request', () => {
  it.each([
    ['X-Sandbox-Scenarios', '; did you mean X-Sandbox-Scenario?'],
    ['X-Sandbox-Worlds', 'X-Sandbox-Fault'],
  ])('suggests only a name that is near without the common prefix: %s', async (name, end) => {
    const answer = await client.get('/v1/agents', { [name]: 'a' });
    expect(answer.body.error.fields[name].endsWith(end)).toBe(true);
  });

  it('is not answered with the name of one that only the control API takes', async () => {
    const answer = await client.get('/v1/agents', { 'X-Sandbox-Wrld': 'a' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.fields['X-Sandbox-Wrld']).toMatch(/^is not a known control header; must be one of/);
    expect(answer.body.error.fields['X-Sandbox-Wrld']).not.toContain('X-Sandbox-World');
  });
});
