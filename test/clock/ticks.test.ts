// Ticks: the clock of a world drives a scheduler of the customer's. `interface.md` section 5.
import { describe, expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { freshWorld, gate } from '../support/webhooks.ts';
import { afterStart, MANUAL } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers({ checks: false });

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
type Json = any;

const tick = (client: Client, every: string, url: string) => client.put('/_sandbox/clock/tick', { every, url });
const MINUTE = 60_000;

async function advance(client: Client, body: object): Promise<Json> {
  const answer = await client.post('/_sandbox/clock/advance', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

describe('a tick', () => {
  it('is POSTed at each instant of its interval, and the advance waits for the answer before time goes on', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const seen: unknown[] = [];
    receiver.onDelivery = async ({ body }) => {
      seen.push([body, (await client.get('/_sandbox/clock')).body.data.now]);
    };
    const set = await tick(client, '1m', `${receiver.url}/tick`);
    const view = { every: '1m', url: `${receiver.url}/tick`, next_at: afterStart(MINUTE), sent: 0, skipped: 0 };
    expect([set.status, set.body.data]).toEqual([200, view]);
    const { totals } = await advance(client, { by: '3m' });
    expect(totals).toEqual({ steps: 0, deliveries: 0, ticks: 3 });
    const instants = [1, 2, 3].map((minutes) => afterStart(minutes * MINUTE));
    expect(seen).toEqual(instants.map((now) => [{ now }, now]));
    const after = { ...view, next_at: afterStart(4 * MINUTE), sent: 3 };
    expect((await client.get('/_sandbox/clock/tick')).body.data).toEqual(after);
    expect((await client.get('/_sandbox/clock')).body.data).toMatchObject({ pending: 0, tick: after });
    const { data } = (await client.get('/_sandbox/clock/ticks')).body;
    expect(data.map(({ at, status, attempt }: Json) => [at, status, attempt.request.body])).toEqual(
      instants.map((now) => [now, 'delivered', JSON.stringify({ now })]).reverse(),
    );
  });

  it('does not keep a world busy: until idle ends with the last step, ticks on the way included', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await tick(client, '10m', receiver.url);
    expect(await world.clock.untilIdle()).toMatchObject({ now: afterStart(0), complete: true });
    await client.call('+12125550108');
    const { complete, totals } = await world.clock.untilIdle();
    expect([complete, totals.ticks]).toEqual([true, receiver.got.length]);
    expect(receiver.got.length).toBeGreaterThan(2);
  });

  it('ends when it is deleted or the world is reset, and starts over when it is set again', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    for (const end of ['delete', 'reset']) {
      await tick(client, '1m', `${receiver.url}/${end}`);
      await advance(client, { by: '30s' });
      await tick(client, '40s', `${receiver.url}/${end}/again`);
      await advance(client, { by: '40s' });
      if (end === 'delete') expect((await client.delete('/_sandbox/clock/tick')).status).toBe(204);
      else await client.post('/_sandbox/reset');
      await advance(client, { by: '1h' });
      expect((await client.get('/_sandbox/clock/tick')).status).toBe(404);
      expect((await client.get('/_sandbox/clock')).body.data).not.toHaveProperty('tick');
    }
    expect(receiver.got.map(({ path }) => path)).toEqual(['/delete/again', '/reset/again']);
  });

  it('that fails is recorded with its error, and the next one comes all the same', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => res.writeHead(receiver.got.length === 1 ? 500 : 204).end();
    await tick(client, '1s', receiver.url);
    await advance(client, { by: '2s' });
    const { data } = (await client.get('/_sandbox/clock/ticks')).body;
    expect(data.map(({ status, attempt }: Json) => [status, attempt.error_class])).toEqual([
      ['delivered', null],
      ['failed', 'http_status'],
    ]);
  });

  it('goes only where webhooks may go', async () => {
    const { client } = freshWorld(sandbox);
    await tick(client, '1s', 'https://169.254.169.254/');
    await advance(client, { by: '1s' });
    const [{ attempt }] = (await client.get('/_sandbox/clock/ticks')).body.data;
    expect(attempt.error_class).toBe('blocked_address');
  });

  it.each([
    [{ every: '1m' }, 'url', 'is required'],
    [{ every: '1m', url: 'http://example.com/' }, 'url', 'must be an HTTPS URL'],
    [{ every: '0s', url: 'https://example.com/' }, 'every', 'more than 0'],
    [{ every: 60, url: 'https://example.com/' }, 'every', 'must be a string'],
    [{ every: '1m', url: 'https://example.com/', at: 'x' }, 'at', 'is not a known field'],
  ])('that cannot be is refused: %j', async (body, field, reason) => {
    const { client } = freshWorld(sandbox);
    const answer = await client.put('/_sandbox/clock/tick', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    expect(answer.body.error.fields).toEqual({ [field]: expect.stringContaining(reason) });
  });

  it('comes at most 100,000 times in an advance: a longer one is refused before anything moves', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await tick(client, '10ms', receiver.url);
    for (const body of [{ by: '1001s' }, { to: afterStart(1_000_010) }]) {
      const answer = await client.post('/_sandbox/clock/advance', body);
      expect([answer.status, answer.body.error.code], answer.text).toEqual([409, 'conflict']);
      expect(answer.body.error.message).toContain('100000 ticks');
    }
    expect((await client.get('/_sandbox/clock')).body.data.now).toBe(afterStart(0));
    expect(receiver.got).toEqual([]);
  });

  it('is skipped on a running clock as long as the one before has no answer', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await client.put('/_sandbox/clock', { mode: '1000000x' });
    await tick(client, '1s', receiver.url);
    await until(async () => (await client.get('/_sandbox/clock/tick')).body.data.skipped).toBeGreaterThan(1000);
    await until(() => receiver.got.length).toBe(1);
    await client.delete('/_sandbox/clock/tick');
    open();
  });

  it('on an instant clock comes between the steps that one request makes happen, and ends them none the less', async () => {
    const { client } = freshWorld(sandbox);
    const receiver = await newReceiver();
    await client.put('/_sandbox/clock', { mode: 'instant' });
    await tick(client, '1s', receiver.url);
    const call = await client.call('+12125550108');
    expect((await client.readCall(call)).status).toBe('COMPLETED');
    await advance(client, { until: 'idle' });
    expect(receiver.got.length).toBeGreaterThan(0);
  });

  it('is set and ended by the library', async () => {
    const { world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    expect(await world.clock.tick({ every: '1m', url: receiver.url })).toMatchObject({ every: '1m' });
    expect(await world.clock.tick('30s', receiver.url)).toMatchObject({ every: '30s', sent: 0 });
    await world.clock.advance('1m');
    expect(await world.clock.tick(null)).toBeNull();
    await world.clock.advance('1m');
    expect(receiver.got).toHaveLength(2);
    await expect(world.clock.tick('never', receiver.url)).rejects.toThrow('every must be a duration');
  });
});

it('a customer whose scheduler calls the API at each tick finds the time of the tick', async () => {
  const { client, world } = freshWorld(sandbox);
  const receiver = await newReceiver();
  const own = clientOf(sandbox.url, client.key);
  receiver.onDelivery = async () => void (await own.call('+12125550101'));
  await tick(client, '1h', receiver.url);
  await world.clock.advance('3h');
  const { data } = (await client.get('/v1/calls')).body;
  expect(data.slice(0, 3).map(({ started_at }: Json) => started_at)).toEqual(
    [3, 2, 1].map((hours) => afterStart(hours * 60 * MINUTE)),
  );
});
