// STOP, START and HELP (assumption texting_keywords): who gets texts from which number, what is confirmed, and what a
// receiver hears of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { dataOf, playing } from './support/caller-trust.ts';
import { type Answer, type Client, clientOf, FROM } from './support/client.ts';
import { temporaryFolders } from './support/folders.ts';
import { listening } from './support/listening.ts';
import type { Receiver } from './support/receiver.ts';
import { activeNumber, approveBrand, MESSAGES, NUMBERS, registerCampaign, SOMEONE, text } from './support/texting.ts';
import { subscribe } from './support/webhooks.ts';
import { childOf } from './support/world.ts';

const SECOND = '+14155550191';
const OTHER_PERSON = '+12125550148';
const OPTED_OUT = 'The recipient has opted out of texts from this number.';
const BUSINESS = 'Harbor Street Dental';
const INBOUND = '/_sandbox/simulate/inbound-sms';
const KEYWORDS = '/_sandbox/assumptions/texting_keywords';

const folderOf = temporaryFolders();
let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;

listening({ clock: 'manual', rateLimit: 'off' }, (made) => {
  ({ sandbox, client, receiver } = made);
});

const messages = async (by: Client = client): Promise<Answer['body'][]> => dataOf(await by.get(MESSAGES));
/** What was said to someone or by them, oldest first, without what they answer to. */
const said = async (by: Client = client): Promise<string[]> =>
  (await messages(by)).map(({ direction, body }) => `${direction}: ${body}`).reverse();
/** Someone texts a number; answers the message. */
const hears = async (body: string, more: object = {}, by: Client = client): Promise<Answer['body']> =>
  dataOf(await by.post(INBOUND, { from_number: SOMEONE, to_number: FROM, body, ...more }), 201);
/** What becomes of a text to someone. */
async function fate(more: object = {}, headers = {}, by: Client = client): Promise<[status: string, error: unknown]> {
  const { id } = dataOf(await text(by, { from_number: FROM, ...more }, headers), 202);
  await sandbox.clock.advance('10s');
  const { status, error_message } = dataOf(await by.get(`${MESSAGES}/${id}`));
  return [status, error_message];
}
const delivered = ['delivered', null];
const blocked = ['failed', OPTED_OUT];

describe('the whole way', () => {
  it('leads from a text by STOP, its confirmation and a text that fails to START, a text that arrives, and HELP', async () => {
    const types = ['sms_sent', 'sms_delivered', 'sms_failed', 'contact_replied'];
    for (const type of types) await subscribe(client, `${receiver.url}/${type}`, type);
    const bodies = new Map<string, string>();
    const heard = async (): Promise<string[]> => {
      for (const { id, body } of await messages()) bodies.set(id, body);
      return receiver.got.splice(0).map(({ path, body }) => `${path.slice(1)}: ${bodies.get(body.id)}`);
    };
    const stopped = `${BUSINESS}: You are unsubscribed and will get no more texts from this number. Reply START to get them again.`;
    const started = `${BUSINESS}: You will get texts from this number again. Reply HELP for help, STOP to unsubscribe.`;
    const help = `${BUSINESS}: Reply STOP to get no more texts from this number, START to get them again. Message and data rates may apply.`;

    dataOf(await text(client, { body: 'See you at ten.' }, playing('sms_reply;text=STOP')), 202);
    await sandbox.clock.untilIdle();
    expect(await heard()).toEqual([
      'sms_sent: See you at ten.',
      'sms_delivered: See you at ten.',
      'contact_replied: STOP',
      `sms_sent: ${stopped}`,
      `sms_delivered: ${stopped}`,
    ]);
    const [confirmation, stop] = await messages();
    expect(confirmation).toMatchObject({
      direction: 'outbound',
      status: 'delivered',
      from_number: FROM,
      phone_number: SOMEONE,
      contact_token: stop.contact_token,
    });

    const blocked = dataOf(await text(client, { body: 'Are you there?' }), 202);
    expect(blocked).toMatchObject({ status: 'accepted', error_message: null });
    await sandbox.clock.untilIdle();
    expect(dataOf(await client.get(`${MESSAGES}/${blocked.id}`))).toMatchObject({
      status: 'failed',
      error_message: OPTED_OUT,
      provider_id: null,
    });
    expect(receiver.got.map(({ body }) => body.error_message)).toEqual([OPTED_OUT]);
    expect(await heard()).toEqual(['sms_failed: Are you there?']);
    expect(await fate({ to_number: OTHER_PERSON, body: 'And you?' })).toEqual(delivered);
    expect(await heard()).toEqual(['sms_sent: And you?', 'sms_delivered: And you?']);

    await hears('START');
    await sandbox.clock.untilIdle();
    expect(await heard()).toEqual(['contact_replied: START', `sms_sent: ${started}`, `sms_delivered: ${started}`]);
    expect(await fate({ body: 'Welcome back.' })).toEqual(delivered);
    expect(await heard()).toEqual(['sms_sent: Welcome back.', 'sms_delivered: Welcome back.']);

    await hears('HELP');
    await sandbox.clock.untilIdle();
    expect(await heard()).toEqual(['contact_replied: HELP', `sms_sent: ${help}`, `sms_delivered: ${help}`]);
    expect(await fate()).toEqual(delivered);
  });
});

