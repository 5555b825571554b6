// The keywords STOP, START and HELP (assumption texting_keywords): which texts are keywords, and how they are confirmed.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { type Answer, clientOf } from '../support/client.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { MESSAGES, text } from '../support/texting.ts';
import { childOf } from '../support/world.ts';
import {
  BLOCKED,
  conversation,
  DELIVERED,
  INBOUND,
  listMessages,
  outcomeOfText,
  receiveText,
  SECOND,
} from './setup.ts';

const KEYWORDS = '/_sandbox/assumptions/texting_keywords';
const { sandbox, client } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

describe('a keyword', () => {
  it.each(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE', 'stop', ' Stop\n'])(
    '%j opts out',
    async (word) => {
      await receiveText(client, word);
      expect(await outcomeOfText(client, sandbox)).toEqual(BLOCKED);
    },
  );

  it.each(['START', 'UNSTOP', 'YES', 'yes', '\tStart '])('%j opts in again', async (word) => {
    await receiveText(client, 'STOP');
    await receiveText(client, word);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
    expect(await conversation(client)).toHaveLength(5);
  });

  it.each(['HELP', 'INFO', 'info '])('%j gets a reply before and after STOP, and changes nothing', async (word) => {
    await receiveText(client, word);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
    await receiveText(client, 'STOP');
    await receiveText(client, word);
    expect(await outcomeOfText(client, sandbox)).toEqual(BLOCKED);
    const helps = (await conversation(client)).filter((each) => each.includes('Message and data rates'));
    expect(helps).toHaveLength(2);
  });

  it.each(['STOP it', 'Please stop', 'STOP.', 'Yes, that works for me.', 'ENDING', 'S T O P', 'ſtop', 'quıt'])(
    'must be the whole text: %j is an ordinary one',
    async (words) => {
      await receiveText(client, words);
      expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
      expect(await conversation(client)).toHaveLength(2);
    },
  );

  it('is confirmed only if it changes something', async () => {
    await receiveText(client, 'START');
    expect(await conversation(client)).toEqual(['inbound: START']);
    await receiveText(client, 'STOP');
    await receiveText(client, 'QUIT');
    expect(await conversation(client)).toEqual([
      'inbound: START',
      'inbound: STOP',
      expect.stringMatching('unsubs'),
      'inbound: QUIT',
    ]);
    const events = (await sandbox.events()).map(({ event_type }) => event_type);
    expect(events).toEqual(['contact_replied', 'contact_replied', 'contact_replied']);
  });

  it('applies only to the number it was sent to', async () => {
    await receiveText(client, 'STOP', { to_number: SECOND });
    expect(await outcomeOfText(client, sandbox, { from_number: SECOND })).toEqual(BLOCKED);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
    await receiveText(client, 'START');
    expect(await outcomeOfText(client, sandbox, { from_number: SECOND })).toEqual(BLOCKED);
  });

  it('applies from its arrival: a text already accepted is delivered', async () => {
    const { id } = dataOf(await text(client), 202);
    await receiveText(client, 'STOP');
    await sandbox.clock.advance('10s');
    expect(dataOf(await client.get(`${MESSAGES}/${id}`)).status).toBe('delivered');
  });

  it("sent to the number of a child is confirmed in the child's name and affects only the child", async () => {
    const child = await childOf(sandbox.url, client);
    await receiveText(client, 'STOP', { to_number: '+14155550194' });
    expect(await conversation(child)).toEqual([
      'inbound: STOP',
      expect.stringMatching(/^outbound: Harbor Street Orthodontics: /),
    ]);
    expect(await conversation(client)).toEqual([]);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
  });

  it('is confirmed before the response on an instant clock', async () => {
    const by = clientOf(sandbox.url, sandbox.world('keywords-at-once').apiKey);
    dataOf(await by.put('/_sandbox/clock', { mode: 'instant' }));
    await receiveText(by, 'STOP');
    expect((await listMessages(by)).map(({ status }) => status)).toEqual(['delivered', 'received']);
  });

  it('is the cause of its confirmation', async () => {
    await receiveText(client, 'STOP');
    const { steps } = await sandbox.clock.untilIdle();
    const [replied] = await sandbox.events();
    expect(replied?.event_type).toBe('contact_replied');
    expect(steps.map(({ trigger, cause }) => [trigger, cause])).toEqual([
      ['send', replied?.cause],
      ['deliver', replied?.cause],
    ]);
  });
});

describe('the confirmation of a keyword', () => {
  it.each(['HELP', 'STOP', 'START'])('gets no reply if the world replies %s to every text', async (word) => {
    dataOf(await client.put('/_sandbox/active-scenarios/sms', { use: `sms_reply;text=${word}` }));
    await receiveText(client, 'HELP');
    dataOf(await text(client), 202);
    const { complete } = await sandbox.clock.untilIdle();
    expect(complete).toBe(true);
    expect((await listMessages(client)).length).toBeLessThanOrEqual(5);
  });

  it('uses up no active scenario', async () => {
    dataOf(await client.put('/_sandbox/active-scenarios/sms', { use: ['sms_failed'] }));
    await receiveText(client, 'STOP');
    expect(dataOf(await client.get('/_sandbox/active-scenarios/sms')).use).toEqual(['sms_failed']);
  });

  it('can be replied to by hand: START opts in again', async () => {
    await receiveText(client, 'STOP');
    const [{ id }] = (await listMessages(client)) as [Answer['body']];
    dataOf(await client.post(INBOUND, { in_reply_to: id, body: 'START' }), 201);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
  });

  it('is the same to the byte in a second run with the same seed', async () => {
    const run = async (): Promise<unknown> => {
      await receiveText(client, 'STOP');
      await receiveText(client, 'START');
      await sandbox.clock.untilIdle();
      return [await listMessages(client), await sandbox.events()];
    };
    const first = await run();
    await sandbox.reset();
    expect(await run()).toEqual(first);
  });
});

describe('keywords turned off', () => {
  it('are ordinary texts, and opt-outs have no effect until keywords are on again', async () => {
    await receiveText(client, 'STOP');
    dataOf(await client.put(KEYWORDS, { value: 'off' }));
    await receiveText(client, 'HELP');
    await receiveText(client, 'START');
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
    expect(await conversation(client)).toHaveLength(5);
    dataOf(await client.put(KEYWORDS, { value: 'on' }));
    expect(await outcomeOfText(client, sandbox)).toEqual(BLOCKED);
  });
});
