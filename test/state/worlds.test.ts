// Which worlds a state file restores: `interface.md` section 1. Bundled and posted worlds, not those of test keys.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { expectError } from '../support/client.ts';
import { advance, type Server, useRestarts } from './setup.ts';

const { folderOf, startServer } = useRestarts();
const worldNames = async ({ client }: Server): Promise<string[]> =>
  (await client.get('/_sandbox/worlds')).body.data.map(({ name }: { name: string }) => name);

describe('worlds', () => {
  it('that were posted are restored with their fixture, clock and assumptions', async () => {
    const fixtures = folderOf({
      'garage.yaml':
        'organization: { name: Garage, slug: garage, plan: p }\nuser: { name: U, email: u@garage.example }\nassumptions: { event_order: disposition_first }\n',
    });
    const server = await startServer({ fixtures, clock: 'real' });
    const posted = await server.client.post('/_sandbox/worlds', {
      name: 'workshop',
      fixtures: 'garage',
      clock: 'manual',
      assumptions: { scope_missing_status: 401 },
    });
    expect(posted.status, posted.text).toBe(201);
    await advance(server.clientWith('svc_test_workshop'), '2h');
    await server.restart();
    const client = server.clientWith('svc_test_workshop');
    const { organization } = (await client.get('/v1/account')).body.data;
    expect(organization).toMatchObject({ id: posted.body.data.organization_id, name: 'Garage' });
    expect((await client.get('/_sandbox/clock')).body.data).toMatchObject({
      mode: 'manual',
      now: '2026-01-05T17:00:00.000Z',
    });
    const values = (await client.get('/_sandbox/assumptions')).body.data;
    const value = (name: string): unknown => values.find((each: { name: string }) => each.name === name).value;
    expect([value('event_order'), value('scope_missing_status')]).toEqual(['disposition_first', 401]);
    const listed = (await server.client.get('/_sandbox/worlds')).body.data;
    expect(listed).toContainEqual(expect.objectContaining({ name: 'workshop', origin: 'posted', fixture: 'garage' }));
  });

  it.each(['__proto__', 'constructor', 'tostring'])(
    'that were posted are restored under the name %s too',
    async (name) => {
      const server = await startServer();
      await server.client.post('/_sandbox/worlds', { name });
      const call = await server.clientWith(`svc_test_${name}`).call('+12125550101');
      await server.restart();
      await server.restart();
      expect(await worldNames(server)).toContain(name);
      expect((await server.clientWith(`svc_test_${name}`).get(`/v1/calls/${call}`)).status).toBe(200);
    },
  );

  it('that were posted and deleted are not restored', async () => {
    const server = await startServer();
    await server.client.post('/_sandbox/worlds', { name: 'workshop' });
    await server.restart();
    await server.clientWith('svc_test_workshop').delete('/_sandbox/worlds/workshop');
    await server.restart();
    expect(await worldNames(server)).not.toContain('workshop');
  });

  it('that were posted and deleted are not restored if a test key recreated them', async () => {
    const server = await startServer();
    await server.client.post('/_sandbox/worlds', { name: 'lab' });
    await server.clientWith('svc_test_lab').call('+12125550100');
    await server.restart();
    await server.clientWith('svc_test_lab').delete('/_sandbox/worlds/lab');
    await server.clientWith('svc_test_lab').get('/v1/me');
    await server.restart();
    expect(await worldNames(server)).not.toContain('lab');
  });

  it('that a test key created on first use are not restored', async () => {
    const server = await startServer();
    const id = await server.clientWith('svc_test_passing').call('+12125550101');
    await server.restart();
    expect(await worldNames(server)).not.toContain('passing');
    expectError(await server.clientWith('svc_test_passing').get(`/v1/calls/${id}`), 404, 'not_found');
    await server.sandbox.close();
    const { worlds, gone } = JSON.parse(readFileSync(server.file, 'utf8'));
    expect(Object.keys(worlds)).not.toContain('passing');
    expect(Object.keys(gone)).toContain('passing');
  });

  it('that a restart lost say so on their first answer, once, whatever asks first', async () => {
    const server = await startServer();
    const shown = async (key: string, path = '/v1/me'): Promise<string | undefined> =>
      (await server.clientWith(key).get(path)).headers['x-sandbox-world'];
    expect(await shown('svc_test_passing')).toBe('passing');
    expect(await shown('svc_test_controlled')).toBe('controlled');
    await server.client.post('/_sandbox/worlds', { name: 'kept' });
    await server.restart();
    expect(await shown('svc_test_passing')).toBe('passing;recreated');
    expect(await shown('svc_test_passing')).toBe('passing');
    expect(await shown('svc_test_controlled', '/_sandbox/clock')).toBe('controlled;recreated');
    expect(await shown('svc_test_controlled')).toBe('controlled');
    expect(await shown('svc_test_kept')).toBe('kept');
    expect(await shown('svc_test_fresh')).toBe('fresh');
    await server.restart();
    await server.restart();
    expect(await shown('svc_test_passing')).toBe('passing;recreated');
  });

  it('may have any name, also one that JavaScript objects inherit', async () => {
    const server = await startServer();
    const posted = await server.client.post('/_sandbox/worlds', { name: '__proto__' });
    expect(posted.status, posted.text).toBe(201);
    const id = await server.clientWith('svc_test___proto__').call('+12125550101');
    await server.clientWith('svc_test_constructor').get('/v1/me');
    await server.restart();
    expect((await server.clientWith('svc_test___proto__').readCall(id)).id).toBe(id);
    const lost = await server.clientWith('svc_test_constructor').get('/v1/me');
    expect(lost.headers['x-sandbox-world']).toBe('constructor;recreated');
  });

  it('that went before a restart say so after it, and not if they have been posted meanwhile', async () => {
    const server = await startServer({ maxWorlds: 7 });
    for (const name of ['first', 'second', 'third']) await server.clientWith(`svc_test_${name}`).get('/v1/me');
    await server.client.delete('/_sandbox/worlds/second');
    await server.restart({ maxWorlds: 100 });
    await server.client.post('/_sandbox/worlds', { name: 'second' });
    const shown = async (name: string) =>
      (await server.clientWith(`svc_test_${name}`).get('/v1/me')).headers['x-sandbox-world'];
    expect(await shown('first')).toBe('first;recreated');
    expect(await shown('second')).toBe('second');
    expect(await shown('third')).toBe('third;recreated');
  });

  it('that are bundled are restored, each with its own records', async () => {
    const server = await startServer();
    const here = await server.client.call('+12125550101');
    const there = await server.clientWith('svc_sandbox_other').call('+12125550101');
    await server.restart();
    expect((await server.client.readCall(here)).id).toBe(here);
    expect((await server.clientWith('svc_sandbox_other').readCall(there)).id).toBe(there);
    expectError(await server.client.get(`/v1/calls/${there}`), 404, 'not_found');
  });

  it('of a new fixture are added to those of the file', async () => {
    const server = await startServer();
    const id = await server.client.call('+12125550101');
    const fixtures = folderOf({
      'garage.yaml':
        'organization: { name: Garage, slug: garage, plan: p }\nuser: { name: U, email: u@garage.example }\nkeys: [{ key: svc_garage }]\n',
    });
    await server.restart({ fixtures });
    expect((await server.clientWith('svc_garage').get('/v1/account')).body.data.organization.name).toBe('Garage');
    expect((await server.client.readCall(id)).id).toBe(id);
  });

  it('of a missing fixture refuse the start with one line that names the file and the fixture', async () => {
    const fixtures = folderOf({
      'garage.yaml': 'organization: { name: G, slug: g, plan: p }\nuser: { name: U, email: u@garage.example }\n',
    });
    const server = await startServer({ fixtures });
    await server.sandbox.close();
    const refusal = await createSandbox({ state: server.file }).then(
      async (sandbox) => {
        await sandbox.close();
        return 'it started';
      },
      (error: Error) => error.message,
    );
    expect(refusal).toContain(`${server.file}:`);
    expect(refusal).toContain('garage');
  });
});
