// recording_url of a call, and the WAV file to which it leads.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, clientOf } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { listed } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

describe('recordings', () => {
  async function recorded(talk = '20s'): Promise<{ id: string; recording_url: string; duration_seconds: number }> {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': `answered;ring=2s;talk=${talk}` });
    await sandbox.clock.untilIdle();
    return client.readCall(id);
  }

  it.each([
    ['1s', 1],
    ['20s', 20],
    ['90s', 90],
    ['40m', 600],
  ])('of a %s call is a WAV file of %i s that needs no key', async (talk, seconds) => {
    const { recording_url, duration_seconds } = await recorded(talk);
    expect(Math.min(duration_seconds, 600)).toBe(seconds);
    expect(recording_url).toMatch(new RegExp(`^${sandbox.url}/_sandbox/media/[\\w.-]+\\.wav$`));
    const answer = await fetch(recording_url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    const file = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(file.length));
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    const [format, channels] = [file.readUInt16LE(20), file.readUInt16LE(22)];
    const [samples, bytes] = [file.readUInt32LE(24), file.readUInt32LE(28)];
    const [frame, bits] = [file.readUInt16LE(32), file.readUInt16LE(34)];
    expect(format).toBe(1);
    expect(frame).toBe((channels * bits) / 8);
    expect(bytes).toBe(samples * frame);
    expect(file.toString('latin1', 36, 40)).toBe('data');
    expect(file.readUInt32LE(40)).toBe(file.length - 44);
    expect((file.length - 44) / bytes).toBe(seconds);
    // It is not silent, not even near its end.
    expect(new Set(file.subarray(44)).size).toBeGreaterThan(16);
    expect(new Set(file.subarray(-bytes)).size).toBeGreaterThan(16);
  });

  it('is as long as what was said before a hangup', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=5m' });
    await sandbox.clock.advance('33s');
    await client.post(`/v1/calls/${id}/hangup`);
    const { duration_seconds, recording_url } = await client.readCall(id);
    const { headers } = await fetch(recording_url, { method: 'HEAD' });
    expect(Number(headers.get('content-length'))).toBe(44 + 8000 * duration_seconds);
    expect(duration_seconds).toBe(30);
  });

  it('is the same audio on every fetch, with any Authorization, and differs between calls', async () => {
    const [one, other] = [await recorded(), await recorded()];
    const sound = async (url: string, headers = {}) =>
      Buffer.from(await (await fetch(url, { headers })).arrayBuffer()).toString('base64');
    const first = await sound(one.recording_url);
    expect(await sound(one.recording_url, { Authorization: 'Bearer nonsense' })).toBe(first);
    expect(await sound(other.recording_url)).not.toBe(first);
  });

  it('a tampered name is 404', async () => {
    const { recording_url } = await recorded();
    const from = recording_url.lastIndexOf('/') + 1;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(recording_url.length - from - 1),
        fc.constantFrom(...'abcXYZ019_-.'),
        async (position, character) => {
          const at = from + position;
          fc.pre(recording_url[at] !== character);
          const changed = recording_url.slice(0, at) + character + recording_url.slice(at + 1);
          const answer = await fetch(changed);
          expect(answer.status, changed).toBe(404);
          expect(((await answer.json()) as Answer['body']).error.code).toBe('not_found');
        },
      ),
      { numRuns: runs(8, 60) },
    );
  });

  it('the signature of one call does not open the recording of another', async () => {
    const [one, other] = [await recorded(), await recorded()];
    const [name] = one.recording_url.split('/').at(-1)?.split('.') ?? [];
    const [, seal] = other.recording_url.split('/').at(-1)?.split('.') ?? [];
    expect((await fetch(`${sandbox.url}/_sandbox/media/${name}.${seal}.wav`)).status).toBe(404);
  });

  it('the signature of one world does not open the recording of another, even of a call with the same id', async () => {
    const firstOf = async (key: string): Promise<{ id: string; recording_url: string }> => {
      const { data } = (await clientOf(sandbox.url, key).get('/v1/calls')).body;
      return data.find(({ has_recording }: Answer['body']) => has_recording);
    };
    const [ours, theirs] = [await firstOf('svc_sandbox_default'), await firstOf('svc_test_theirs')];
    expect(theirs.id).toBe(ours.id);
    const seal = theirs.recording_url.split('.').at(-2);
    const names = [`default ${ours.id}`, `default ${ours.id} `, `theirs ${ours.id} x`, `Theirs ${ours.id}`];
    for (const name of names) {
      const forged = `${Buffer.from(name).toString('base64url')}.${seal}.wav`;
      expect((await fetch(`${sandbox.url}/_sandbox/media/${forged}`)).status, name).toBe(404);
    }
    expect((await fetch(theirs.recording_url)).status).toBe(200);
    for (const cut of [seal?.slice(0, 16), seal?.slice(0, -1), '', `${seal}0`, seal?.toUpperCase()]) {
      const address = theirs.recording_url.replace(`.${seal}.`, `.${cut}.`);
      expect((await fetch(address)).status, address).toBe(404);
    }
  });

  it('is 404 once the world is reset', async () => {
    const { recording_url } = await recorded();
    await sandbox.reset();
    expect((await fetch(recording_url)).status).toBe(404);
  });

  it('names the host that the client used', async () => {
    const { id } = await recorded();
    const answer = await client.get(`/v1/calls/${id}`, { Host: 'sandbox.internal:4747' });
    expect(answer.body.data.recording_url).toMatch(/^http:\/\/sandbox\.internal:4747\/_sandbox\/media\//);
  });

  it('recording_url is null without recordings:read, while has_recording is reported', async () => {
    const { id } = await recorded();
    const narrow = clientOf(sandbox.url, 'svc_sandbox_metadata');
    expect(await narrow.readCall(id)).toMatchObject({ has_recording: true, recording_url: null, has_transcript: true });
    const items = (await listed(narrow)).data as { has_recording: boolean; recording_url: string | null }[];
    expect(items.map(({ recording_url }) => recording_url)).toEqual(items.map(() => null));
    expect(items.filter(({ has_recording }) => has_recording)).toHaveLength(3);
  });

  it('is the same in the list as on the call, and set wherever there is a recording', async () => {
    const { id, recording_url } = await recorded();
    const { data } = await listed(client);
    expect(data.find((call: { id: string }) => call.id === id).recording_url).toBe(recording_url);
    for (const call of data) expect(call.recording_url !== null, call.id).toBe(call.has_recording);
  });
});
