// Rooms of web calls whose browsers are connected to different replicas.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { type Joined, joined } from '../support/rooms.ts';
import { eventually } from '../support/until.ts';

describe.runIf(hasRedis)('browsers in one room on two replicas', () => {
  const { serve } = programs();
  const running: Program[] = [];
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  afterAll(() => server.stop());

  /** A web call in a world, and two replicas that serve it. */
  async function webCall(world: string) {
    const replicas = await Promise.all([1, 2].map(() => serve(['--store', server.address, '--clock', 'manual'])));
    running.push(...replicas);
    const clients = replicas.map(({ url }) => clientOf(url, `svc_test_${world}`)) as [Client, Client];
    const [agent] = (await clients[0].get('/v1/agents')).body.data;
    const { room_name, token } = (await clients[0].post(`/v1/agents/${agent.id}/web-call`)).body.data;
    const join = ({ url }: Program): Promise<Joined> =>
      joined(`${url.replace('http:', 'ws:')}/rooms/${room_name}?access_token=${token}`);
    return { replicas: replicas as [Program, Program], clients, join };
  }
  const statusOf = async (client: Client, id: string): Promise<string> =>
    (await client.get(`/v1/calls/${id}`)).body.data.status;
  const turnsOf = ({ messages }: Joined): string[] =>
    messages.filter(({ type }) => type === 'turn').map(({ text }) => text);

  it('are on one call, hear all that is said, and learn who comes and goes', async () => {
    const { replicas, clients, join } = await webCall('talk');
    const first = await join(replicas[0]);
    const { call_id } = await first.waitFor('call_started');
    const second = await join(replicas[1]);
    expect((await second.waitFor('call_started')).call_id).toBe(call_id);
    await first.waitFor('participant_joined');
    first.send(JSON.stringify({ type: 'say', text: 'Can you hear me?' }));
    await eventually(() => expect(turnsOf(second)).toContain('Can you hear me?'));
    second.send(JSON.stringify({ type: 'say', text: 'I can.' }));
    await eventually(() => expect(turnsOf(first)).toContain('I can.'));
    await eventually(() => expect(turnsOf(second)).toEqual(turnsOf(first)));
    expect(new Set(turnsOf(first)).size).toBe(turnsOf(first).length);
    second.leave();
    await first.waitFor('participant_left');
    expect(await statusOf(clients[1], call_id)).toBe('IN_PROGRESS');
    first.leave();
    await eventually(async () => expect(await statusOf(clients[1], call_id)).toBe('COMPLETED'));
  });

  it('are both told that the call has ended when one of them hangs up', async () => {
    const { replicas, join } = await webCall('hung-up');
    const both = [await join(replicas[0]), await join(replicas[1])] as const;
    await both[1].waitFor('call_started');
    both[1].send(JSON.stringify({ type: 'hang_up' }));
    const ended = await Promise.all(both.map((each) => each.waitFor('call_ended')));
    expect(ended[0].call).toEqual(ended[1].call);
    expect(await Promise.all(both.map(({ closed }) => closed))).toEqual([1000, 1000]);
  });

  it('both leave a room that a reset of the world removes', async () => {
    const { replicas, clients, join } = await webCall('reset');
    const both = [await join(replicas[0]), await join(replicas[1])] as const;
    await Promise.all(both.map((each) => each.waitFor('call_started')));
    expect((await clients[0].post('/_sandbox/reset')).status).toBeLessThan(300);
    expect(await Promise.all(both.map(({ closed }) => closed))).toEqual([4404, 4404]);
  });

  it('end the call when the last one leaves, although the other one’s replica was killed', async () => {
    const { replicas, clients, join } = await webCall('killed');
    const both = [await join(replicas[0]), await join(replicas[1])] as const;
    const { call_id } = await both[1].waitFor('call_started');
    replicas[0].signal('SIGKILL');
    await both[0].closed;
    // It counts as gone once its replica has not said for a while that it lives.
    await eventually(() => {
      both[1].send(JSON.stringify({ type: 'say', text: 'Is anybody there?' }));
      expect(both[1].messages.map(({ type }) => type)).toContain('participant_left');
    }, 250);
    both[1].leave();
    await eventually(async () => expect(await statusOf(clients[1], call_id)).toBe('COMPLETED'));
  });
});
