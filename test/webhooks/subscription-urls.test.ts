// The URLs of webhook subscriptions: `spec.md` "Webhook subscriptions" and `interface.md` section 1 (`--webhook-http`).
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { freshWorld } from '../support/webhooks.ts';
import { CUSTOMER_URL, expectField, SUBSCRIPTIONS } from './setup.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const { sandbox: never } = useSandbox({ clock: 'manual', webhookHttp: 'never' });
const { sandbox: any } = useSandbox({ clock: 'manual', webhookHttp: 'any' });
const create = (client: Client, body: object): Promise<Answer> => client.post(SUBSCRIPTIONS, body);

describe('the URL of a subscription', () => {
  const https = [
    CUSTOMER_URL,
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
  const isAccepted = async (from: Sandbox, webhook_url: string): Promise<boolean> => {
    const answer = await create(freshWorld(from).client, { webhook_url, event_type: 'new_call' });
    if (answer.status === 201) return true;
    expectField(answer, 'webhook_url');
    return false;
  };
  const acceptedOf = async (from: Sandbox, urls: readonly string[]): Promise<string[]> => {
    const accepted: string[] = [];
    for (const url of urls) if (await isAccepted(from, url)) accepted.push(url);
    return accepted;
  };

  it('may be any HTTPS URL with every value of webhookHttp', async () => {
    for (const each of [sandbox, never, any]) expect(await acceptedOf(each, https)).toEqual(https);
  });

  it('may by default be plain HTTP to loopback, private ranges and names that are not public', async () => {
    expect(await acceptedOf(sandbox, privateHttp)).toEqual(privateHttp);
  });

  it('may by default not be plain HTTP to any other host', async () => {
    expect(await acceptedOf(sandbox, publicHttp)).toEqual([]);
  });

  it('may not be plain HTTP with webhookHttp never, as in production', async () => {
    expect(await acceptedOf(never, [...privateHttp, ...publicHttp])).toEqual([]);
  });

  it('may be plain HTTP to any host with webhookHttp any', async () => {
    const urls = [...privateHttp, ...publicHttp];
    expect(await acceptedOf(any, urls)).toEqual(urls);
  });

  it.each([
    ['no scheme', 'hooks.example.com/voice'],
    ['only a path', '/voice'],
    ['an empty string', ''],
    ['only a scheme', 'https://'],
    ['no slashes', 'https:hooks.example.com'],
    ['one slash', 'https:/hooks.example.com'],
    ['three slashes', 'https:///hooks.example.com'],
    ['backslashes', 'https:\\\\hooks.example.com'],
    ['FTP', 'ftp://hooks.example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a WebSocket', 'wss://hooks.example.com/'],
    ['a javascript: URL', 'javascript:alert(1)'],
    ['a data: URL', 'data:text/plain,hello'],
    ['a user name', 'https://robin@hooks.example.com/'],
    ['a user name and password', 'https://robin:secret@hooks.example.com/'],
    ['only a password', 'https://:secret@hooks.example.com/'],
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
    ['a leading space', ' https://hooks.example.com/'],
    ['a number', 7],
    ['null', null],
    ['an array', [CUSTOMER_URL]],
  ])('is rejected with %s, even with webhookHttp any', async (_, webhook_url) => {
    for (const each of [sandbox, any]) {
      expectField(await create(clientOf(each.url), { webhook_url, event_type: 'new_call' }), 'webhook_url');
    }
  });

  it('may have at most 2048 characters', async () => {
    const { client } = freshWorld(sandbox);
    const longest = `${CUSTOMER_URL}/`.padEnd(2048, 'x');
    expect((await create(client, { webhook_url: longest, event_type: 'new_call' })).body.webhook_url).toBe(longest);
    expectField(await create(client, { webhook_url: `${longest}x`, event_type: 'new_call' }), 'webhook_url');
  });
});
