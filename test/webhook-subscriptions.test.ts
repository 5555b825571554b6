// Webhook subscriptions: `spec.md` "Webhook subscriptions" and "Event types", `interface.md` section 1
// (`--webhook-http`) and the ledger's subscription_response, extra_event_types and unknown_body_fields.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf, expectError } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from './support/webhooks.ts';

const PATH = '/api/v1/webhook_subscriptions';
const URL_OF_CUSTOMER = 'https://hooks.example.com/voice';

const specTypes = [
  'new_call',
  'call_completed',
  'call_no_answer',
  'call_voicemail',
  'call_busy',
  'call_failed',
  'contact_replied',
  'sms_sent',
  'sms_delivered',
  'sms_failed',
  'contact_created',
  'number_purchased',
  'number_released',
  'texting_registration_status_changed',
  'new_appointment',
  'workflow_contact_completed',
];

let sandbox: Sandbox;
let never: Sandbox;
let any: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' });
  never = await createSandbox({ clock: 'manual', webhookHttp: 'never' });
  any = await createSandbox({ clock: 'manual', webhookHttp: 'any' });
});
afterAll(() => Promise.all([sandbox, never, any].map((each) => each.close())));

function create(client: Client, body: object): Promise<Answer> {
  return client.post(PATH, body);
}

function expectField(answer: Answer, field: string): void {
  expectError(answer, 400, 'validation_error');
  expect(Object.keys(answer.body.error.fields)).toEqual([field]);
}

describe('creating a subscription', () => {
  it('answers 201 with the id and exactly what was sent, flat and without a secret', async () => {
    const { client } = freshWorld(sandbox);
    const sent = { webhook_url: 'https://Hooks.Example.com:443/voice?a=1&b=%20', event_type: 'call_busy' };
    const answer = await create(client, sent);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^whk_[0-9a-zA-Z]{8,}$/), ...sent });
  });

  it('keeps workflow_id and campaign_id and shows them again', async () => {
    const { client } = freshWorld(sandbox);
    const sent = {
      webhook_url: URL_OF_CUSTOMER,
      event_type: 'call_busy',
      workflow_id: 'wf_7',
      campaign_id: 'cmp_9',
    };
    const { body } = await create(client, sent);
    expect(body).toEqual({ id: body.id, ...sent });
    expect((await client.get(PATH)).body.data).toEqual([{ id: body.id, ...sent }]);
  });

  it('takes the same event type and URL several times, each under an id of its own', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, URL_OF_CUSTOMER, ...Array.from({ length: 5 }, () => 'new_call'));
    expect(new Set(ids).size).toBe(5);
    expect((await client.get(PATH)).body.meta.total_results).toBe(5);
  });

  it.each([...specTypes, 'enterprise.status.updated', 'phone_call.ended'])('takes the event type %s', async (type) => {
    const { client } = freshWorld(sandbox);
    const answer = await create(client, { webhook_url: URL_OF_CUSTOMER, event_type: type });
    expect([answer.status, answer.body.event_type]).toEqual([201, type]);
  });

  it('refuses the upper-case spelling of the texting event and suggests the one that is meant', async () => {
    const answer = await create(clientOf(sandbox.url), {
      webhook_url: URL_OF_CUSTOMER,
      event_type: 'TEXTING_REGISTRATION_STATUS_CHANGED',
    });
    expectField(answer, 'event_type');
    expect(answer.body.error.fields.event_type).toMatch(/did you mean texting_registration_status_changed/);
  });

  it.each(['call_bussy', 'New_Call', '', 'phone_call_ended', '*', 7, null, ['new_call']])(
    'refuses the event type %j and lists what is allowed',
    async (event_type) => {
      const answer = await create(clientOf(sandbox.url), { webhook_url: URL_OF_CUSTOMER, event_type });
      expectField(answer, 'event_type');
      if (typeof event_type === 'string') expect(answer.body.error.fields.event_type).toContain('call_voicemail');
    },
  );

  it('names every field that is missing', async () => {
    const answer = await create(clientOf(sandbox.url), {});
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields).sort()).toEqual(['event_type', 'webhook_url']);
  });

  it.each(['signing_secret', 'secret', 'url', 'id', 'Webhook_Url'])('refuses the unknown field %s', async (name) => {
    const body = { webhook_url: URL_OF_CUSTOMER, event_type: 'new_call', [name]: 'whk_1' };
    expectField(await create(clientOf(sandbox.url), body), name);
  });

  it.each(['workflow_id', 'campaign_id'])('refuses a %s that is no string', async (name) => {
    for (const value of [7, true, {}, null]) {
      const body = { webhook_url: URL_OF_CUSTOMER, event_type: 'new_call', [name]: value };
      expectField(await create(clientOf(sandbox.url), body), name);
    }
  });

  it('makes nothing when it refuses', async () => {
    const { client } = freshWorld(sandbox);
    await create(client, { webhook_url: 'ftp://hooks.example.com/', event_type: 'new_call' });
    await create(client, { webhook_url: URL_OF_CUSTOMER, event_type: 'nonsense' });
    expect((await client.get(PATH)).body).toEqual({
      data: [],
      meta: { cursor: null, total_results: 0, page_size: 25 },
    });
  });
});

