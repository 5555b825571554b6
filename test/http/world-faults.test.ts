import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/document.ts';
import { expectError } from '../support/client.ts';
import { useFaultyWorlds } from './faulty-worlds.ts';

const { sandbox, newWorld } = useFaultyWorlds();

describe('what a fault does', () => {
  it('answers with an error in place of the effect, or after it', async () => {
    const { client, set, calls, journaled } = newWorld();
    const before = await calls();
    const { id } = await set({ operation: 'dialCall', error: 'sip_gateway_failed', times: 1 });
    const failed = await client.dial('+12125550100');
    expectError(failed, 502, 'sip_gateway_failed');
    expect(failed.body.error.category).toBe('provider_error');
    expect(failed.headers['x-sandbox-fault-applied']).toBe(id);
    expect(await calls()).toBe(before);
    const entry = await journaled(failed);
    expect(entry.faults).toEqual([{ id, effect: 'error=sip_gateway_failed;when=before' }]);
    expect(entry.request.body).toContain('+12125550100');

    await set({ operation: 'dialCall', error: 'sip_gateway_failed', times: 1, when: 'after' });
    const lost = await client.dial('+12125550100');
    expectError(lost, 502, 'sip_gateway_failed');
    expect(await calls()).toBe(before + 1);
    expect((await journaled(lost)).status).toBe(502);
    const fine = await client.dial('+12125550100');
    expect(fine.status).toBe(202);
    expect(fine.headers).not.toHaveProperty('x-sandbox-fault-applied');
    expect(await journaled(fine)).not.toHaveProperty('faults');
  });

  it('answers as a gateway does, without the envelope and the headers of the platform', async () => {
    const { client, set, calls, journaled } = newWorld();
    const count = await calls();
    const html = '<html><h1>502 Bad Gateway</h1></html>';
    await set({
      path: '/v1/calls/*',
      respond: { status: 502, body: html, headers: { 'Retry-After': 7, Via: 'a' } },
      times: 1,
    });
    const answer = await client.dial('+12125550100');
    expect(answer).toMatchObject({ status: 502, text: html });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'retry-after': '7', via: 'a' });
    expect(answer.headers).not.toHaveProperty('ratelimit');
    expect(await journaled(answer)).toMatchObject({ status: 502, error_code: null, response: { body: html } });
    expect(await calls()).toBe(count);

    const bodies = [
      [{ status: 200, body: { a: 1 } }, 'application/json', '{"a":1}'],
      [{ status: 503, body: 'busy' }, 'text/plain; charset=utf-8', 'busy'],
      [{ status: 503, body: 'x', content_type: 'text/csv' }, 'text/csv', 'x'],
      [{ status: 504 }, undefined, ''],
      [{ status: 204 }, undefined, ''],
    ] as const;
    for (const [respond, type, text] of bodies) {
      await set({ respond, times: 1, when: 'after' });
      const given = await client.get('/v1/me');
      expect([given.status, given.headers['content-type'], given.text]).toEqual([respond.status, type, text]);
    }
  });

  it('keeps the result of a request that a gateway answered after the effect, for a repeat with its key', async () => {
    const { client, set, calls } = newWorld();
    const before = await calls();
    await set({ operation: 'dialCall', respond: { status: 504 }, when: 'after', times: 1 });
    const key = { 'Idempotency-Key': '0f8f6a3e-9a35-4e0b-8b07-5d4f2c0b9a32' };
    expect((await client.dial('+12125550100', key)).status).toBe(504);
    const repeated = await client.dial('+12125550100', key);
    expect([repeated.status, repeated.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(await calls()).toBe(before + 1);
  });

  it.each([
    ['reset', 'before', 0],
    ['empty', 'after', 1],
  ])('breaks the connection: %s %s the effect', async (fault, when, made) => {
    const { client, set, calls } = newWorld();
    const before = await calls();
    const { id } = await set({ operation: 'dialCall', fault, when, times: 1 });
    await expect(client.dial('+12125550100')).rejects.toThrow();
    expect(await calls()).toBe(before + made);
    const [entry] = (await client.get('/_sandbox/requests?operation=dialCall')).body.data;
    expect(entry).toMatchObject({ fault: `${fault};when=${when}`, faults: [{ id }], status: made ? 202 : 0 });
    expect(entry.request.body).toContain('+12125550100');
  });

  it('delays in real time, after the effect or before it, and no other request', async () => {
    const { client, set, journaled } = newWorld();
    for (const when of ['after', 'before']) {
      await set({ operation: 'getMe', latency: '60ms..80ms', when, times: 1 });
      const began = performance.now();
      const answer = await client.get('/v1/me');
      expect(performance.now() - began).toBeGreaterThanOrEqual(59);
      const [{ effect }] = (await journaled(answer)).faults;
      expect(effect).toMatch(new RegExp(`^latency=(6\\d|7\\d|80)ms;when=${when}$`));
    }
    await set({ operation: 'getMe', error: 'internal_error', latency: '50ms', times: 1 });
    const began = performance.now();
    expectError(await client.get('/v1/me'), 500, 'internal_error');
    expect(performance.now() - began).toBeGreaterThanOrEqual(49);
    expect(await sandbox.clock.now()).toBe('2026-01-05T15:00:00.000Z');
  });
});

