// How requests share the event loop: in turns by caller, and in parts where one takes long. Time and the event loop are the test's.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { problemsInList } from '../../src/domain/jobs/list.ts';
import { callerOf, createTickBarrier } from '../../src/http/tick-barrier.ts';
import { FROM } from '../support/client.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('requests that arrive together', () => {
  /** A barrier whose time passes with the work of requests, and whose event loop goes round when it is told to. */
  function ownBarrier() {
    let now = 0;
    let serve = (): void => {};
    const afterReading = (callback: () => void): void => {
      serve = callback;
    };
    const everyRequestRead = createTickBarrier({ now: () => now, afterReading });
    const served: string[] = [];
    const ask = (caller: string, ms = 0): void => {
      void everyRequestRead(caller).then(() => {
        now += ms;
        served.push(caller);
      });
    };
    const goRound = async (): Promise<void> => {
      serve();
      await settled();
    };
    return { ask, goRound, served };
  }

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

describe('the caller of a request', () => {
  const callerWith = (headers: Record<string, string>): string =>
    callerOf(Object.assign(new IncomingMessage(new Socket()), { headers }), '/v1/calls');

  it.each([
    ['all keys of a test world', 'Bearer svc_test_w.readonly', undefined, 'Bearer svc_test_w'],
    ['a key', 'Bearer svc_live_x', undefined, 'Bearer svc_live_x'],
    ['the world that the control token names', 'Bearer secret', 'w', 'Bearer secret w'],
  ])('is %s', (_, authorization, world, caller) => {
    expect(callerWith({ authorization, ...(world && { 'x-sandbox-world': world }) })).toBe(caller);
  });

  it('is its path without a key', () => {
    expect(callerWith({})).toBe('/v1/calls');
  });
});

describe('a long list of numbers', () => {
  it('is checked in parts, between which the event loop goes round', async () => {
    let rounds = 0;
    let checking = true;
    const goRound = () => {
      rounds += 1;
      if (checking) setImmediate(goRound);
    };
    setImmediate(goRound);
    await problemsInList({ to_numbers: Array.from({ length: 1000 }, () => FROM) });
    checking = false;
    expect(rounds).toBeGreaterThanOrEqual(9);
  });
});