describe('the URL of a subscription', () => {
  const https = [
    URL_OF_CUSTOMER,
    'HTTPS://hooks.example.com/',
    'https://hooks.example.com',
    'https://hooks.example.com:8443/a/b?c=d',
    'https://203.0.113.7/hook',
    'https://[2001:db8::7]/hook',
    'https://localhost/hook',
  ];
  const privateHttp = [
    'http://127.0.0.1:3000/hook',
    'http://127.99.0.1/',
    'http://2130706433/',
    'http://localhost:3000/hook',
    'http://[::1]:3000/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.254/',
    'http://192.168.1.1/',
    'http://[fd12:3456::1]/',
    'http://receiver:8080/hook',
    'http://hooks.internal/',
    'http://printer.local/',
  ];
  const publicHttp = [
    'http://hooks.example.com/voice',
    'http://8.8.8.8/',
    'http://134744072/',
    'http://0x08080808/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://172.15.0.1/',
    'http://172.32.0.1/',
    'http://192.169.0.1/',
    'http://169.254.169.254/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://internal.example.com/',
    'http://examplelocal.com/',
  ];
  const isTaken = async (from: Sandbox, webhook_url: string): Promise<boolean> => {
    const answer = await create(freshWorld(from).client, { webhook_url, event_type: 'new_call' });
    if (answer.status === 201) return true;
    expectField(answer, 'webhook_url');
    return false;
  };
  const takenOf = async (from: Sandbox, urls: readonly string[]): Promise<string[]> => {
    const taken: string[] = [];
    for (const url of urls) if (await isTaken(from, url)) taken.push(url);
    return taken;
  };

  it('may be any HTTPS URL, whatever plain HTTP is allowed', async () => {
    for (const each of [sandbox, never, any]) expect(await takenOf(each, https)).toEqual(https);
  });

  it('may be plain HTTP to this machine, private ranges and names without a public home, as it comes', async () => {
    expect(await takenOf(sandbox, privateHttp)).toEqual(privateHttp);
  });

  it('may not be plain HTTP to anywhere else, as it comes', async () => {
    expect(await takenOf(sandbox, publicHttp)).toEqual([]);
  });

  it('may not be plain HTTP at all with webhookHttp never, as in production', async () => {
    expect(await takenOf(never, [...privateHttp, ...publicHttp])).toEqual([]);
  });

  it('may be plain HTTP to anywhere with webhookHttp any', async () => {
    const urls = [...privateHttp, ...publicHttp];
    expect(await takenOf(any, urls)).toEqual(urls);
  });

  it.each([
    ['no scheme', 'hooks.example.com/voice'],
    ['a path alone', '/voice'],
    ['nothing', ''],
    ['a scheme alone', 'https://'],
    ['no slashes', 'https:hooks.example.com'],
    ['one slash', 'https:/hooks.example.com'],
    ['three slashes', 'https:///hooks.example.com'],
    ['slashes that lean the other way', 'https:\\\\hooks.example.com'],
    ['FTP', 'ftp://hooks.example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a WebSocket', 'wss://hooks.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['inline data', 'data:text/plain,hello'],
    ['a user name', 'https://robin@hooks.example.com/'],
    ['a user name and password', 'https://robin:secret@hooks.example.com/'],
    ['a password alone', 'https://:secret@hooks.example.com/'],
    ['a fragment', 'https://hooks.example.com/voice#top'],
    ['an empty fragment', 'https://hooks.example.com/voice#'],
    ['a port beyond 65535', 'https://hooks.example.com:65536/'],
    ['a line feed', 'https://hooks.example.com/\nvoice'],
    ['a carriage return and a header', 'https://hooks.example.com/\r\nX-Evil: 1'],
    ['a tab', 'https://hooks.example\t.com/'],
    ['a NUL', 'https://hooks.example.com/\u0000'],
    ['a DEL', 'https://hooks.example.com/\u007f'],
    ['a C1 control character', 'https://hooks.example.com/\u0085'],
    ['a space', 'https://hooks.example.com/a b'],
    ['a space before it', ' https://hooks.example.com/'],
    ['a number', 7],
    ['null', null],
    ['a list', [URL_OF_CUSTOMER]],
  ])('is refused with %s, even with webhookHttp any', async (_, webhook_url) => {
    for (const each of [sandbox, any]) {
      expectField(await create(clientOf(each.url), { webhook_url, event_type: 'new_call' }), 'webhook_url');
    }
  });

  it('may be 2048 characters long and not one more', async () => {
    const { client } = freshWorld(sandbox);
    const longest = `${URL_OF_CUSTOMER}/`.padEnd(2048, 'x');
    expect((await create(client, { webhook_url: longest, event_type: 'new_call' })).body.webhook_url).toBe(longest);
    expectField(await create(client, { webhook_url: `${longest}x`, event_type: 'new_call' }), 'webhook_url');
  });
});

describe('the list of subscriptions', () => {
  it('is newest first, in pages, and the last page has no cursor', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, URL_OF_CUSTOMER, ...specTypes.slice(0, 7));
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await client.get(`${PATH}?page_size=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.body.meta).toMatchObject({ total_results: 7, page_size: 3 });
      seen.push(...page.body.data.map(({ id }: { id: string }) => id));
      sizes.push(page.body.data.length);
      cursor = page.body.meta.cursor;
    } while (cursor !== null);
    expect(sizes).toEqual([3, 3, 1]);
    expect(seen).toEqual(ids.reverse());
  });

  it('goes on after the page before, whatever is made or deleted meanwhile', async () => {
    const { client } = freshWorld(sandbox);
    const ids = await subscribe(client, URL_OF_CUSTOMER, ...specTypes.slice(0, 5));
    const first = await client.get(`${PATH}?page_size=2`);
    await subscribe(client, URL_OF_CUSTOMER, 'new_call');
    await client.delete(`${PATH}/${ids[3]}`);
    const second = await client.get(`${PATH}?page_size=2&cursor=${first.body.meta.cursor}`);
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
  });

  it('shows no secret', async () => {
    const { client } = freshWorld(sandbox);
    const [id] = await subscribe(client, URL_OF_CUSTOMER, 'number_purchased');
    await client.put(`/_sandbox/webhook-subscriptions/${id}`, { signing_secret: 'kept to myself' });
    expect((await client.get(PATH)).body.data).toEqual([
      { id, webhook_url: URL_OF_CUSTOMER, event_type: 'number_purchased' },
    ]);
  });

  it.each([
    ['page_size', 'page_size=0'],
    ['page_size', 'page_size=101'],
    ['page_size', 'page_size=ten'],
    ['cursor', 'cursor=nonsense'],
    ['event_type', 'event_type=new_call'],
  ])('refuses %s in ?%s', async (field, query) => {
    expectField(await clientOf(sandbox.url).get(`${PATH}?${query}`), field);
  });
});

describe('deleting a subscription', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  it('answers 204 with nothing, once', async () => {
    const { client } = freshWorld(sandbox);
    const [first, second] = await subscribe(client, URL_OF_CUSTOMER, 'new_call', 'new_call');
    const answer = await client.delete(`${PATH}/${first}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client.get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    expectError(await client.delete(`${PATH}/${first}`), 404, 'not_found');
  });

  it('is 404 for whatever names no subscription of this world', async () => {
    const here = freshWorld(sandbox).client;
    const there = freshWorld(sandbox).client;
    const [id] = await subscribe(there, URL_OF_CUSTOMER, 'new_call');
    for (const each of [id, 'whk_', 'whk_000000000000000000000000', '7', '%20']) {
      expectError(await here.delete(`${PATH}/${each}`), 404, 'not_found');
    }
    expect((await there.get(PATH)).body.meta.total_results).toBe(1);
  });

  it('ends the deliveries: what happens afterwards is not sent', async () => {
    const { client, world } = freshWorld(sandbox);
    const [id] = await subscribe(client, receiver.url, 'contact_created');
    await fire(client, 'contact_created');
    await world.clock.advance('0s');
    await client.delete(`${PATH}/${id}`);
    await fire(client, 'contact_created');
    await world.clock.advance('0s');
    expect(await deliveriesOf(client)).toHaveLength(1);
  });

  it('cancels what is queued for it alone, and lets what is under way arrive', async () => {
    const { client, world } = freshWorld(sandbox);
    const { opened, open } = gate();
    const arrived: string[] = [];
    receiver.onDelivery = async ({ path, body }) => {
      arrived.push(`${body.provider_id} at ${path}`);
      await opened;
    };
    const [id] = await subscribe(client, `${receiver.url}/deleted`, 'sms_sent');
    const [other] = await subscribe(client, `${receiver.url}/kept`, 'sms_sent');
    for (const provider_id of ['first', 'second', 'third']) await fire(client, 'sms_sent', { provider_id });
    await expect.poll(() => [...arrived].sort()).toEqual(['first at /deleted', 'first at /kept']);
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
    open();
    await world.clock.advance('1h');
    expect(arrived.filter((each) => each.endsWith('/deleted'))).toEqual(['first at /deleted']);
    expect(arrived.filter((each) => each.endsWith('/kept'))).toHaveLength(3);
    const shown = async (subscription: unknown): Promise<unknown> =>
      (await deliveriesOf(client, `subscription_id=${subscription}`)).map(
        ({ status, attempts }: { status: string; attempts: unknown[] }) => `${status} ${attempts.length}`,
      );
    expect(await shown(id)).toEqual(['delivered 1', 'canceled 0', 'canceled 0']);
    expect(await shown(other)).toEqual(['delivered 1', 'delivered 1', 'delivered 1']);
    expect((await client.get('/_sandbox/clock')).body.data.pending).toBe(0);
  });
});

describe('whose subscriptions', () => {
  it('a child organization and its parent see, and may delete, their own alone', async () => {
    const { client: parent } = freshWorld(sandbox);
    // Number 4194 of the fixture belongs to the sub-entity.
    const { payload } = await fire(parent, 'number_released', { id: 4194 });
    const { organization_id } = payload.payload;
    const made = await parent.post('/_sandbox/keys', { organization_id });
    const child = clientOf(sandbox.url, made.body.data.api_key);
    const [ofParent] = await subscribe(parent, URL_OF_CUSTOMER, 'new_call');
    const [ofChild] = await subscribe(child, URL_OF_CUSTOMER, 'new_call');
    expectError(await parent.delete(`${PATH}/${ofChild}`), 404, 'not_found');
    expectError(await child.delete(`${PATH}/${ofParent}`), 404, 'not_found');
    expect((await parent.get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([ofParent]);
    expect((await child.get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([ofChild]);
  });
});