describe('a keyword', () => {
  it.each(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE', 'stop', ' Stop\n'])(
    '%j opts out',
    async (word) => {
      await hears(word);
      expect(await fate()).toEqual(blocked);
    },
  );

  it.each(['START', 'UNSTOP', 'YES', 'yes', '\tStart '])('%j opts in again', async (word) => {
    await hears('STOP');
    await hears(word);
    expect(await fate()).toEqual(delivered);
    expect(await said()).toHaveLength(5);
  });

  it.each(['HELP', 'INFO', 'info '])(
    '%j is answered, before a STOP and after it, and changes nothing',
    async (word) => {
      await hears(word);
      expect(await fate()).toEqual(delivered);
      await hears('STOP');
      await hears(word);
      expect(await fate()).toEqual(blocked);
      const helps = (await said()).filter((each) => each.includes('Message and data rates'));
      expect(helps).toHaveLength(2);
    },
  );

  it.each(['STOP it', 'Please stop', 'STOP.', 'Yes, that works for me.', 'ENDING', 'S T O P', 'ſtop', 'quıt'])(
    'is the whole text: %j is an ordinary one',
    async (words) => {
      await hears(words);
      expect(await fate()).toEqual(delivered);
      expect(await said()).toHaveLength(2);
    },
  );

  it('is confirmed where it changes something: a second STOP is not, nor is a START of one who is in', async () => {
    await hears('START');
    expect(await said()).toEqual(['inbound: START']);
    await hears('STOP');
    await hears('QUIT');
    expect(await said()).toEqual(['inbound: START', 'inbound: STOP', expect.stringMatching('unsubs'), 'inbound: QUIT']);
    const events = (await sandbox.events()).map(({ event_type }) => event_type);
    expect(events).toEqual(['contact_replied', 'contact_replied', 'contact_replied']);
  });

  it('counts for the number that it was sent to alone', async () => {
    await hears('STOP', { to_number: SECOND });
    expect(await fate({ from_number: SECOND })).toEqual(blocked);
    expect(await fate()).toEqual(delivered);
    await hears('START');
    expect(await fate({ from_number: SECOND })).toEqual(blocked);
  });

  it('counts from the moment at which it comes: what was on its way arrives', async () => {
    const { id } = dataOf(await text(client), 202);
    await hears('STOP');
    await sandbox.clock.advance('10s');
    expect(dataOf(await client.get(`${MESSAGES}/${id}`)).status).toBe('delivered');
  });

  it("to a sub-entity's number is confirmed in its own name, and is that child's alone", async () => {
    const child = await childOf(sandbox.url, client);
    await hears('STOP', { to_number: '+14155550194' });
    expect(await said(child)).toEqual([
      'inbound: STOP',
      expect.stringMatching(/^outbound: Harbor Street Orthodontics: /),
    ]);
    expect(await said()).toEqual([]);
    expect(await fate()).toEqual(delivered);
  });

  it('is confirmed by the time the answer leaves, on an instant clock', async () => {
    const by = clientOf(sandbox.url, sandbox.world('keywords-at-once').apiKey);
    dataOf(await by.put('/_sandbox/clock', { mode: 'instant' }));
    await hears('STOP', {}, by);
    expect((await messages(by)).map(({ status }) => status)).toEqual(['delivered', 'received']);
  });

  it('is named as what caused its confirmation', async () => {
    await hears('STOP');
    const { steps } = await sandbox.clock.untilIdle();
    const [replied] = await sandbox.events();
    expect(replied?.event_type).toBe('contact_replied');
    expect(steps.map(({ trigger, cause }) => [trigger, cause])).toEqual([
      ['send', replied?.cause],
      ['deliver', replied?.cause],
    ]);
  });
});

