// What is being sent, or looked up, when its world is reset or deleted: nobody waits for it any more.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Egress } from '../../src/webhooks/egress.ts';
import { limitsFor } from '../../src/webhooks/failures.ts';
import { InFlight } from '../../src/webhooks/in-flight.ts';
import { Names } from '../../src/webhooks/names.ts';
import { createPoster } from '../../src/webhooks/post.ts';
import { type Client, clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { UNLIMITED } from './setup.ts';

/** Accepts connections and never answers. */
async function silentReceiver() {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    connected: async (): Promise<Socket> => (await once(server, 'connection'))[0],
  };
}

const ends = [
  ['the reset of its world', (by: Client) => by.post('/_sandbox/reset')],
  ['the end of its world', (by: Client, world: string) => by.delete(`/_sandbox/worlds/${world}`)],
] as const;

const { sandbox } = useSandbox(UNLIMITED);

describe('what a receiver has not answered', () => {
  it.each(ends)('is given up with %s: a delivery', async (how, end) => {
    const receiver = await silentReceiver();
    const world = `delivery-${ends.findIndex(([name]) => name === how)}`;
    const by = clientOf(sandbox.url, `svc_test_${world}`);
    await by.post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });
    const connected = receiver.connected();
    await by.post('/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
    const closed = once(await connected, 'close');
    expect((await end(by, world)).status).toBe(204);
    await closed;
  });

  it.each(ends)('is given up with %s: a tick, for which an advance waits', async (how, end) => {
    const receiver = await silentReceiver();
    const world = `tick-${ends.findIndex(([name]) => name === how)}`;
    const by = clientOf(sandbox.url, `svc_test_${world}`);
    await by.put('/_sandbox/clock/tick', { every: '1s', url: receiver.url });
    const connected = receiver.connected();
    const advanced = by.post('/_sandbox/clock/advance', { by: '1h', timeout: '10m' });
    const closed = once(await connected, 'close');
    expect((await end(by, world)).status).toBe(204);
    await closed;
    await advanced;
  });
});

describe('the look-up of a name that no server answers for', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A poster, and the names that a DNS server was asked for, which never answers. */
  function posterOfNames() {
    const asked: string[] = [];
    const ask = (name: string): Promise<never> => {
      asked.push(name);
      return new Promise(() => {});
    };
    const names = new Names({ ask, hosts: () => undefined, now: () => performance.now() });
    const poster = createPoster(new Egress('private', null), names, 'fresh');
    const post = (world: string, epoch: number, name: string) =>
      poster.post({ world, epoch }, `http://${name}.test/`, {}, '{}', limitsFor(10_000));
    return { poster, asked, post };
  }

  it('is given up with the epoch of its world, in or out of its turn, and makes room for others', async () => {
    const { poster, asked, post } = posterOfNames();
    const old = Array.from({ length: 200 }, (_, n) => post('w', 1, `old-${n}`));
    const current = Array.from({ length: 10 }, (_, n) => post('w', 2, `current-${n}`));
    const other = post('other', 1, 'other');
    await vi.advanceTimersByTimeAsync(0);
    const givingUp = poster.giveUpOthers({ world: 'w', epoch: 2 });
    while (givingUp && !givingUp.next().done);
    expect(await Promise.all(old)).toEqual(old.map(() => undefined));
    // Those that have begun keep their turns until their time is over.
    await vi.advanceTimersByTimeAsync(6000);
    for (const result of await Promise.all([other, ...current])) expect(result).toMatchObject({ error_class: 'dns' });
    // As many as a world may look up at once.
    expect(asked.filter((name) => name.startsWith('old'))).toHaveLength(64);
    expect(poster.giveUpOthers({ world: 'w', epoch: 3 })).toBeUndefined();
    await poster.close();
  });
});

describe('what is in flight', () => {
  it('is forgotten when it has ended, and when it was taken out', () => {
    const inFlight = new InFlight();
    const one = { abort: () => {} };
    const another = { abort: () => {} };
    const end = inFlight.begin({ world: 'w', epoch: 1 }, one);
    const endOther = inFlight.begin({ world: 'w', epoch: 2 }, another);
    expect(inFlight.takeOthers({ world: 'w', epoch: 2 })).toEqual([one]);
    end();
    expect([...inFlight.all()]).toEqual([another]);
    expect(inFlight.takeOthers({ world: 'w', epoch: 2 })).toEqual([]);
    endOther();
    expect([...inFlight.all()]).toEqual([]);
  });
});
