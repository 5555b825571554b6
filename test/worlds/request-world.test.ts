// The world of a request and its header X-Sandbox-World: `interface.md` section 2.
import { describe, expect, it } from 'vitest';
import { clientOf, expectError, FROM } from '../support/client.ts';
import { clientWith } from '../support/world.ts';
import { useWorlds } from './setup.ts';

const { sandbox, client, inWorld } = useWorlds();

describe('the world of a request', () => {
  it('is in a header of every response, errors too', async () => {
    const client = inWorld('named');
    for (const answer of [
      await client.get('/v1/me'),
      await client.get('/v1/calls/nope'),
      await client.dial('911'),
      await client.post('/v1/calls/dial', { from_number: FROM, to_number: '+12125550111' }),
      await client.get('/v1/me', { 'X-Sandbox-Error': 'internal_error' }),
      await (await clientWith(sandbox.url, client, { scopes: ['agents:read'] })).get('/v1/me'),
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

  it('cannot be chosen by X-Sandbox-World, which is therefore not suggested', async () => {
    for (const path of ['/v1/me', '/_sandbox/clock']) {
      const answer = await client.get(path, { 'X-Sandbox-Worlds': 'demo' });
      expect(answer.body.error.fields['X-Sandbox-Worlds']).toContain('must be one of X-Sandbox-Scenario, ');
      expect(answer.body.error.fields['X-Sandbox-Worlds']).not.toContain('X-Sandbox-World');
    }
  });

  it('is `default` for a control request without a key', async () => {
    await sandbox.world('default').reset();
    await client.call('+12125550100');
    expect((await clientOf(sandbox.url, null).get('/_sandbox/events')).body.meta.total_results).toBe(1);
    expectError(await clientOf(sandbox.url, null).get('/v1/me'), 401, 'unauthorized');
  });
});
