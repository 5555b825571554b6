// Waiting for an event: `/_sandbox/wait` (`interface.md` section 5) and `waitFor` of the library (section 8).
import { describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf, expectError } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { eventually, stretched } from '../support/until.ts';
import { deliveriesOf, fire, freshWorld, gate, subscribe } from '../support/webhooks.ts';
import { afterStart, expectFields, MANUAL, pause, useSandboxes } from './setup.ts';

const { sandbox } = useSandbox(MANUAL);
const newReceiver = useReceivers();
const newSandbox = useSandboxes();

describe('waiting for an event', () => {
  /** The response, which must arrive before a wait without a timeout is over, after 10 seconds. */
  const wait = (client: Client, query: string): Promise<Answer> => {
    const tooLate = pause(9000).then(() => Promise.reject(new Error(`no response to /_sandbox/wait?${query}`)));
    return Promise.race([client.get(`/_sandbox/wait?${query}`), tooLate as Promise<Answer>]);
  };

  it('responds at once when it has already happened', async () => {
    const { client, world } = freshWorld(sandbox);
    const [first, second] = [await client.call('+12125550101'), await client.call('+12125550101')];
    await world.clock.untilIdle();
    const answer = await wait(client, `event_type=call_busy&call_id=${second}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      event_type: 'call_busy',
      subject: { table: 'calls', id: second },
      payload: { id: second, status: 'BUSY' },
    });
    expect((await wait(client, 'event_type=call_busy')).body.data.payload.status).toBe('BUSY');
    expect((await wait(client, `call_id=${first}`)).body.data).toMatchObject({
      event_type: 'new_call',
      payload: { id: first },
    });
    expect((await wait(client, `subject_id=${second}`)).body.data.payload).toMatchObject({ id: second });
    expect((await world.waitFor({ event_type: 'call_busy', call_id: first })).payload).toMatchObject({ id: first });
  });

  it('responds when it happens', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call('+12125550101');
    const waiting = [wait(client, `event_type=call_busy&call_id=${call}`), wait(client, 'event_type=call_completed')];
    const inLibrary = world.waitFor({ event_type: 'call_busy', call_id: call });
    let answered = false;
    const all = Promise.all([...waiting, inLibrary]).then(() => {
      answered = true;
    });
    await pause(40);
    expect(answered).toBe(false);
    await world.clock.untilIdle();
    await all;
    for (const each of waiting) expect((await each).body.data.payload).toMatchObject({ id: call, status: 'BUSY' });
    expect((await inLibrary).payload).toMatchObject({ id: call });
  });

  it('responds with 408 when it does not happen in time', async () => {
    const { client, world } = freshWorld(sandbox);
    const call = await client.call('+12125550101');
    const other = await client.call('+12125550100');
    await world.clock.untilIdle();
    for (const query of [
      'event_type=call_voicemail',
      `event_type=call_busy&call_id=${other}`,
      'call_id=nobody',
      `call_id=${call}&event_type=call_failed`,
    ]) {
      const began = performance.now();
      expectError(await wait(client, `${query}&timeout=60ms`), 408, 'timeout');
      expect(performance.now() - began).toBeGreaterThanOrEqual(55);
      expect(performance.now() - began).toBeLessThan(stretched(2000));
    }
  });

  it('refuses to wait for an event about two records', async () => {
    const { client, world } = freshWorld(sandbox);
    const [call, other] = [await client.call('+12125550101'), await client.call('+12125550101')];
    const refused = await wait(client, `call_id=${call}&subject_id=${other}`);
    expectError(refused, 400, 'validation_error');
    expect(refused.body.error.fields).toEqual({ call_id: expect.stringContaining('another record than subject_id') });
    await world.clock.untilIdle();
    expect((await wait(client, `call_id=${call}&subject_id=${call}`)).status).toBe(200);
  });

  it('throws in the library with a message that includes the hint', async () => {
    const { world } = freshWorld(sandbox);
    await expect(world.waitFor({ event_type: 'call_busy', timeout: '1ms' })).rejects.toThrow(
      'No call_busy happened within 1 ms. Advance the clock with POST /_sandbox/clock/advance: on a stopped clock nothing happens by itself.',
    );
    await expect(world.clock.advance({ to: '2001-01-01T00:00:00Z' })).rejects.toThrow(
      /^to is in the past of this world/,
    );
  });

  it('ends in time for any timeout', async () => {
    const { client, world } = freshWorld(sandbox);
    const timeouts = Array.from({ length: 60 }, (_, index) => `${index}ms`);
    const answers = await Promise.all(timeouts.map((timeout) => wait(client, `timeout=${timeout}`)));
    for (const answer of answers) expectError(answer, 408, 'timeout');
    const inLibrary = timeouts.map((timeout) => world.waitFor({ timeout }).catch(({ code }: { code: string }) => code));
    const over = await Promise.race([Promise.all(inLibrary), pause(9000)]);
    expect(over).toEqual(timeouts.map(() => 'timeout'));
  });

  it('with delivered=true waits until the receiver has accepted it', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, receiver.url, 'call_busy');
    await fire(client, 'call_busy');
    expect((await wait(client, 'event_type=call_busy&delivered=false')).status).toBe(200);
    expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=60ms'), 408, 'timeout');
    const waiting = [wait(client, 'event_type=call_busy&delivered=true'), world.waitFor({ delivered: true })];
    await pause(20);
    open();
    expect(((await waiting[0]) as Answer).body.data.event_type).toBe('call_busy');
    expect(await waiting[1]).toMatchObject({ event_type: 'call_busy' });
    expect((await deliveriesOf(client))[0].status).toBe('delivered');
  });

  it('with delivered=true responds with 408 when a receiver rejected it', async () => {
    const { client, world } = freshWorld(sandbox);
    const [accepting, rejecting] = [await newReceiver(), await newReceiver()];
    rejecting.onDelivery = (_, res) => res.writeHead(500).end();
    await subscribe(client, accepting.url, 'call_busy');
    await subscribe(client, rejecting.url, 'call_busy');
    await fire(client, 'call_busy');
    await world.clock.advance('0s');
    expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=30ms'), 408, 'timeout');
  });

  it('with delivered=true accepts a successful redelivery', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    receiver.onDelivery = (_, res) => (receiver.got.length === 1 ? res.writeHead(500).end() : undefined);
    await subscribe(client, receiver.url, 'call_busy');
    const { id } = await fire(client, 'call_busy');
    await world.clock.advance('0s');
    const waiting = wait(client, 'event_type=call_busy&delivered=true&timeout=2s');
    const [delivery] = await deliveriesOf(client);
    await client.post(`/_sandbox/deliveries/${delivery.id}/redeliver`);
    expect((await waiting).body.data.id).toBe(id);
  });

  it('with since ignores earlier events', async () => {
    const { client, world } = freshWorld(sandbox);
    const first = await fire(client, 'call_busy');
    await world.clock.advance('1m');
    const second = await fire(client, 'call_busy');
    expect((await wait(client, 'event_type=call_busy')).body.data.id).toBe(first.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(0)}`)).body.data.id).toBe(first.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(1)}`)).body.data.id).toBe(second.id);
    expect((await wait(client, `event_type=call_busy&since=${afterStart(60_000)}`)).body.data.id).toBe(second.id);
    const late = await wait(client, `event_type=call_busy&since=${afterStart(60_001)}&timeout=30ms`);
    expectError(late, 408, 'timeout');
  });

  it('responds with 408 at once on a reset', async () => {
    const { client, world } = freshWorld(sandbox);
    const began = performance.now();
    const waiting = wait(client, 'event_type=call_busy&timeout=10s');
    const inLibrary = world.waitFor({ event_type: 'call_busy' }).catch((error: { code: string }) => error.code);
    await pause(40);
    await world.reset();
    expectError(await waiting, 408, 'timeout');
    expect(await inLibrary).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(stretched(2000));
  });

  it('responds with 408 at once when the world is deleted', async () => {
    const { client, world } = freshWorld(sandbox);
    await client.get('/v1/account');
    const began = performance.now();
    const waiting = wait(client, 'event_type=call_busy&timeout=10s');
    const inLibrary = world.waitFor({ event_type: 'call_busy' }).catch((error: { code: string }) => error.code);
    await pause(40);
    expect((await client.delete(`/_sandbox/worlds/${world.name}`)).status).toBe(204);
    expectError(await waiting, 408, 'timeout');
    expect(await inLibrary).toBe('timeout');
    expect(performance.now() - began).toBeLessThan(stretched(2000));
  });

  it('with delivered=true ignores an event with the same id from before a reset', async () => {
    const { client, world } = freshWorld(sandbox);
    const receiver = await newReceiver();
    const { opened, open } = gate();
    receiver.onDelivery = () => opened;
    await subscribe(client, receiver.url, 'call_busy');
    const before = await fire(client, 'call_busy');
    await world.reset();
    open();
    await subscribe(client, receiver.url, 'call_busy');
    expect((await fire(client, 'call_busy')).id).toBe(before.id);
    expect((await wait(client, 'event_type=call_busy&delivered=true&timeout=2s')).status).toBe(200);
  });

  it('ignores events of other worlds', async () => {
    const [here, there] = [freshWorld(sandbox).client, freshWorld(sandbox).client];
    const waiting = wait(here, 'event_type=call_busy&timeout=100ms');
    await fire(there, 'call_busy');
    expectError(await waiting, 408, 'timeout');
  });

  it.each([
    ['timeout', 'timeout=61s'],
    ['timeout', 'timeout=soon'],
    ['timeout', 'timeout=10'],
    ['event_type', 'event_type=call_bussy'],
    ['delivered', 'delivered=perhaps'],
    ['since', 'since=yesterday'],
    ['type', 'type=call_busy'],
  ])('rejects %s in ?%s', async (field, query) => {
    expectFields(await wait(clientOf(sandbox.url), query), field);
  });

  describe('when the journal has dropped events', () => {
    it('responds with 409 and the number dropped when the result depends on them', async () => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 5 });
      const client = clientOf(made.url);
      for (let times = 0; times < 8; times++) await fire(client, 'contact_created');
      const answer = await wait(client, 'event_type=call_busy&timeout=50ms');
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/\b3\b/);
    });

    /** Fires an event with six deliveries; the journal keeps four. The rejected one ends before or after the others. */
    const fireToSix = async (rejected: 'first' | 'last'): Promise<Client> => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 4 });
      const client = clientOf(made.url);
      const [accepting, rejecting] = [await newReceiver(), await newReceiver()];
      const { opened, open } = gate();
      accepting.onDelivery = () => (rejected === 'first' ? opened : undefined);
      rejecting.onDelivery = (_, res) =>
        (rejected === 'last' ? opened : Promise.resolve()).then(() => res.writeHead(500).end());
      await subscribe(client, rejecting.url, 'call_busy');
      for (let times = 0; times < 5; times++) await subscribe(client, accepting.url, 'call_busy');
      await fire(client, 'call_busy');
      // The journal keeps open deliveries, so it drops those that ended first.
      const [query, left] = rejected === 'first' ? ['', 5] : (['status=delivered', 3] as const);
      await eventually(async () => expect(await deliveriesOf(client, query)).toHaveLength(left));
      open();
      await made.clock.advance('0s');
      return client;
    };

    it('with delivered=true responds with 409 when the result depends on dropped deliveries', async () => {
      const client = await fireToSix('first');
      const answer = await wait(client, 'event_type=call_busy&delivered=true&timeout=50ms');
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/\b2 deliveries\b/);
      expect((await wait(client, 'event_type=call_busy&timeout=50ms')).status).toBe(200);
      expectError(await wait(client, 'event_type=new_call&delivered=true&timeout=50ms'), 408, 'timeout');
    });

    it('with delivered=true responds with 408 when a receiver rejected a delivery that is kept', async () => {
      const client = await fireToSix('last');
      expectError(await wait(client, 'event_type=call_busy&delivered=true&timeout=50ms'), 408, 'timeout');
    });

    it('waits when since is later than the dropped events', async () => {
      const made = await newSandbox({ clock: 'manual', journalLimit: 5 });
      const client = clientOf(made.url);
      for (let times = 0; times < 8; times++) await fire(client, 'contact_created');
      await made.clock.advance('1m');
      const since = await made.clock.now();
      const waiting = wait(client, `event_type=call_busy&since=${since}&timeout=2s`);
      await pause(30);
      await fire(client, 'call_busy');
      const answer = await waiting;
      expect([answer.status, answer.body.data?.event_type], answer.text).toEqual([200, 'call_busy']);
    });
  });
});
