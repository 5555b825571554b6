// Opt-outs (assumption texting_keywords): which texts they block, how long they last, and the events that follow.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { dataOf } from '../support/caller-trust.ts';
import { type Client, clientOf, FROM, playing } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { useSandboxAndReceiver } from '../support/listening.ts';
import { activeNumber, approveBrand, MESSAGES, NUMBERS, registerCampaign, SOMEONE, text } from '../support/texting.ts';
import { subscribe } from '../support/webhooks.ts';
import { childOf } from '../support/world.ts';
import { BLOCKED, DELIVERED, INBOUND, listMessages, OPTED_OUT, outcomeOfText, receiveText } from './setup.ts';

const OTHER_PERSON = '+12125550148';
const BUSINESS = 'Harbor Street Dental';

const folderOf = temporaryFolders();
const { sandbox, client, receiver } = useSandboxAndReceiver({ clock: 'manual', rateLimit: 'off' });

/** The timeline of a text that is answered with these words. */
const replying = (words: string): object[] => [
  { after: '1s', trigger: 'send' },
  { after: '1s', trigger: 'deliver' },
  { after: '1s', trigger: 'reply', with: { text: words } },
];

describe('an opt-out from start to finish', () => {
  it('leads from STOP and a failed text to START, a delivered text, and HELP', async () => {
    const types = ['sms_sent', 'sms_delivered', 'sms_failed', 'contact_replied'];
    for (const type of types) await subscribe(client, `${receiver.url}/${type}`, type);
    const bodies = new Map<string, string>();
    const takeEvents = async (): Promise<string[]> => {
      for (const { id, body } of await listMessages(client)) bodies.set(id, body);
      return receiver.got.splice(0).map(({ path, body }) => `${path.slice(1)}: ${bodies.get(body.id)}`);
    };
    const stopped = `${BUSINESS}: You are unsubscribed and will get no more texts from this number. Reply START to get them again.`;
    const started = `${BUSINESS}: You will get texts from this number again. Reply HELP for help, STOP to unsubscribe.`;
    const help = `${BUSINESS}: Reply STOP to get no more texts from this number, START to get them again. Message and data rates may apply.`;

    dataOf(await text(client, { body: 'See you at ten.' }, playing('sms_reply;text=STOP')), 202);
    await sandbox.clock.untilIdle();
    expect(await takeEvents()).toEqual([
      'sms_sent: See you at ten.',
      'sms_delivered: See you at ten.',
      'contact_replied: STOP',
      `sms_sent: ${stopped}`,
      `sms_delivered: ${stopped}`,
    ]);
    const [confirmation, stop] = await listMessages(client);
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
    expect(await takeEvents()).toEqual(['sms_failed: Are you there?']);
    expect(await outcomeOfText(client, sandbox, { to_number: OTHER_PERSON, body: 'And you?' })).toEqual(DELIVERED);
    expect(await takeEvents()).toEqual(['sms_sent: And you?', 'sms_delivered: And you?']);

    await receiveText(client, 'START');
    await sandbox.clock.untilIdle();
    expect(await takeEvents()).toEqual(['contact_replied: START', `sms_sent: ${started}`, `sms_delivered: ${started}`]);
    expect(await outcomeOfText(client, sandbox, { body: 'Welcome back.' })).toEqual(DELIVERED);
    expect(await takeEvents()).toEqual(['sms_sent: Welcome back.', 'sms_delivered: Welcome back.']);

    await receiveText(client, 'HELP');
    await sandbox.clock.untilIdle();
    expect(await takeEvents()).toEqual(['contact_replied: HELP', `sms_sent: ${help}`, `sms_delivered: ${help}`]);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
  });
});

describe('a text to a recipient who has opted out', () => {
  it.each(['sms_delivered', 'sms_reply', 'sms_failed'])('fails with any scenario, such as %s', async (name) => {
    await receiveText(client, 'STOP');
    expect(await outcomeOfText(client, sandbox, {}, playing(name))).toEqual(BLOCKED);
  });

  it('fails for any recipient number', async () => {
    const to_number = '+12125550140';
    await receiveText(client, 'STOP', { from_number: to_number });
    expect(await outcomeOfText(client, sandbox, { to_number })).toEqual(BLOCKED);
  });

  it('is still refused by a scenario that refuses it', async () => {
    await receiveText(client, 'STOP');
    expect((await text(client, {}, playing('texting_pending'))).status).toBe(403);
  });

  it('can be simulated without STOP by the scenario sms_opted_out', async () => {
    expect(await outcomeOfText(client, sandbox, {}, playing('sms_opted_out'))).toEqual(BLOCKED);
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
  });

  it('fails even if the world overrides the scenarios involved', async () => {
    for (const name of ['sms_opted_out', 'sms_delivered']) {
      const own = { kind: 'sms', summary: 'Replies.', timeline: replying('HELP') };
      dataOf(await client.put(`/_sandbox/scenarios/${name}`, own), 201);
    }
    await receiveText(client, 'STOP');
    expect(await outcomeOfText(client, sandbox)).toEqual(BLOCKED);
    for (const name of ['sms_opted_out', 'sms_delivered']) await client.delete(`/_sandbox/scenarios/${name}`);
  });
});

describe('opt-outs', () => {
  it('are cleared by a reset', async () => {
    await receiveText(client, 'STOP');
    await sandbox.reset();
    expect(await outcomeOfText(client, sandbox)).toEqual(DELIVERED);
  });

  it('survive a restart with --state', async () => {
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

  it('belong to the organization: the next owner of the number is not affected', async () => {
    const from_number = '+12125550150';
    const register = async (by: Client): Promise<number> => {
      const { id } = await activeNumber(by, sandbox, { phone_number: from_number });
      await approveBrand(by, sandbox);
      dataOf(await registerCampaign(by, { phone_numbers: [from_number] }), 201);
      await sandbox.clock.advance('60s');
      return id;
    };
    const id = await register(client);
    await receiveText(client, 'STOP', { to_number: from_number });
    expect(await outcomeOfText(client, sandbox, { from_number })).toEqual(BLOCKED);
    dataOf(await client.delete(`${NUMBERS}/${id}`));
    const child = await childOf(sandbox.url, client);
    await register(child);
    expect(await outcomeOfText(child, sandbox, { from_number })).toEqual(DELIVERED);
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
