// The content policy of a HIPAA organization: transcripts are forbidden, and recording_url is null.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { clientWith } from '../support/world.ts';
import { listed } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

describe('a content policy', () => {
  let clinic: Client;
  beforeAll(() => {
    clinic = clientOf(sandbox.url, 'svc_sandbox_hipaa');
  });

  const forbidden = (answer: Answer): void => {
    expectError(answer, 403, 'content_policy_forbidden');
    expect(answer.body.error).not.toHaveProperty('category');
  };

  it('is checked after the scope and after the 404 of an unknown call', async () => {
    const { data } = await listed(clinic);
    const narrow = await clientWith(sandbox.url, clinic, { scopes: ['calls:read', 'recordings:read'] });
    for (const id of [data[0].id, 'nope']) {
      expectError(await narrow.get(`/v1/calls/${id}/transcript`), 403, 'scope_missing');
    }
    expectError(await clinic.get('/v1/calls/nope/transcript'), 404, 'not_found');
    for (const { id } of data) forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
  });

  it('leaves has_recording and has_transcript unchanged, and recording_url null', async () => {
    const { data } = await listed(clinic);
    const talk = data.find((call: { has_transcript: boolean }) => call.has_transcript);
    expect(talk).toMatchObject({ status: 'COMPLETED', has_recording: true, recording_url: null });
    expect(await clinic.readCall(talk.id)).toMatchObject({ has_recording: true, recording_url: null });
    expect(data.map((call: { recording_url: unknown }) => call.recording_url)).toEqual(data.map(() => null));
  });

  it('applies to new calls', async () => {
    const id = await clinic.call('+12125550100');
    forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
    await sandbox.world('hipaa').clock.untilIdle();
    expect(await clinic.readCall(id)).toMatchObject({
      status: 'COMPLETED',
      has_recording: true,
      recording_url: null,
      has_transcript: true,
    });
    forbidden(await clinic.get(`/v1/calls/${id}/transcript`));
    await sandbox.world('hipaa').reset();
  });

  it('does not apply to other organizations', async () => {
    const { data } = await listed(client);
    expect((await client.get(`/v1/calls/${data[0].id}/transcript`)).status).toBe(200);
  });
});
