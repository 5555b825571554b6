// The handle of a sandbox: the same for one of this process and for a server elsewhere.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { connectSandbox, createSandbox, destinationFor, type Sandbox, SandboxError } from '../../src/index.ts';
import { clientOf } from '../support/client.ts';
import { isOnRedis } from '../support/on-redis.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const TOKEN = 'a-token-of-some-length';
const guarded = await createSandbox({ clock: 'manual', controlToken: TOKEN });
afterAll(() => guarded.close());
const newReceiver = useReceivers();

/** Every way to a handle. */
const handles: readonly [string, () => Sandbox][] = [
  ['createSandbox', () => sandbox],
  ['connectSandbox', () => connectSandbox(sandbox.url)],
  ['createSandbox with a control token', () => guarded],
  ['connectSandbox with a control token', () => connectSandbox(`${guarded.url}/`, { token: TOKEN })],
];

const outcomes = async (events: Promise<readonly { readonly event_type: string }[]>): Promise<string[]> =>
  (await events).map(({ event_type }) => event_type);

describe.each(handles)('the handle of %s', (name, open) => {
  const world = () => open().world(`Handle-${handles.findIndex(([each]) => each === name)}`);

  it('dials, advances and waits in a world of its own', async () => {
    const mine = world();
    expect(mine.apiKey).toBe(`svc_test_${mine.name}`);
    const call_id = await clientOf(open().url, mine.apiKey).call(destinationFor('busy'));
    const { complete, steps } = await mine.clock.advance('10s');
    expect([complete, steps.map(({ to }) => to)]).toEqual([true, ['BUSY']]);
    const event = await mine.waitFor({ event_type: 'call_busy', call_id });
    expect(event.payload).toMatchObject({ id: call_id, failure_code: 'busy' });
    expect((await mine.requests()).map(({ operation }) => operation)).toEqual(['dialCall']);
    expect((await outcomes(mine.events())).slice(0, 1)).toEqual(['new_call']);
    expect(await outcomes(mine.events({ event_type: 'call_busy' }))).toEqual(['call_busy']);
    await mine.reset();
    expect(await mine.events()).toEqual([]);
  });

  it('plays scenarios for requests that name none, one that stays or a list that is used up', async () => {
    const mine = world();
    const client = clientOf(open().url, mine.apiKey);
    expect(await mine.play('call', ['busy', 'no_answer'])).toEqual({ kind: 'call', use: ['busy', 'no_answer'] });
    const calls = [await client.call('+12125550177'), await client.call('+12125550177')];
    await mine.clock.untilIdle();
    for (const [index, event_type] of (['call_busy', 'call_no_answer'] as const).entries()) {
      expect((await mine.events({ event_type })).map(({ subject }) => subject?.id)).toEqual([calls[index]]);
    }
    await mine.play('call', 'busy');
    expect(await mine.play('call', null)).toEqual({ kind: 'call', use: null });
    await mine.reset();
  });

  it('lets the outside world act, and makes and revokes keys', async () => {
    const mine = world();
    expect(await mine.simulate.inboundCall()).toMatchObject({ direction: 'inbound' });
    expect(await mine.simulate.inboundSms({ body: 'Yes.' })).toMatchObject({ direction: 'inbound' });
    expect(await mine.simulate.newContact({ name: 'Ada' })).toMatchObject({ name: 'Ada' });
    expect(await mine.simulate.newAppointment({ title: 'Demo' })).toMatchObject({ title: 'Demo' });
    const { id, api_key } = await mine.keys.create({ scopes: ['calls:read'] });
    expect((await mine.keys.list()).map((key) => key.id)).toContain(id);
    const client = clientOf(open().url, api_key);
    expect((await client.get('/v1/calls')).status).toBe(200);
    await mine.keys.revoke(id);
    expect((await client.get('/v1/calls')).status).toBe(401);
    await mine.reset();
  });

  it('subscribes, sees deliveries, and keeps that out of the journal of requests', async () => {
    const mine = world();
    const receiver = await newReceiver();
    await mine.subscribe(receiver.url, ['contact_created'], { retries: 'short' });
    await mine.simulate.newContact();
    const { deliveries } = await mine.clock.untilIdle();
    // On Redis, it has ended when the request that caused it is answered.
    if (!isOnRedis) expect(deliveries).toHaveLength(1);
    const event = await mine.waitFor({ event_type: 'contact_created', delivered: true });
    expect(await mine.deliveries({ status: 'delivered' })).toMatchObject([{ event_id: event.id }]);
    expect(await mine.deliveries({ status: 'failed' })).toEqual([]);
    expect(await mine.requests()).toEqual([]);
    await mine.reset();
  });

  it('rejects with a SandboxError, and throws for a name that no world can have', async () => {
    const mine = world();
    const error = await mine.waitFor({ event_type: 'sms_sent', timeout: '1ms' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SandboxError);
    expect(error).toMatchObject({ code: 'timeout', status: 408 });
    await expect(mine.clock.advance('soon')).rejects.toThrow('"soon" is not valid; must be a duration');
    expect(() => open().world('a b')).toThrow(TypeError);
  });
});

describe('connectSandbox', () => {
  it('speaks of the world of the key that it is given', async () => {
    await sandbox.world('keyed').simulate.newContact();
    const keyed = connectSandbox(sandbox.url, { key: 'svc_test_keyed.worker-1' });
    expect([keyed.name, keyed.apiKey]).toEqual(['keyed', 'svc_test_keyed.worker-1']);
    expect(await outcomes(keyed.events())).toEqual(['contact_created']);
    const both = connectSandbox(guarded.url, { token: TOKEN, key: 'svc_test_keyed-2' });
    await guarded.world('keyed-2').simulate.newContact();
    expect(await outcomes(both.events())).toEqual(['contact_created']);
  });

  it('takes the control key of a world in place of the token', async () => {
    const { control_key } = await guarded.control.call('createWorld', { body: { name: 'own' } });
    const own = connectSandbox(guarded.url, { token: control_key });
    await own.simulate.newContact();
    expect(await outcomes(guarded.world('own').events())).toEqual(['contact_created']);
    expect(await outcomes(own.world('own').events())).toEqual(['contact_created']);
    await expect(own.world('other').events()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('rejects in one line when no server is there', async () => {
    const gone = await createSandbox();
    await gone.close();
    await expect(connectSandbox(gone.url).clock.now()).rejects.toMatchObject({
      code: 'unreachable',
      message: `cannot reach ${gone.url} (GET /_sandbox/clock): nothing listens there; is the server running? (ECONNREFUSED)`,
    });
  });
});

describe('a sandbox of this process', () => {
  it('closes with the block that it is used in', async () => {
    let url = '';
    {
      await using mine = await createSandbox();
      url = mine.url;
      await mine.clock.now();
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it('stays apart from others of the same process', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, () => createSandbox({ clock: 'manual' })));
    await Promise.all(many.slice(0, 2).map((each) => each.simulate.newContact()));
    expect(await Promise.all(many.map(async (each) => (await each.events()).length))).toEqual([1, 1, 0, 0, 0]);
    // Sandboxes of one seed share the fixtures that their worlds start from.
    const clients = many.slice(0, 2).map(({ url }) => clientOf(url));
    const agents = () => Promise.all(clients.map(async (client) => (await client.get('/v1/agents')).body.data[0]));
    const [{ id, name }] = await agents();
    await clients[0]?.patch(`/v1/agents/${id}`, { name: 'Changed' });
    expect((await agents()).map((agent) => agent.name)).toEqual(['Changed', name]);
    await Promise.all(many.map((each) => each.close()));
  });

  it('is reached while a test has faked the timers and mocked fetch', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', () => expect.unreachable('fetch was called'));
    try {
      const { id: call_id } = await sandbox.control.call('simulateInboundCall', {
        body: { from_number: '+12125550170' },
      });
      const { complete, totals } = await sandbox.clock.untilIdle();
      expect([complete, totals.steps > 0]).toEqual([true, true]);
      expect(await sandbox.waitFor({ event_type: 'call_completed', call_id })).toBeDefined();
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });
});
