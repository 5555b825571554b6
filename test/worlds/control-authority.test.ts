// Who controls which world: API keys, the control token, and the control key of a world (`interface.md` section 5).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { childOf } from '../support/world.ts';
import { BUNDLED, dataOf, useWorlds, withSandbox } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client, withKey, inWorld, worldNames } = useWorlds();
const noKey = (): Client => clientOf(sandbox.url, null);

describe('a key on the control API', () => {
  it('deletes its own world alone: another is 403, whoever created it', async () => {
    await client.post('/_sandbox/worlds', { name: 'guarded' });
    await inWorld('used').get('/v1/me');
    for (const by of [client, noKey(), inWorld('intruder'), withKey('svc_sandbox_other')]) {
      for (const name of ['guarded', 'used', 'demo', 'GUARDED']) {
        const answer = await by.delete(`/_sandbox/worlds/${name}`);
        expectError(answer, 403, 'forbidden');
        expect(answer.body.error.message).toMatch(/controls the world (default|intruder|other) alone/);
      }
    }
    expect(await worldNames()).toEqual(expect.arrayContaining(['guarded', 'used', ...BUNDLED]));
    expect((await inWorld('GUARDED.x').delete('/_sandbox/worlds/Guarded')).status).toBe(204);
    expect(await worldNames()).not.toContain('guarded');
  });

  it('creates no world by listing, creating or deleting worlds', async () => {
    const by = inWorld('not-yet');
    expect((await by.get('/_sandbox/worlds')).status).toBe(200);
    expectError(await by.delete('/_sandbox/worlds/not-yet'), 404, 'not_found');
    expect(await worldNames()).not.toContain('not-yet');
    const posted = await by.post('/_sandbox/worlds', { name: 'not-yet', clock: 'instant' });
    expect(posted.status, posted.text).toBe(201);
    expect((await dataOf(by, '/_sandbox/clock')).mode).toBe('instant');
    const deleted = [await by.delete('/_sandbox/worlds/not-yet'), await by.delete('/_sandbox/worlds/not-yet')];
    expect(deleted.map(({ status }) => status)).toEqual([204, 404]);
    expect(await worldNames()).not.toContain('not-yet');
  });

  it('sees which worlds there are, and nothing that is in them', async () => {
    await inWorld('seen').get('/v1/me');
    const [seen] = (await dataOf(inWorld('seer'), '/_sandbox/worlds?page_size=1000')).filter(
      ({ name }: { name: string }) => name === 'seen',
    );
    expect(Object.keys(seen).sort()).toEqual(['clock', 'fixture', 'name', 'organization_id', 'origin']);
  });

  it('may be that of a sub-entity or a client token, but not a revoked or unknown one', async () => {
    const child = await childOf(sandbox.url, client);
    expect((await child.get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('default');
    const { token } = (await client.post('/v1/client-tokens', {})).body.data;
    expect((await withKey(token).get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('default');
    for (const key of ['svc_sandbox_revoked', 'svc_nobody', `svc_control_${'0'.repeat(48)}`, '']) {
      for (const path of ['/_sandbox/clock', '/_sandbox/worlds']) {
        expectError(await withKey(key).get(path), 401, 'unauthorized');
      }
    }
    const basic = await noKey().get('/_sandbox/clock', { Authorization: 'Basic c3ZjOg==' });
    expectError(basic, 401, 'unauthorized');
  });

  it('gets no control key with a new world', async () => {
    const { data } = (await client.post('/_sandbox/worlds', { name: 'without' })).body;
    expect(data).not.toHaveProperty('control_key');
  });
});

describe('a control token', () => {
  const guarded = (body: (control: Client, keyed: (key: string | null) => Client) => Promise<void>): Promise<void> =>
    withSandbox({ controlToken: 'open-sesame' }, (own) =>
      body(clientOf(own.url, 'open-sesame'), (key) => clientOf(own.url, key)),
    );
  const names = async (control: Client): Promise<string[]> =>
    (await dataOf(control, '/_sandbox/worlds')).map(({ name }: { name: string }) => name);

  it('makes the control API refuse everything else with 401', async () => {
    await guarded(async (_, keyed) => {
      for (const key of ['svc_sandbox_default', 'svc_test_x', 'open-sesam', 'open-sesamee', 'OPEN-SESAME', null]) {
        for (const path of ['/_sandbox/clock', '/_sandbox/worlds', '/_sandbox/catalog', '/_sandbox/openapi.json']) {
          const answer = await keyed(key).get(path);
          expectError(answer, 401, 'unauthorized');
          expect(answer.headers['www-authenticate']).toBe('Bearer realm="ringback-control"');
        }
      }
    });
  });

  it('is said to be wrong when another was given, without repeating it', async () => {
    await guarded(async (_, keyed) => {
      const wrong = (await keyed('open-sesam').get('/_sandbox/clock')).text;
      expect(wrong).toContain('What the request sent in Authorization is neither');
      expect(wrong).not.toContain('open-sesam');
      expect((await keyed(null).get('/_sandbox/clock')).text).not.toContain('Authorization is neither');
    });
  });

  it('lets no key make itself a wider one', async () => {
    await guarded(async (control, keyed) => {
      const made = await control.post('/_sandbox/keys', { scopes: ['calls:read'] });
      const narrow = keyed(made.body.data.api_key);
      const before = await dataOf(control, '/_sandbox/keys');
      expectError(await narrow.post('/_sandbox/keys', { scopes: ['calls:write'] }), 401, 'unauthorized');
      expectError(await narrow.post('/_sandbox/worlds', { name: 'mine' }), 401, 'unauthorized');
      expect(await dataOf(control, '/_sandbox/keys')).toEqual(before);
      expectError(await narrow.dial('+12125550101'), 403, 'scope_missing');
    });
  });

  it('names the world in X-Sandbox-World: `default` without it, in any case of letters', async () => {
    await guarded(async (control, keyed) => {
      await keyed('svc_test_my_test').get('/v1/me');
      expect((await control.get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('default');
      const answer = await control.get('/_sandbox/clock', { 'X-Sandbox-World': 'My_Test' });
      expect([answer.status, answer.headers['x-sandbox-world']]).toEqual([200, 'my_test']);
    });
  });

  it.each([
    [404, 'not_found', 'chekout'],
    [404, 'not_found', '__proto__'],
    [400, 'validation_error', ''],
    [400, 'validation_error', 'check out'],
    [400, 'validation_error', 'checkout.x'],
    [400, 'validation_error', 'checkout,checkout'],
    [400, 'validation_error', 'x'.repeat(65)],
    [400, 'validation_error', 'svc_test_checkout.x'],
  ] as const)('answers %d %s for the world %.20s, and creates none', async (status, code, world) => {
    await guarded(async (control) => {
      const before = await names(control);
      for (const ask of [
        () => control.get('/_sandbox/clock', { 'X-Sandbox-World': world }),
        () => control.post('/_sandbox/reset', undefined, { 'X-Sandbox-World': world }),
        () => control.get('/_sandbox/worlds', { 'X-Sandbox-World': world }),
      ]) {
        const answer = await ask();
        expectError(answer, status, code);
        if (status === 400) {
          expect(Object.keys(answer.body.error.fields)).toEqual(['X-Sandbox-World']);
          expect(answer.body.error.fields['X-Sandbox-World']).toContain('1 to 64 of A-Z, a-z, 0-9, _ and -');
        } else {
          expect(answer.body.error.message).toContain(world);
          expect(answer.body.error.resolution_hint).toContain('POST /_sandbox/worlds');
        }
      }
      expect(await names(control)).toEqual(before);
    });
  });

  it('gets a suggestion for a misspelt world', async () => {
    await guarded(async (control) => {
      const answer = await control.get('/_sandbox/clock', { 'X-Sandbox-World': 'regulatd' });
      expect(answer.body.error.message).toBe('No world named "regulatd" exists; did you mean regulated?');
    });
  });

  it('is not needed, nor read, where a path is open to everyone', async () => {
    const schema = '/_sandbox/schemas/scenario.schema.json';
    const open = ['/_sandbox/health', '/_sandbox/ready', schema, '/docs/errors', '/openapi.yaml', '/'];
    await guarded(async (control, keyed) => {
      const call = await keyed('svc_test_rec').call('+12125550100');
      await control.post('/_sandbox/clock/advance', { until: 'idle' }, { 'X-Sandbox-World': 'rec' });
      const { recording_url } = await keyed('svc_test_rec').readCall(call);
      for (const path of [...open, new URL(recording_url).pathname]) {
        for (const authorization of [undefined, 'Bearer nonsense', 'Bearer svc_sandbox_revoked', 'Basic x', '']) {
          const headers = { 'X-Sandbox-World': 'no such world', ...(authorization && { authorization }) };
          expect(`${path} ${(await keyed(null).get(path, headers)).status}`).toBe(`${path} 200`);
        }
      }
    });
  });
});

describe('a control key', () => {
  const LOCKED = { clock: 'manual', controlToken: 'open-sesame' } as const;
  const make = async (control: Client, name: string): Promise<Answer['body']> => {
    const answer = await control.post('/_sandbox/worlds', { name });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data.control_key).toMatch(/^svc_control_[0-9a-f]{48}$/);
    return answer.body.data;
  };

  it('controls the world that it came with alone', async () => {
    const own = await createSandbox(LOCKED);
    const control = clientOf(own.url, 'open-sesame');
    const { control_key, api_key } = await make(control, 'mine');
    await make(control, 'yours');
    const by = clientOf(own.url, control_key);
    await clientOf(own.url, api_key).call('+12125550101');

    for (const headers of [{}, { 'X-Sandbox-World': 'mine' }, { 'X-Sandbox-World': 'MINE' }]) {
      const answer = await by.post('/_sandbox/clock/advance', { by: '1s' }, headers);
      expect([answer.status, answer.headers['x-sandbox-world']]).toEqual([200, 'mine']);
    }
    for (const world of ['yours', 'default', 'no-such-world']) {
      for (const answer of [
        await by.get('/_sandbox/clock', { 'X-Sandbox-World': world }),
        await by.post('/_sandbox/reset', undefined, { 'X-Sandbox-World': world }),
        await by.delete(`/_sandbox/worlds/${world}`),
      ]) {
        expectError(answer, 403, 'forbidden');
        expect(answer.body.error.message).toContain('controls the world mine alone');
      }
    }
    expectError(await by.get('/_sandbox/clock', { 'X-Sandbox-World': 'a.b' }), 400, 'validation_error');
    expectError(await by.post('/_sandbox/worlds', { name: 'another' }), 403, 'forbidden');
    expect((await by.get('/_sandbox/worlds')).body).toMatchObject({
      data: [{ name: 'mine' }],
      meta: { total_results: 1 },
    });
    const platform = await by.get('/v1/me');
    expectError(platform, 401, 'unauthorized');
    expect(platform.body.error.message).toMatch(/^A control key is for the control API/);
    await own.close();
  });

  it('survives a reset and goes with its world, also if another takes the name', async () => {
    const own = await createSandbox(LOCKED);
    const control = clientOf(own.url, 'open-sesame');
    const by = clientOf(own.url, (await make(control, 'brief')).control_key);
    expect((await by.post('/_sandbox/reset')).status).toBe(204);
    expect((await by.get('/_sandbox/clock')).status).toBe(200);
    expect((await by.delete('/_sandbox/worlds/brief')).status).toBe(204);
    expectError(await by.get('/_sandbox/clock'), 401, 'unauthorized');
    await make(control, 'brief');
    expectError(await by.get('/_sandbox/clock'), 401, 'unauthorized');
    await own.close();
  });

  it('is shown once, kept as a hash alone, and survives a restart with --state', async () => {
    const state = join(folderOf(), 'state.json');
    const first = await createSandbox({ ...LOCKED, state });
    const control = clientOf(first.url, 'open-sesame');
    const { control_key, api_key } = await make(control, 'lasting');
    const inLasting = { 'X-Sandbox-World': 'lasting' };
    await clientOf(first.url, api_key).get(`/v1/nowhere?key=${control_key}`);
    await clientOf(first.url, api_key).post('/v1/calls/dial', { control_key, note: `is ${control_key}` });
    const shown = [
      (await control.get('/_sandbox/keys', inLasting)).text,
      (await control.get('/_sandbox/requests', inLasting)).text,
      (await control.get('/_sandbox/worlds')).text,
    ].join('\n');
    expect(shown).toContain('/v1/nowhere');
    await first.close();
    const written = readFileSync(state, 'utf8');
    const hash = createHash('sha256').update(control_key).digest('hex');
    expect(written).toContain(hash);
    for (const text of [shown, written]) expect(text).not.toContain(control_key);
    expect(shown).not.toContain(hash);

    const second = await createSandbox({ ...LOCKED, state });
    const by = clientOf(second.url, control_key);
    expect((await by.get('/_sandbox/clock')).headers['x-sandbox-world']).toBe('lasting');
    await second.close();
    const open = await createSandbox({ clock: 'manual', state });
    expectError(await clientOf(open.url, control_key).get('/_sandbox/clock'), 401, 'unauthorized');
    await open.close();
  });
});
