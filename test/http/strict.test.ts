// `--strict`: `interface.md` section 1.
import { describe, expect, it } from 'vitest';
import { type Answer, expectError } from '../support/client.ts';
import { TO, usePlatform, windowWith } from './setup.ts';

const { sandbox, client, wire, dial } = usePlatform({ strict: 'on' });

describe('strict mode', () => {
  const sandboxHeaders = ({ headers }: Answer): string[] =>
    Object.keys(headers).filter((name) => /^x-sandbox-|^idempotency-replayed$/.test(name));
  const strictDial = (headers: Record<string, string> = {}, to_number = TO): Promise<Answer> =>
    dial({ to_number }, { headers });

  it('removes the sandbox headers from every platform response', async () => {
    const key = { 'Idempotency-Key': 'c2a8f6b5-4f0f-4d0e-9d3c-3b6d1f4b7e21' };
    const answers = [
      await strictDial(key),
      await strictDial(key),
      await strictDial({}, '+12125550111'),
      await wire.send({ path: '/v1/me' }),
      await wire.send({ path: '/v1/me', key: null }),
      await wire.send({ path: '/v1/nowhere' }),
      await wire.send({ method: 'DELETE', path: '/v1/me' }),
      await wire.send({ path: '/v1/calls?x=1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 403, 200, 401, 404, 405, 400]);
    expect(answers.map(sandboxHeaders)).toEqual(answers.map(() => []));
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(answers[3]?.headers.ratelimit).toEqual(windowWith(596));
    for (const { headers } of answers) {
      const readable = headers['access-control-expose-headers'] ?? '';
      expect(readable).toContain('RateLimit-Policy');
      expect(readable).not.toMatch(/sandbox|idempotency/i);
    }
  });

  it.each([
    ['X-Sandbox-Error', 'no_consent'],
    ['X-Sandbox-Error', 'no_such_code'],
    ['X-Sandbox-Scenario', 'dnc_suppressed'],
    ['X-Sandbox-Scenario', 'no_such_scenario'],
    ['X-Sandbox-Delay', '60s'],
    ['X-Sandbox-Fault', 'reset'],
    ['X-Sandbox-World', 'other'],
    ['X-Sandbox-Nonsense', 'x'],
  ])('ignores %s: %s', async (name, value) => {
    expect((await strictDial({ [name]: value })).status).toBe(202);
    await sandbox.clock.untilIdle();
    expect((await client.get('/v1/calls')).body.data[0]).toMatchObject({ status: 'COMPLETED', to_number: TO });
  });

  it('keeps magic numbers, active scenarios and the control API', async () => {
    expectError(await strictDial({}, '+12125550111'), 403, 'dnc_suppressed');
    expect((await client.put('/_sandbox/active-scenarios/call', { use: 'busy' })).status).toBe(200);
    expect((await strictDial()).status).toBe(202);
    await sandbox.clock.untilIdle();
    expect((await client.get('/v1/calls')).body.data[0].status).toBe('BUSY');
    expect((await sandbox.requests()).at(-1)).toMatchObject({ operation: 'listCalls', status: 200 });
  });

  it('keeps the faults of a world, without the header that names them', async () => {
    const { id } = await sandbox.fault({ operation: 'getMe', respond: { status: 502, body: '<p>' }, times: 2 });
    const raw = await fetch(`${sandbox.url}/v1/me`, { headers: { Authorization: `Bearer ${client.key}` } });
    expect([
      raw.status,
      await raw.text(),
      sandboxHeaders({ headers: Object.fromEntries(raw.headers) } as Answer),
    ]).toEqual([502, '<p>', []]);
    expect((await sandbox.requests()).at(-1)?.faults).toEqual([{ id, effect: 'respond=502;when=before' }]);
    await sandbox.clearFaults();
    expect((await client.get('/v1/me')).status).toBe(200);
  });
});
