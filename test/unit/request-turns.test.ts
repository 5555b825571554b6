// How requests share the event loop: in turns by caller, and in parts where one takes long. Time and the event loop are the test's.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Callers } from '../../src/http/callers.ts';
import { createTickBarrier } from '../../src/http/tick-barrier.ts';
import { Turns } from '../../src/scheduler/turns.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A barrier whose time passes with the work of requests, and whose event loop goes round when it is told to. */
function ownBarrier() {
  let now = 0;
  let serve = (): void => {};
  const afterReading = (callback: () => void): void => {
    serve = callback;
  };
  let charge = (_caller: string, _ms: number): void => {};
  const onWork = (told: typeof charge): void => {
    charge = told;
  };
  const everyRequestRead = createTickBarrier({ now: () => now, afterReading, onWork });
  const served: string[] = [];
  const ask = (caller: string, ms = 0): void => {
    void everyRequestRead(caller).then(() => {
      now += ms;
      served.push(caller);
    });
  };
  /** `ms` is what reading and sending take. */
  const goRound = async (ms = 0): Promise<void> => {
    now += ms;
    serve();
    await settled();
  };
  const work = (caller: string, ms: number): void => charge(caller, ms);
  return { ask, goRound, served, work };
}

describe('requests that arrive together', () => {
  it('are served 32 in a tick, the callers in turns, so that a flood of one delays no other', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 200; n++) ask('flood');
    ask('quiet');
    await goRound();
    expect(served).toHaveLength(32);
    expect(served.indexOf('quiet')).toBeLessThan(4);
    for (let tick = 0; tick < 6; tick++) await goRound();
    expect(served).toHaveLength(201);
  });

  it('are served for a millisecond in a tick where callers wait for one another', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 20; n++) ask(`caller ${n % 4}`, 0.6);
    await goRound();
    expect(served).toHaveLength(2);
    for (let tick = 0; tick < 9; tick++) await goRound();
    expect(served).toHaveLength(20);
  });

  it('take turns by the time that they take, so that slow ones of others hardly delay quick ones', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 100; n++) ask(`slow ${n % 10}`, 1);
    for (let tick = 0; tick < 10; tick++) await goRound();
    for (let n = 0; n < 5; n++) ask('quick', 0.1);
    for (let tick = 0; tick < 8; tick++) await goRound();
    expect(served.filter((caller) => caller === 'quick')).toHaveLength(5);
  });
});

describe('requests of a caller who asks for little', () => {
  it('go before those of callers who ask for many at once', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 400; n++) ask(`flood ${n % 10}`, 0.5);
    for (let tick = 0; tick < 20; tick++) {
      ask('quiet', 0.5);
      await goRound();
    }
    // What the first one costs is not known before it is served.
    expect(served.filter((caller) => caller === 'quiet').length).toBeGreaterThanOrEqual(19);
  });

  it('go before those of worlds with much background work, which have their turn too', async () => {
    const { ask, goRound, served, work } = ownBarrier();
    for (let tick = 0; tick < 40; tick++) {
      for (let n = 0; n < 10; n++) {
        ask(`busy ${n}`, 0.5);
        work(`busy ${n}`, 2);
      }
      ask('quiet', 0.5);
      await goRound();
    }
    expect(served.filter((caller) => caller === 'quiet').length).toBeGreaterThanOrEqual(35);
    expect(new Set(served).size).toBe(11);
  });

  it('wait for nobody longer where a server has much to read and to send: it serves as long as that takes', async () => {
    const { ask, goRound, served } = ownBarrier();
    for (let n = 0; n < 40; n++) ask(`caller ${n % 4}`, 0.5);
    await goRound(3);
    expect(served).toHaveLength(6);
    await goRound(100);
    expect(served).toHaveLength(14);
  });
});

describe('the caller of a request', () => {
  const callers = () => new Callers(new Turns());
  const requestWith = (headers: Record<string, string>) =>
    Object.assign(new IncomingMessage(new Socket()), { headers });

  it.each([
    ['a test key', { authorization: 'Bearer svc_test_W.readonly' }],
    ['a key', { authorization: 'Bearer svc_live_x' }],
    ['the control token', { authorization: 'Bearer secret', 'x-sandbox-world': 'w' }],
  ])('is its world, once a request with %s was let in', (_, headers) => {
    const known = callers();
    expect(known.nameOf(requestWith(headers), '/v1/calls')).toBe('unknown key');
    known.learn(requestWith(headers), '/v1/calls', 'w');
    expect(known.nameOf(requestWith(headers), '/v1/calls')).toBe('w');
  });

  it('is the same for all keys that were never let in, so that inventing some gains no turns', () => {
    const names = ['Bearer svc_live_1', 'Bearer svc_test_2', 'Bearer svc_test_3.a', 'w', 'Basic 4'].map(
      (authorization) => callers().nameOf(requestWith({ authorization }), '/v1/calls'),
    );
    expect(new Set(names).size).toBe(1);
  });

  it('is never the world that a malformed header happens to spell', () => {
    const known = callers();
    known.learn(requestWith({ authorization: 'Bearer svc_test_w' }), '/v1/calls', 'w');
    expect(known.nameOf(requestWith({ authorization: 'w' }), '/v1/calls')).toBe('unknown key');
  });

  it('comes after others when it was told to try again later, and does not wait', async () => {
    const known = callers();
    const order: string[] = [];
    const ask = async (world: string) => {
      const req = requestWith({ authorization: `Bearer svc_test_${world}` });
      known.learn(req, '/v1/calls', world);
      await known.turnOf(req, '/v1/calls');
      order.push(world);
    };
    known.refused('refused');
    await Promise.all([ask('refused'), ask('other')]);
    expect(order).toEqual(['other', 'refused']);
  });

  it('is that of all unknown keys without one, whatever its path, unless that has let one in', () => {
    const known = callers();
    const withoutKey = requestWith({});
    expect(known.nameOf(withoutKey, '/v1/calls/1')).toBe('unknown key');
    expect(known.nameOf(withoutKey, '/v1/calls/2')).toBe('unknown key');
    expect(known.nameOf(withoutKey, '/_sandbox', 'control')).toBe('control');
    known.learn(withoutKey, '/leads/w', 'w');
    expect(known.nameOf(withoutKey, '/leads/w')).toBe('w');
    expect(known.nameOf(withoutKey, '/leads/x')).toBe('unknown key');
    expect(known.nameOf(requestWith({ authorization: '/leads/w' }), '/v1/calls')).toBe('unknown key');
  });
});
