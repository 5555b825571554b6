// GET /v1/calls/{id}/transcript: row transcript_absent of `interface.md` section 9.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf, expectError } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';
import { instant } from '../support/world.ts';
import { listed, transcriptOf } from './setup.ts';

const { sandbox, client } = useFreshSandbox({ clock: 'manual' });

interface Turn {
  readonly role: string;
  readonly text: string;
  readonly timestamp: string;
  readonly interrupted: boolean;
  readonly language: string;
}

describe('transcripts', () => {
  it('say who said what and when, within the conversation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 }), async (ring, talk) => {
        const plays = { 'X-Sandbox-Scenario': `answered;ring=${ring}s;talk=${talk}s` };
        const id = await client.call('+12125550100', plays);
        await sandbox.clock.advance(`${ring * 1000 + 500}ms`);
        const answered = Date.parse(await sandbox.clock.now());
        await sandbox.clock.untilIdle();
        const call = await client.readCall(id);
        const answer = await transcriptOf(client, id);
        expect(answer.status).toBe(200);
        const { call_id, transcript, structured_transcript: turns, transcript_provider } = answer.body.data;
        expect(call_id).toBe(id);
        expect(transcript_provider).toMatch(/./);
        expect(turns.length).toBeGreaterThan(0);
        let last = answered;
        for (const { role, text, timestamp, interrupted, language } of turns) {
          expect(role).toMatch(/^(agent|user)$/);
          expect(typeof interrupted).toBe('boolean');
          expect(language).toMatch(/^[a-z]{2}(-[A-Z]{2})?$/);
          expect(transcript).toContain(text);
          expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(last);
          expect(Date.parse(timestamp)).toBeLessThan(Date.parse(call.ended_at));
          last = Date.parse(timestamp);
        }
        expect((await transcriptOf(client, id)).body).toEqual(answer.body);
      }),
      { numRuns: 12 },
    );
  });

  it('end at the hangup, with the last turn interrupted', async () => {
    const talk = { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=5m' };
    const [whole, cut] = [await client.call('+12125550100', talk), await client.call('+12125550100', talk)];
    await sandbox.clock.advance('5500ms');
    await client.post(`/v1/calls/${cut}/hangup`);
    await sandbox.clock.untilIdle();
    const all = (await transcriptOf(client, whole)).body.data.structured_transcript;
    const some = (await transcriptOf(client, cut)).body.data.structured_transcript;
    expect(some.length).toBeLessThan(all.length);
    expect(some.at(-1).interrupted).toBe(true);
    expect(some.map(({ text }: { text: string }) => text)).toEqual(
      all.slice(0, some.length).map(({ text }: { text: string }) => text),
    );
    for (const { timestamp } of some) expect(Date.parse(timestamp)).toBeLessThan(Date.parse(instant(5500)));
  });

  it('are those of the scenario that played', async () => {
    const source = [
      'kind: call',
      'summary: A talk about the tide.',
      'extends: answered',
      'transcript:',
      '  - { role: agent, text: "High water is at noon." }',
      '  - { role: user, text: "Then I will sail at eleven." }',
      'expect:',
      '  statuses: [QUEUED, RINGING, IN_PROGRESS, COMPLETED]',
    ].join('\n');
    const put = await client.put('/_sandbox/scenarios/tide', source, { 'Content-Type': 'application/yaml' });
    expect(put.status, put.text).toBeLessThan(300);
    const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': 'tide;talk=30s' });
    await sandbox.clock.untilIdle();
    const turns = (await transcriptOf(client, id)).body.data.structured_transcript;
    expect(turns.map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`)).toEqual([
      'agent: High water is at noon.',
      'user: Then I will sail at eleven.',
    ]);
  });

  it('do not change when the scenario is edited, overridden or deleted', async () => {
    const saying = (text: string) => ({
      kind: 'call',
      summary: 'One line.',
      extends: 'answered',
      transcript: [{ role: 'agent', text }],
    });
    const put = async (name: string, text: string): Promise<void> => {
      expect((await client.put(`/_sandbox/scenarios/${name}`, saying(text))).status).toBeLessThan(300);
    };
    const played = async (name: string): Promise<string> => {
      const id = await client.call('+12125550199', { 'X-Sandbox-Scenario': `${name};talk=30s` });
      await sandbox.clock.untilIdle();
      return id;
    };
    const said = async (id: string): Promise<string> => (await transcriptOf(client, id)).body.data.transcript;
    const bundled = await played('answered');
    const asBundled = await said(bundled);
    await put('tide', 'High water is at noon.');
    const first = await played('tide');
    await put('tide', 'High water is at one.');
    const second = await played('tide');
    await put('answered', 'Low water is at six.');
    const overlaid = await played('answered');
    expect(await said(bundled)).toBe(asBundled);
    for (const name of ['tide', 'answered']) await client.delete(`/_sandbox/scenarios/${name}`);
    expect(await Promise.all([first, second, overlaid, bundled].map(said))).toEqual([
      'agent: High water is at noon.',
      'agent: High water is at one.',
      'agent: Low water is at six.',
      asBundled,
    ]);
    expect(await said(await played('answered'))).not.toContain('water');
  });

  it('grow with the call: a long one says more than a short one, at the same pace', async () => {
    const talked = async (talk: string): Promise<Turn[]> => {
      const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': `answered;ring=2s;talk=${talk}` });
      await sandbox.clock.untilIdle();
      return (await transcriptOf(client, id)).body.data.structured_transcript;
    };
    const lengths = [];
    for (const talk of ['10s', '1m', '5m', '40m']) {
      const turns = await talked(talk);
      lengths.push(turns.length);
      expect(turns.at(-1)).toMatchObject({ role: 'agent', interrupted: false });
      // A line and the pause after it.
      for (const [index, { timestamp, text }] of turns.slice(0, -1).entries()) {
        const lasted = Date.parse(turns[index + 1]?.timestamp ?? '') - Date.parse(timestamp);
        expect(lasted, text).toBeGreaterThanOrEqual((text.length / 15) * 1000);
        expect(lasted, text).toBeLessThan((text.length / 15) * 1000 + 3000);
      }
    }
    expect(lengths[1]).toBeGreaterThan((lengths[0] ?? 0) * 2);
    expect(lengths[2]).toBeGreaterThan((lengths[1] ?? 0) * 3);
    expect(lengths[3]).toBeGreaterThan((lengths[2] ?? 0) * 6);
    // Even a call of days has a bounded transcript.
    expect((await talked('3d')).length).toBeLessThan(700);
  });

  it.each([
    ['en-GB', 'Hello?', /goodbye|bye/i],
    ['es-MX', '¿Diga?', /adiós|luego/],
    ['fr', 'Allô ?', /au revoir/i],
    ['de-DE', 'Hallo?', /auf wiederhören/i],
    ['PT_br', 'Alô?', /adeus|logo/],
    ['ja-JP', 'Hello?', /goodbye|bye/i],
  ])('are in the language of the agent, such as %s, with its greeting and name', async (language, hello, goodbye) => {
    const [agent] = (await client.get('/v1/agents')).body.data;
    await client.patch(`/v1/agents/${agent.id}`, { language, greeting: 'Hier Hafen.', name: 'Agente Nord' });
    const plays = { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=3m' };
    const said: Turn[][] = [];
    for (let n = 0; n < 4; n++) {
      const dialed = await client.post('/v1/calls', { agent_id: agent.id, to_number: '+12125550100' }, plays);
      await sandbox.clock.untilIdle();
      said.push((await transcriptOf(client, dialed.body.call_id)).body.data.structured_transcript);
    }
    for (const turns of said) {
      expect(turns[0]).toMatchObject({ role: 'user', text: hello });
      expect(turns[1]).toMatchObject({ role: 'agent', text: 'Hier Hafen.' });
      expect(turns.at(-1)?.text).toMatch(goodbye);
      for (const turn of turns) {
        expect(turn.language).toBe(language);
        expect(turn.text).not.toMatch(/[{}]|undefined|null/);
      }
      const texts = turns.map(({ text }) => text).join();
      expect(texts).toContain(agent.business_name);
    }
    expect(new Set(said.map((turns) => turns.map(({ text }) => text).join())).size).toBeGreaterThan(1);
  });

  it('end without a goodbye if the connection drops', async () => {
    const plays = { 'X-Sandbox-Scenario': 'dropped_call;ring=2s;talk=40s' };
    const id = await client.call('+12125550109', plays);
    await sandbox.clock.untilIdle();
    const turns: Turn[] = (await transcriptOf(client, id)).body.data.structured_transcript;
    expect(turns.at(-1)?.interrupted).toBe(true);
    expect(turns.slice(0, -1).map(({ interrupted }) => interrupted)).not.toContain(true);
    expect(turns.map(({ text }) => text).join()).not.toMatch(/goodbye/i);
  });

  it('are 404 before the end of the call, and 200 from that instant', async () => {
    const id = await client.call('+12125550100', { 'X-Sandbox-Scenario': 'answered;ring=2s;talk=10s' });
    for (const by of ['0s', '1s', '2s', '9499ms']) {
      await sandbox.clock.advance(by);
      const answer = await transcriptOf(client, id);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-sandbox-assumptions']).toContain('transcript_absent');
    }
    await sandbox.clock.advance('1ms');
    expect((await transcriptOf(client, id)).status).toBe(200);
  });

  it('exist exactly where has_transcript is true', async () => {
    for (const scenario of ['answered', 'busy', 'no_answer', 'voicemail', 'call_declined', 'dropped_call']) {
      await client.call('+12125550199', { 'X-Sandbox-Scenario': scenario });
    }
    await client.post(`/v1/calls/${await client.call('+12125550100')}/hangup`);
    await sandbox.clock.untilIdle();
    const { data } = await listed(client);
    const statuses = await Promise.all(
      data.map(async ({ id }: { id: string }) => (await transcriptOf(client, id)).status),
    );
    expect(statuses).toEqual(data.map((call: { has_transcript: boolean }) => (call.has_transcript ? 200 : 404)));
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });

  it('require transcripts:read, whether the call exists or not', async () => {
    const { data } = await listed(client);
    const narrow = clientOf(sandbox.url, 'svc_sandbox_metadata');
    for (const id of [data[0].id, 'nope']) {
      const answer = await transcriptOf(narrow, id);
      expectError(answer, 403, 'scope_missing');
      expect(answer.headers['www-authenticate']).toContain('scope="transcripts:read"');
    }
  });
});
