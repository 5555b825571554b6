// PATCH /v1/sub-entities/{id}: the name, and the HIPAA mode, which needs the scope compliance:write.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { childOf, childOrganization, clientWith } from '../support/world.ts';
import { createSubEntity, keyOf, listed, organizationOf, scopesOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

/** The same organization, with a key that has every scope. */
let officer: Client;
let allScopes: string[];
beforeAll(async () => {
  officer = clientOf(sandbox.url, 'svc_sandbox_compliance');
  allScopes = await scopesOf(client);
});

describe('updating a sub-entity', () => {
  it('changes the name and nothing else', async () => {
    const [before] = await listed(client);
    const answer = await client.patch(`/v1/sub-entities/${before?.id}`, { name: 'Harbor Street Braces' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ ...before, name: 'Harbor Street Braces' });
    expect(await listed(client)).toEqual([answer.body.data]);
    expect((await organizationOf(await keyOf(sandbox, before?.id))).name).toBe('Harbor Street Braces');
  });

  it('changes nothing if the body is empty', async () => {
    const [before] = await listed(client);
    expect((await client.patch(`/v1/sub-entities/${before?.id}`, {})).body.data).toEqual(before);
  });

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: ' \n' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a name that is a boolean', { name: false }, 'name'],
    ['a mode that is null', { hipaa_enabled: null }, 'hipaa_enabled'],
    ['a mode that is a number', { hipaa_enabled: 1 }, 'hipaa_enabled'],
  ])('is 400 with %s, and changes nothing', async (_, body, field) => {
    const before = await listed(client);
    const answer = await officer.patch(`/v1/sub-entities/${before[0]?.id}`, body);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(await listed(client)).toEqual(before);
  });
});

describe('the HIPAA mode', () => {
  const setTo = (id: string, hipaa_enabled: boolean): Promise<Answer> =>
    officer.patch(`/v1/sub-entities/${id}`, { hipaa_enabled });

  it('turns the content policy on for that child, and not for the parent', async () => {
    const id = await childOrganization(client);
    const child = await childOf(sandbox.url, client);
    const [call] = (await child.get('/v1/calls')).body.data;
    const transcript = `/v1/calls/${call.id}/transcript`;
    expect(call.recording_url).toMatch(/^http/);
    expect((await child.get(transcript)).status).toBe(200);

    expect((await fetch(call.recording_url)).status).toBe(200);

    expect((await setTo(id, true)).body.data.hipaa_enabled).toBe(true);
    expectError(await child.get(transcript), 403, 'content_policy_forbidden');
    // A URL that was returned earlier does not bypass it.
    expect((await fetch(call.recording_url)).status).toBe(403);
    expect(await child.readCall(call.id)).toMatchObject({ has_recording: true, recording_url: null });
    const own = (await client.get('/v1/calls')).body.data.find((each: Answer['body']) => each.has_transcript);
    expect((await client.get(`/v1/calls/${own.id}/transcript`)).status).toBe(200);

    expect((await setTo(id, false)).body.data.hipaa_enabled).toBe(false);
    expect((await child.get(transcript)).status).toBe(200);
  });

  it.each([true, false])('is refused without compliance:write, and nothing changes (%s)', async (mode) => {
    const id = await childOrganization(client);
    const before = await listed(client);
    const without = await clientWith(sandbox.url, client, {
      scopes: allScopes.filter((one) => one !== 'compliance:write'),
    });
    for (const by of [client, without]) {
      for (const answer of [
        await by.patch(`/v1/sub-entities/${id}`, { name: 'New', hipaa_enabled: mode }),
        await by.post('/v1/sub-entities', { name: 'New', hipaa_enabled: mode }),
      ]) {
        expectError(answer, 403, 'scope_missing');
        expect(Object.keys(answer.body.error.fields)).toEqual(['hipaa_enabled']);
        expect(answer.headers['www-authenticate']).toContain('scope="compliance:write"');
      }
    }
    expect(await listed(client)).toEqual(before);
  });

  it('is refused with the status that the assumption sets for a missing scope', async () => {
    const own = clientOf(sandbox.url, 'svc_test_hipaa-status');
    expect((await own.put('/_sandbox/assumptions/scope_missing_status', { value: 401 })).status).toBe(200);
    const answer = await own.post('/v1/sub-entities', { name: 'New', hipaa_enabled: true });
    expectError(answer, 401, 'scope_missing');
  });

  it('can be set on creation', async () => {
    const { id, hipaa_enabled } = await createSubEntity(officer, { name: 'Clinic', hipaa_enabled: true });
    expect(hipaa_enabled).toBe(true);
    expect((await client.get(`/v1/sub-entities/${id}`)).body.data.hipaa_enabled).toBe(true);
  });
});