describe('a text to one who has opted out', () => {
  it.each(['sms_delivered', 'sms_reply', 'sms_failed'])('fails whatever was chosen, such as %s', async (name) => {
    await hears('STOP');
    expect(await fate({}, playing(name))).toEqual(blocked);
  });

  it('fails whatever number it is', async () => {
    const to_number = '+12125550140';
    await hears('STOP', { from_number: to_number });
    expect(await fate({ to_number })).toEqual(blocked);
  });

  it('is refused where the scenario refuses it, as ever', async () => {
    await hears('STOP');
    expect((await text(client, {}, playing('texting_pending'))).status).toBe(403);
  });

  it('can be had without a STOP, by the scenario sms_opted_out', async () => {
    expect(await fate({}, playing('sms_opted_out'))).toEqual(blocked);
    expect(await fate()).toEqual(delivered);
  });

  it('fails though the world has scenarios of its own over those that are played', async () => {
    for (const name of ['sms_opted_out', 'sms_delivered']) {
      const own = { kind: 'sms', summary: 'Chatty.', timeline: chatter('HELP') };
      dataOf(await client.put(`/_sandbox/scenarios/${name}`, own), 201);
    }
    await hears('STOP');
    expect(await fate()).toEqual(blocked);
    for (const name of ['sms_opted_out', 'sms_delivered']) await client.delete(`/_sandbox/scenarios/${name}`);
  });
});

const chatter = (words: string): object[] => [
  { after: '1s', trigger: 'send' },
  { after: '1s', trigger: 'deliver' },
  { after: '1s', trigger: 'reply', with: { text: words } },
];

describe('the answer to a keyword', () => {
  it.each(['HELP', 'STOP', 'START'])('is not answered where the world replies %s to everything', async (word) => {
    dataOf(await client.put('/_sandbox/active-scenarios/sms', { use: `sms_reply;text=${word}` }));
    await hears('HELP');
    dataOf(await text(client), 202);
    const { complete } = await sandbox.clock.untilIdle();
    expect(complete).toBe(true);
    expect((await messages()).length).toBeLessThanOrEqual(5);
  });

  it('consumes no scenario of a list', async () => {
    dataOf(await client.put('/_sandbox/active-scenarios/sms', { use: ['sms_failed'] }));
    await hears('STOP');
    expect(dataOf(await client.get('/_sandbox/active-scenarios/sms')).use).toEqual(['sms_failed']);
  });

  it('can be answered by hand: START in reply to the confirmation opts in again', async () => {
    await hears('STOP');
    const [{ id }] = (await messages()) as [Answer['body']];
    dataOf(await client.post(INBOUND, { in_reply_to: id, body: 'START' }), 201);
    expect(await fate()).toEqual(delivered);
  });

  it('is the same to the byte in a second run with the same seed', async () => {
    const run = async (): Promise<unknown> => {
      await hears('STOP');
      await hears('START');
      await sandbox.clock.untilIdle();
      return [await messages(), await sandbox.events()];
    };
    const first = await run();
    await sandbox.reset();
    expect(await run()).toEqual(first);
  });
});