describe('drift', () => {
  const asked = ['/v1/me', '/v1/agents', '/v1/calls', '/v1/contacts', '/v1/caller-trust/documents'];

  /** Every field of the second value by its path, where it differs from the first. */
  function changes(usual: unknown, changed: unknown, path = ''): [string, unknown, unknown][] {
    if (typeof changed === 'object' && changed !== null) {
      return Object.entries(changed).flatMap(([name, value]) =>
        changes((usual as Record<string, unknown> | undefined)?.[name], value, `${path}.${name.replace(/^\d+$/, '*')}`),
      );
    }
    return usual === changed ? [] : [[path, usual, changed]];
  }

  async function driftOf(drift: string[]): Promise<[string, unknown, unknown][]> {
    const { client, set } = newWorld('drifting');
    const usual = await Promise.all(asked.map(async (path) => (await client.get(path)).body));
    await set({ drift });
    const changed = await Promise.all(asked.map(async (path) => (await client.get(path)).body));
    await client.delete('/_sandbox/faults');
    return changes(usual, changed);
  }

  it('adds a field to every object of an answer, errors included', async () => {
    const added = await driftOf(['extra_fields']);
    expect(new Set(added.map(([, before]) => before))).toEqual(new Set([undefined]));
    const paths = new Set(added.map(([path]) => path));
    for (const path of ['.0', '.0.data', '.0.data.user', '.1.meta', '.1.data.*', '.2.data.*']) {
      expect([...paths], path).toContain(`${path.replace(/^\.\d/, '.*')}.sandbox_extra_field`);
    }
    const { client, set } = newWorld();
    await set({ drift: ['extra_fields'] });
    const { error } = (await client.post('/v1/calls/dial', {})).body;
    expect(error).toMatchObject({ code: 'destination_missing', sandbox_extra_field: expect.any(String) });
    expect(Object.keys(error.fields)).toEqual(['to_number']);
  });

  it('puts unknown values into open enums alone, and adds one to lists of them', async () => {
    const changed = await driftOf(['unknown_enum']);
    const fields = new Set(
      changed.map(([path]) =>
        path
          .split('.')
          .filter((part) => part !== '*')
          .at(-1),
      ),
    );
    expect([...fields].sort()).toEqual(['agent_type', 'direction', 'scopes']);
    expect(new Set(changed.map(([, , after]) => after))).toEqual(new Set(['sandbox_unknown_value']));
    expect(changed.find(([path]) => path.includes('scopes'))?.[1]).toBeUndefined();
  });

  it('gives timestamps an offset, at the same instant', async () => {
    const changed = await driftOf(['timestamps_offset']);
    expect(changed.length).toBeGreaterThan(3);
    for (const [path, before, after] of changed) {
      expect(after, path).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-05:00$/);
      expect(Date.parse(String(after)), path).toBe(Date.parse(String(before)));
    }
  });

  it('marks as open no enum that a client branches on', () => {
    const { schemas } = loadContract().document.components as { schemas: Record<string, Record<string, unknown>> };
    const open = Object.keys(schemas).filter((name) => schemas[name]?.['x-open-enum'] === true);
    expect(open.sort()).toEqual(['AgentType', 'CallDirection', 'CheckFrequency', 'Scope', 'SpamRisk']);
  });
});
