// `X-Sandbox-Delay` and `X-Sandbox-Fault`: `interface.md` section 3.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { PATIENCE, stretched } from '../support/until.ts';
import { answerOf, JSON_TYPE, sendBytes } from '../support/wire.ts';
import { dialBody, usePlatform } from './setup.ts';

const { sandbox, client, dial, countCalls } = usePlatform();

describe('X-Sandbox-Delay', () => {
  it('delays the response in real time, after the effect, without moving world time', async () => {
    const before = await countCalls();
    const began = performance.now();
    let answered = false;
    const delayed = dial({}, { headers: { 'X-Sandbox-Delay': '300ms' } }).finally(() => {
      answered = true;
    });
    while ((await countCalls()) === before && performance.now() - began < 250) await Promise.resolve();
    expect(answered).toBe(false);
    expect(await countCalls()).toBe(before + 1);
    expect((await delayed).status).toBe(202);
    expect(performance.now() - began).toBeGreaterThanOrEqual(299);
    expect(performance.now() - began).toBeLessThan(stretched(1500));
    expect(await sandbox.clock.now()).toBe('2026-01-05T15:00:00.000Z');
  });

  it('delays an error too', async () => {
    const began = performance.now();
    const answer = await client.get('/v1/me', { 'X-Sandbox-Delay': '0.15s', 'X-Sandbox-Error': 'internal_error' });
    expectError(answer, 500, 'internal_error');
    expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  });

  it('delays no other request', async () => {
    const order: string[] = [];
    const slow = client.get('/v1/me', { 'X-Sandbox-Delay': '400ms' }).then(() => order.push('delayed'));
    await client.get('/v1/me').then(() => order.push('not delayed'));
    await slow;
    expect(order).toEqual(['not delayed', 'delayed']);
  });
});

describe('X-Sandbox-Fault', () => {
  const key = '0f8f6a3e-9a35-4e0b-8b07-5d4f2c0b9a31';
  function dialBytes(headers: Record<string, string>): string {
    const body = dialBody();
    const lines = Object.entries({
      Host: new URL(sandbox.url).host,
      Authorization: 'Bearer svc_sandbox_default',
      ...JSON_TYPE,
      'Content-Length': String(body.length),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    return ['POST /v1/calls/dial HTTP/1.1', ...lines, '', body].join('\r\n');
  }
  const sendFaulty = (fault: string, more: Record<string, string> = {}, waitMs?: number) =>
    sendBytes(sandbox.url, dialBytes({ 'X-Sandbox-Fault': fault, ...more }), waitMs);

  /** Checks what the client sees of each fault. */
  const checks: Record<string, (fault: string) => Promise<void>> = {
    async reset(fault) {
      expect(await sendFaulty(fault, { 'Idempotency-Key': key })).toMatchObject({ text: '', outcome: 'reset' });
    },
    async empty(fault) {
      expect(await sendFaulty(fault, { 'Idempotency-Key': key })).toMatchObject({ text: '', outcome: 'ended' });
    },
    async truncate(fault) {
      const got = await sendFaulty(fault, { 'Idempotency-Key': key });
      expect(got.outcome).not.toBe('open');
      const { headers, text } = answerOf(got);
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(Number(headers['content-length']));
    },
    async timeout(fault) {
      expect(await sendFaulty(fault, { 'Idempotency-Key': key }, 300)).toMatchObject({ text: '', outcome: 'open' });
    },
  };

  describe.each(Object.keys(checks))('%s', (fault) => {
    const breaks = checks[fault] as (fault: string) => Promise<void>;

    it.each([fault, `${fault};when=after`])(
      '%s breaks the connection after the effect, and the response is stored',
      async (value) => {
        const before = await countCalls();
        await breaks(value);
        expect(await countCalls()).toBe(before + 1);
        expect((await sandbox.events()).map(({ event_type }) => event_type)).toEqual(['new_call']);
        const retried = await dial({}, { headers: { 'Idempotency-Key': key } });
        expect(retried.status).toBe(202);
        expect(retried.headers['idempotency-replayed']).toBe('true');
        expect((await client.get('/v1/calls')).body.data[0].id).toBe(retried.body.call_id);
        expect(await countCalls()).toBe(before + 1);
      },
    );

    it(`${fault};when=before breaks the connection first and changes nothing`, async () => {
      const before = await countCalls();
      await breaks(`${fault};when=before`);
      expect(await countCalls()).toBe(before);
      expect(await sandbox.events()).toEqual([]);
      const retried = await dial({}, { headers: { 'Idempotency-Key': key } });
      expect(retried.status).toBe(202);
      expect(retried.headers).not.toHaveProperty('idempotency-replayed');
      expect(await countCalls()).toBe(before + 1);
    });
  });

  it('truncate sends the status and headers of the response', async () => {
    const got = answerOf(await sendFaulty('truncate'));
    expect(got.status).toBe(202);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.text).toMatch(/^\{"call_id":"/);
  });

  it('is journaled with the lost response', async () => {
    await sendFaulty('reset');
    expect((await sandbox.requests()).at(-1)).toMatchObject({ status: 202, fault: 'reset;when=after' });
  });

  it('breaks the response of a refusal too', async () => {
    expect(await sendFaulty('empty', { 'X-Sandbox-Error': 'no_consent' })).toMatchObject({
      text: '',
      outcome: 'ended',
    });
    expect((await sandbox.requests()).at(-1)).toMatchObject({ status: 403, error_code: 'no_consent' });
  });

  it.each([
    // A reset looks like an end when it is read together with the response before it.
    ['reset', [200], /reset|ended/],
    ['empty', [200], /ended/],
    ['truncate', [200, 202], /ended/],
    ['timeout', [200], /open/],
    ['reset;when=before', [200], /reset|ended/],
  ])('%s lets earlier responses on the connection finish', async (fault, statuses, outcome) => {
    const head = [`Host: ${new URL(sandbox.url).host}`, 'Authorization: Bearer svc_sandbox_default'];
    const slow = ['GET /v1/me HTTP/1.1', ...head, 'X-Sandbox-Delay: 200ms', '', ''].join('\r\n');
    const next = ['GET /v1/me HTTP/1.1', ...head, '', ''].join('\r\n');
    // A connection that should break is watched until it does, however slow the machine is.
    const patience = fault === 'timeout' ? { responses: statuses.length } : PATIENCE;
    const got = await sendBytes(sandbox.url, slow + dialBytes({ 'X-Sandbox-Fault': fault }) + next, patience);
    expect(got.statuses).toEqual(statuses);
    expect(got.outcome).toMatch(outcome);
  });

  it.each(['reset', 'empty', 'reset;when=before'])('%s takes effect after the delay', async (fault) => {
    const began = performance.now();
    const { text, outcome } = await sendFaulty(fault, { 'X-Sandbox-Delay': '200ms' });
    expect(text).toBe('');
    expect(outcome).toBe(fault === 'empty' ? 'ended' : 'reset');
    expect(performance.now() - began).toBeGreaterThanOrEqual(199);
    expect(performance.now() - began).toBeLessThan(stretched(1500));
  });
});