describe('opt-outs', () => {
  it('are gone after a reset', async () => {
    await hears('STOP');
    await sandbox.reset();
    expect(await fate()).toEqual(delivered);
  });

  it('outlive a restart with --state', async () => {
    const options = { clock: 'manual', state: join(folderOf(), 'state.json') } as const;
    const first = await createSandbox(options);
    dataOf(await clientOf(first.url).post(INBOUND, { from_number: SOMEONE, to_number: FROM, body: 'STOP' }), 201);
    await first.close();
    const second = await createSandbox(options);
    const by = clientOf(second.url);
    const { id } = dataOf(await text(by), 202);
    await second.clock.advance('10s');
    expect(dataOf(await by.get(`${MESSAGES}/${id}`)).error_message).toBe(OPTED_OUT);
    await second.close();
  });

  it('are those of the organization: whoever has the number next is not bound by them', async () => {
    const from_number = '+12125550150';
    const takesIt = async (by: Client): Promise<number> => {
      const { id } = await activeNumber(by, sandbox, { phone_number: from_number });
      await approveBrand(by, sandbox);
      dataOf(await registerCampaign(by, { phone_numbers: [from_number] }), 201);
      await sandbox.clock.advance('60s');
      return id;
    };
    const id = await takesIt(client);
    await hears('STOP', { to_number: from_number });
    expect(await fate({ from_number })).toEqual(blocked);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    const child = await childOf(sandbox.url, client);
    await takesIt(child);
    expect(await fate({ from_number }, {}, child)).toEqual(delivered);
  });

  it('follow from the past messages of a fixture', async () => {
    const file = join(folderOf(), 'garage.yaml');
    const past = (from: string, at: string, body: string): string =>
      `  - { from: "${from}", to: "+14155550190", direction: inbound, at: ${at}, body: ${body} }\n`;
    writeFileSync(
      file,
      `organization: { name: Garage, slug: garage, plan: solo }\nuser: { email: desk@garage.example, name: Desk }\nphone_numbers:
  - { id: 9190, phone_number: "+14155550190", texting_status: approved, created: -1d }
keys:
  - { key: svc_garage, scopes: default }
messages:\n${past(SOMEONE, '-3h', 'Stop')}${past(OTHER_PERSON, '-3h', 'STOP')}${past(OTHER_PERSON, '-2h', 'START')}`,
    );
    const garage = await createSandbox({ clock: 'manual', fixtures: file });
    const by = clientOf(garage.url, garage.apiKey);
    const ids: string[] = [];
    for (const to_number of [SOMEONE, OTHER_PERSON]) ids.push(dataOf(await text(by, { to_number }), 202).id);
    await garage.clock.advance('10s');
    const statuses: string[] = [];
    for (const id of ids) statuses.push(dataOf(await by.get(`${MESSAGES}/${id}`)).status);
    expect(statuses).toEqual(['failed', 'delivered']);
    await by.post(INBOUND, { from_number: SOMEONE, body: 'START' });
    const { id } = dataOf(await text(by), 202);
    await garage.clock.advance('10s');
    expect(dataOf(await by.get(`${MESSAGES}/${id}`)).status).toBe('delivered');
    await garage.close();
  });
});

describe('keywords that are off', () => {
  it('are ordinary texts, and no opt-out holds until they are on again', async () => {
    await hears('STOP');
    dataOf(await client.put(KEYWORDS, { value: 'off' }));
    await hears('HELP');
    await hears('START');
    expect(await fate()).toEqual(delivered);
    expect(await said()).toHaveLength(5);
    dataOf(await client.put(KEYWORDS, { value: 'on' }));
    expect(await fate()).toEqual(blocked);
  });
});
