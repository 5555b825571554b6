// Web calls: what a browser says in an agent's room, what it hears, and the call record that remains (the assumption
// web_calls).
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { type Joined, joined } from '../support/rooms.ts';
import { until } from '../support/until.ts';
import { joinUrl, useWebCalls } from './setup.ts';

const { sandbox, client, agentId, webCall } = useWebCalls();
const temporaryFolder = temporaryFolders();

const say = (browser: Joined, text: string): void => browser.send(JSON.stringify({ type: 'say', text }));
const ofType = (browser: Joined, type: string) => browser.messages.filter((message) => message.type === type);
const turnsOf = (browser: Joined) => ofType(browser, 'turn').map(({ role, text }) => [role, text]);

/** Joins, and hears the greeting. */
async function talking(session?: Awaited<ReturnType<typeof webCall>>): Promise<{ browser: Joined; id: string }> {
  const browser = await joined(joinUrl(session ?? (await webCall())));
  const { call_id } = await browser.waitFor('call_started');
  await browser.waitFor('turn');
  return { browser, id: call_id };
}

describe('a web call', () => {
  it('begins when a browser joins: answered, with an anonymous number, with the greeting of the agent', async () => {
    const session = await webCall();
    expect((await client.get('/v1/calls?page_size=1')).body.data[0]?.status).not.toBe('IN_PROGRESS');
    const { browser, id } = await talking(session);
    expect(await client.readCall(id)).toMatchObject({
      status: 'IN_PROGRESS',
      direction: 'inbound',
      from_number: '+266696687',
      to_number: '+266696687',
      phone_number_id: null,
    });
    const { greeting } = (await client.get(`/v1/agents/${agentId()}`)).body.data;
    expect(turnsOf(browser)).toEqual([['agent', greeting]]);
    browser.leave();
  });

  it('is heard by webhooks from its beginning to its end, as an answered call is', async () => {
    const { browser, id } = await talking();
    await sandbox.clock.advance('5s');
    browser.leave();
    await until(async () => (await client.readCall(id)).status).toBe('COMPLETED');
    const { data } = (await client.get(`/_sandbox/events?subject_id=${id}`)).body;
    expect(data.map(({ event_type }: { event_type: string }) => event_type).reverse()).toEqual([
      'new_call',
      'call_completed',
      'phone_call.ended',
    ]);
    const { entries } = (await client.get(`/_sandbox/calls/${id}/timeline`)).body.data;
    expect(entries[0].request).toMatchObject({ path: `/v1/agents/${agentId()}/web-call` });
  });

  it('has a transcript of what was said, when it was said', async () => {
    const { browser, id } = await talking();
    await sandbox.clock.advance('4s');
    say(browser, 'Is there parking close by?');
    await until(() => turnsOf(browser).length).toBe(3);
    expect(turnsOf(browser)[2]?.[1]).toContain('The lot behind the building');
    await sandbox.clock.advance('2s');
    browser.send('{"type":"hang_up"}');
    const { call } = await browser.waitFor('call_ended');
    expect(await browser.closed).toBe(1000);
    expect(call).toMatchObject({ id, status: 'COMPLETED', duration_seconds: 6, has_transcript: true });
    const { structured_transcript: turns } = (await client.get(`/v1/calls/${id}/transcript`)).body.data;
    expect(turns).toEqual(ofType(browser, 'turn').map(({ type: _, ...turn }) => turn));
    expect(turns.map((turn: { timestamp: string }) => turn.timestamp.slice(17))).toEqual([
      '00.000Z',
      '04.000Z',
      '04.000Z',
    ]);
  });

  it('replies alike to the same words in two sandboxes of one seed', async () => {
    const replies = async (url: string) => {
      const by = clientOf(url);
      const [{ id }] = (await by.get('/v1/agents')).body.data;
      const { browser } = await talking(await webCall(by, id));
      say(browser, 'Zyzzyva?');
      await until(() => turnsOf(browser).length).toBe(3);
      browser.leave();
      return turnsOf(browser);
    };
    const other = await createSandbox({ clock: 'manual' });
    try {
      expect(await replies(other.url)).toEqual(await replies(sandbox.url));
    } finally {
      await other.close();
    }
  });

  it('is shared by the browsers in its room, and ends when the last one leaves', async () => {
    const session = await webCall();
    const [first, second] = [await talking(session), await talking(session)];
    expect(second.id).toBe(first.id);
    say(second.browser, 'Hello?');
    await until(() => turnsOf(first.browser).length).toBe(3);
    expect(turnsOf(second.browser)).toEqual(turnsOf(first.browser));
    first.browser.leave();
    await second.browser.waitFor('participant_left');
    expect((await client.readCall(first.id)).status).toBe('IN_PROGRESS');
    second.browser.leave();
    await until(async () => (await client.readCall(first.id)).status).toBe('COMPLETED');
    const again = await talking(session);
    expect(again.id).not.toBe(first.id);
    again.browser.leave();
  });

  it('ends for its browsers when it is hung up over the API, or an hour has passed', async () => {
    const hungUp = await talking();
    expect((await client.post(`/v1/calls/${hungUp.id}/hangup`)).status).toBe(200);
    expect((await hungUp.browser.waitFor('call_ended')).call.id).toBe(hungUp.id);
    expect(await hungUp.browser.closed).toBe(1000);
    const long = await talking();
    await sandbox.clock.advance('1h');
    expect((await long.browser.waitFor('call_ended')).call).toMatchObject({ id: long.id, duration_seconds: 3600 });
  });

  it('ends with its server, whose state file has its end and what was said', async () => {
    const state = join(temporaryFolder(), 'state.json');
    const first = await createSandbox({ clock: 'manual', state });
    const by = clientOf(first.url);
    const [agent] = (await by.get('/v1/agents')).body.data;
    const { browser, id } = await talking(await webCall(by, agent.id));
    await first.close();
    expect(await browser.closed).toBe(1001);
    const second = await createSandbox({ clock: 'manual', state });
    try {
      const after = clientOf(second.url);
      expect((await after.readCall(id)).status).toBe('COMPLETED');
      const { structured_transcript: turns } = (await after.get(`/v1/calls/${id}/transcript`)).body.data;
      expect(turns.map(({ text }: { text: string }) => text)).toEqual([agent.greeting]);
    } finally {
      await second.close();
    }
  });

  it.each([
    ['text that is not JSON', 'hello'],
    ['nothing to say', '{"type":"say","text":" "}'],
    ['too much to say', JSON.stringify({ type: 'say', text: 'x'.repeat(1001) })],
    ['an unknown message', '{"type":"sing"}'],
  ])('answers %s with an error that says what is allowed', async (_, message) => {
    const { browser } = await talking();
    browser.send(message);
    const { error } = await browser.waitFor('error');
    expect(error.code).toBe('validation_error');
    expect(error.message).toContain('{"type":"say","text":"…"}');
    browser.leave();
  });

  it('keeps text as text, whatever it looks like', async () => {
    const { browser, id } = await talking();
    say(browser, '<img src=x onerror=alert(1)>');
    await until(() => turnsOf(browser).length).toBe(3);
    browser.leave();
    await until(async () => (await client.readCall(id)).status).toBe('COMPLETED');
    const { structured_transcript: turns } = (await client.get(`/v1/calls/${id}/transcript`)).body.data;
    expect(turns[1]).toMatchObject({ role: 'user', text: '<img src=x onerror=alert(1)>' });
  });
});

describe('a room in which nobody talks', () => {
  it('is one without an agent', async () => {
    const session = (await client.post('/v1/webrtc-token', {})).body.data;
    const browser = await joined(joinUrl(session));
    say(browser, 'Anybody?');
    expect((await browser.waitFor('error')).error.code).toBe('conflict');
    expect(ofType(browser, 'call_started')).toEqual([]);
    browser.leave();
  });
});
