// Arguments that no type would allow, as JavaScript can give them: what the library says (`interface.md` section 8).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import '../../src/vitest.ts';
import { connectSandbox, createReceiver, createSandbox } from '../../src/index.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

// biome-ignore lint/suspicious/noExplicitAny: what is tested is what the types forbid.
const anything = (value: unknown): any => value;

const wrong: readonly (readonly [call: string, run: () => unknown, says: string])[] = [
  ['createSandbox(null)', () => createSandbox(anything(null)), 'the options must be an object, such as'],
  ['createSandbox(url)', () => createSandbox(anything('http://x')), 'the options must be an object, such as'],
  ['connectSandbox()', () => connectSandbox(anything(undefined)), '"undefined" is not the address of a server'],
  ['connectSandbox(url, null)', () => connectSandbox(sandbox.url, anything(null)), 'connectSandbox: null is not valid'],
  [
    'connectSandbox(url, typo)',
    () => connectSandbox(sandbox.url, anything({ tokn: 'x' })),
    '"tokn" is not a known field; must be one of token',
  ],
  ['world()', () => sandbox.world(anything(undefined)), "undefined is not valid; must be a world's name"],
  ['advance()', () => sandbox.clock.advance(anything(undefined)), 'undefined is not valid; must be a duration'],
  ['advance(5)', () => sandbox.clock.advance(anything(5)), '5 is not valid; must be a duration'],
  ['advance({})', () => sandbox.clock.advance(anything({})), '{} is not valid; must be a duration'],
  ['advance({ to: 5 })', () => sandbox.clock.advance(anything({ to: 5 })), '5 is not valid; must be an ISO 8601'],
  ['set()', () => sandbox.clock.set(anything(undefined)), 'undefined is not valid; must be real, manual'],
  ['play(kind)', () => sandbox.play('call', anything(undefined)), 'play: undefined is not valid; must be a scenario'],
  ['play(kind, file)', () => sandbox.play('call', anything({ name: 'x' })), 'play: { name: '],
  ['waitFor()', () => sandbox.waitFor(anything(undefined)), 'waitFor: undefined is not valid; must be an object'],
  [
    'waitFor(type)',
    () => sandbox.waitFor(anything('call_busy')),
    'waitFor: "call_busy" is not valid; must be an object',
  ],
  ['control.call(typo)', () => sandbox.control.call(anything('getclock')), '"getclock" is not the id of an operation'],
  [
    'createReceiver(typo)',
    () => createReceiver(anything({ prt: 1 })),
    '"prt" is not a known field; must be one of secret',
  ],
  ['createReceiver(port)', () => createReceiver({ port: 99_999 }), 'port: 99999 is not valid; must be a port from 0'],
  ['toHaveDelivered()', () => expect(sandbox).toHaveDelivered(anything(undefined)), 'takes an event type'],
  ['toHaveEnded()', () => expect(sandbox).toHaveEnded(anything(undefined)), 'takes the id of a call; got undefined'],
];

describe('a wrong argument', () => {
  it.each(wrong)('%s says what is allowed', async (_, run, says) => {
    await expect(Promise.resolve().then(run)).rejects.toThrow(says);
  });

  it('of a receiver says what is allowed', async () => {
    await using receiver = await createReceiver();
    expect(() => receiver.respond(anything(undefined))).toThrow('respond: undefined is not valid; must be an object');
    expect(() => receiver.respond(anything({ statu: 500 }))).toThrow(
      '"statu" is not a known field; must be one of status',
    );
    expect(() => receiver.respond(anything({ status: '500' }))).toThrow('"500" is not a status to answer with');
    await expect(receiver.next(anything('call_busy'))).rejects.toThrow(
      'next: "call_busy" is not valid; must be fields',
    );
  });
});

describe('what is closed or is another server says so', () => {
  it('a receiver that is closed while a test waits', async () => {
    const receiver = await createReceiver();
    const waiting = expect(receiver.next({ n: 1 })).rejects.toThrow(
      'a delivery with {"n":1} has not arrived before the receiver was closed; nothing else has either',
    );
    await receiver.close();
    await waiting;
    await expect(receiver.next()).rejects.toThrow('before the receiver was closed');
  });

  it('a server that answers with a page', async () => {
    const other = createServer((_, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address.
    const { port } = other.address() as AddressInfo;
    const handle = connectSandbox(`http://127.0.0.1:${port}`);
    await expect(handle.clock.now()).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining('(text/html), which is not the answer of a Ringback server'),
    });
    await handle.close();
    await new Promise((resolve) => other.close(resolve));
  });
});
