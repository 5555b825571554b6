// The calls of a world as the dashboard reads them: interface.md section 5.
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';

describe('the calls of a world', () => {
  const { client, sandbox } = useFreshSandbox({ clock: 'manual' });

  it('are listed newest first with what they play, and reading them is not in the journal', async () => {
    const busy = await client.call('+12125550101');
    const answered = await client.call('+12125550100');
    const first = (await client.get('/_sandbox/calls?page_size=1')).body;
    expect(first.data).toMatchObject([{ call: { id: answered, status: 'QUEUED' }, scenario: 'answered' }]);
    const second = (await client.get(`/_sandbox/calls?page_size=1&cursor=${first.meta.cursor}`)).body;
    expect(second.data).toMatchObject([{ call: { id: busy }, scenario: 'busy' }]);
    expect(second.meta.total_results).toBe(first.meta.total_results);
    const requests = (await client.get('/_sandbox/requests')).body.data;
    expect(requests.map(({ operation }: { operation: string }) => operation)).toEqual(['dialCall', 'dialCall']);
  });

  it('name no scenario if they are of the fixture, which played none', async () => {
    const { data } = (await client.get('/_sandbox/calls')).body;
    expect(new Set(data.map(({ scenario }: { scenario: string | null }) => scenario))).toEqual(new Set([null]));
  });

  it('can be read by their ids, without those that are not there', async () => {
    const id = await client.call('+12125550101');
    const { data } = (await client.get(`/_sandbox/calls?ids=${id},none`)).body;
    expect(data.map(({ call }: { call: { id: string } }) => call.id)).toEqual([id]);
    const many = await client.get(`/_sandbox/calls?ids=${Array(101).fill('a').join(',')}`);
    expect([many.status, many.body.error.fields.ids]).toEqual([400, expect.stringContaining('at most 100')]);
  });

  it('show what was said once they have ended, except where the content policy hides it', async () => {
    const id = await client.call('+12125550100');
    expect((await client.get(`/_sandbox/calls/${id}`)).body.data.transcript).toBeNull();
    await sandbox.clock.advance('1m');
    const { call, transcript } = (await client.get(`/_sandbox/calls/${id}`)).body.data;
    expect(transcript.structured_transcript.length).toBeGreaterThan(0);
    expect(call.recording_url).toContain('/_sandbox/media/');
    const hidden = clientOf(sandbox.url, 'svc_sandbox_hipaa');
    const [first] = (await hidden.get('/_sandbox/calls')).body.data;
    expect(first.call.recording_url).toBeNull();
    expect((await hidden.get(`/_sandbox/calls/${first.call.id}`)).body.data.transcript).toBeNull();
    expect((await client.get('/_sandbox/calls/none')).status).toBe(404);
  });

  it('have an instant at which something happens next, to which the clock can be advanced', async () => {
    expect((await client.get('/_sandbox/clock/next')).body.data).toEqual({ at: null });
    const id = await client.call('+12125550101');
    const { at } = (await client.get('/_sandbox/clock/next')).body.data;
    await client.post('/_sandbox/clock/advance', { to: at });
    expect((await client.readCall(id)).status).toBe('BUSY');
  });
});
