// The content policy of an umbrella in HIPAA mode: it holds for its sub-entities too, whatever their own mode (`spec.md`
// "Content policy forbidden").
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandbox } from '../support/sandbox.ts';
import { clientWith } from '../support/world.ts';
import { createSubEntity, scopesOf } from './setup.ts';

const folderOf = temporaryFolders();
/** The default fixture, whose sub-entity has a call with a recording and a transcript, with its umbrella in HIPAA mode. */
const text = readFileSync('fixtures/default.yaml', 'utf8').replace(
  'plan: growth }',
  'plan: growth, hipaa_enabled: true }',
);
const { sandbox } = useSandbox({ clock: 'manual', fixtures: folderOf({ 'default.yaml': text }) });

/** A key of the umbrella with every scope. */
let officer: Client;
beforeAll(() => {
  officer = clientOf(sandbox.url, 'svc_sandbox_compliance');
});

async function expectHidden(by: Client, call: Answer['body']): Promise<void> {
  expect(await by.readCall(call.id)).toMatchObject({ has_recording: true, has_transcript: true, recording_url: null });
  expectError(await by.get(`/v1/calls/${call.id}/transcript`), 403, 'content_policy_forbidden');
}

describe('a sub-entity of an umbrella in HIPAA mode', () => {
  it('is under its content policy, though its own mode is off, on or off again', async () => {
    const [{ id, hipaa_enabled }] = (await officer.get('/v1/sub-entities')).body.data;
    expect(hipaa_enabled).toBe(false);
    const scopes = await scopesOf(officer);
    const child = await clientWith(sandbox.url, officer, { organization_id: id, scopes });
    const [call] = (await child.get('/v1/calls')).body.data;
    expect(call.recording_url).toBeNull();
    await expectHidden(child, call);
    for (const mode of [true, false]) {
      const changed = await officer.patch(`/v1/sub-entities/${id}`, { hipaa_enabled: mode });
      expect(changed.body.data.hipaa_enabled).toBe(mode);
      await expectHidden(child, call);
    }
    expectError(await child.get('/v1/calls/nope/transcript'), 404, 'not_found');
  });

  it('is under it with its new calls, if it was created while the world runs', async () => {
    const { id } = await createSubEntity(officer, { name: 'Harbor Street Surgery' });
    const child = await clientWith(sandbox.url, officer, { organization_id: id });
    expect((await child.post('/v1/phone-numbers', {})).status).toBe(201);
    await sandbox.clock.advance('1m');
    const [{ phone_number: from_number }] = (await child.get('/v1/phone-numbers')).body.data;
    const dialed = await child.post('/v1/calls/dial', { from_number, to_number: '+12125550100' });
    await sandbox.clock.untilIdle();
    await expectHidden(child, { id: dialed.body.call_id });
  });
});
