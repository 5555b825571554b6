// Keys over a restart: `interface.md` sections 1 and 2. The state file has hashes and never a plaintext key.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { useRestarts } from './setup.ts';

const { startServer } = useRestarts();

describe('keys', () => {
  it('survive a restart as hashes: they work with their scopes, and the file has no plaintext', async () => {
    const server = await startServer({ controlToken: 'control-token-19c4' });
    const control = server.clientWith('control-token-19c4');
    const made = (await control.post('/_sandbox/keys', { scopes: ['calls:read'], requests_per_minute: 7 })).body.data;
    const dropped = (await control.post('/_sandbox/keys', {})).body.data;
    await control.delete(`/_sandbox/keys/${dropped.id}`);
    await server.clientWith(made.api_key).get('/v1/calls');
    await server.clientWith('svc_test_default.55aa77').dial('+12125550101');
    await server.client.dial('+12125550101');
    await server.clientWith('svc_sandbox_compliance').get('/v1/me');
    await server.restart();
    const text = readFileSync(server.file, 'utf8');
    const answer = await server.clientWith(made.api_key).get('/v1/calls');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ratelimit-limit']).toBe('7');
    expectError(await server.clientWith(made.api_key).get('/v1/account'), 403, 'scope_missing');
    expectError(await server.clientWith(dropped.api_key).get('/v1/calls'), 401, 'unauthorized');
    expectError(await server.clientWith('svc_sandbox_revoked').get('/v1/calls'), 401, 'unauthorized');
    const secrets = [
      made.api_key,
      dropped.api_key,
      'svc_sandbox_default',
      'svc_sandbox_compliance',
      'svc_test_default.55aa77',
      'control-token-19c4',
    ];
    expect(text).toContain(made.id);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describe('a key that a client sends in a body or a query', () => {
  it('is not in the file in plaintext either', async () => {
    const server = await startServer();
    const { api_key } = (await server.client.post('/_sandbox/keys', {})).body.data;
    const keyed = server.clientWith(api_key);
    await keyed.post('/v1/calls/dial', { to_number: '+12125550101', api_key });
    await keyed.get(`/v1/calls?api_key=${api_key}`);
    await server.sandbox.close();
    expect(readFileSync(server.file, 'utf8')).not.toContain(api_key);
  });
});
