// Replicas on Redis servers that belong together: behind Sentinels, and in a cluster. The rows "failover" and "resharding"
// of docs/replicas.md, with real servers.
import { afterEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/store/redis/connection.ts';
import { clientOf, FROM } from '../support/client.ts';
import { type Program, programs } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { startCluster, startWatched } from '../support/redis-topologies.ts';
import { until } from '../support/until.ts';
import { subscribe } from '../support/webhooks.ts';

const body = JSON.stringify({ from_number: FROM, to_number: '+14155550101' });

describe.runIf(hasRedis)('replicas', () => {
  const { serve, run } = programs();
  const receive = useReceivers();
  const ended: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0).reverse()) await end();
  });
  async function start(address: string, ...args: string[]): Promise<Program> {
    const program = await serve(['--store', address, '--rate-limit', 'off', '--concurrent-calls', 'off', ...args]);
    ended.push(() => program.stop());
    return program;
  }
  /** The status of a dial, and why it was refused; 503 is none that the contract of the platform knows. */
  async function dial({ url }: Program, world: string): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { Authorization: `Bearer svc_test_${world}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1/calls/dial`, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  }
  /** Repeats a step with each of these until it is told to stop, at the latest when the test ends. */
  function underLoad<Each>(list: readonly Each[], step: (each: Each) => Promise<void>): () => Promise<unknown> {
    let isOver = false;
    const loops = list.map(async (each) => {
      while (!isOver) await step(each);
    });
    const stop = (): Promise<unknown> => {
      isOver = true;
      return Promise.all(loops);
    };
    ended.push(stop);
    return stop;
  }
  const total = async ({ url }: Program, world: string): Promise<number> =>
    (await clientOf(url, `svc_test_${world}`).get('/v1/calls')).body.meta.total_results;

  it('behind Sentinels lose nothing that was acknowledged when the primary is killed, if they wait for a copy', async () => {
    const servers = await startWatched();
    ended.push(() => servers.stop());
    const [a, b] = await Promise.all(
      [1, 2].map(() => start(servers.address, '--clock', 'manual', '--redis-wait', '1')),
    );
    const both = [a, b] as [Program, Program];
    const statuses = new Set<number>();
    const first = await total(both[0], 'watched');
    let accepted = 0;
    let asked = 0;
    const stop = underLoad(both, async (each) => {
      asked += 1;
      const { status } = await dial(each, 'watched');
      statuses.add(status);
      if (status === 202) accepted += 1;
    });
    await until(() => accepted).toBeGreaterThan(50);
    servers.primary.signal('SIGKILL');
    const before = accepted;
    // They follow the Sentinel to the new primary, which soon has a replica again.
    await until(() => accepted).toBeGreaterThan(before + 50);
    await stop();
    expect([...statuses].filter((status) => status !== 503)).toEqual([202]);
    for (const each of both) {
      const kept = (await total(each, 'watched')) - first;
      expect(kept).toBeGreaterThanOrEqual(accepted);
      expect(kept).toBeLessThanOrEqual(asked);
    }
  });

  it('behind Sentinels leave a primary that is replaced while it lives, before it is told', async () => {
    const servers = await startWatched();
    ended.push(() => servers.stop());
    const a = await start(servers.address, '--clock', 'manual');
    await until(async () => (await dial(a, 'replaced')).status).toBe(202);
    const before = await Connection.open(servers.primary.socket);
    ended.push(async () => before.close());
    await servers.failOver();
    await until(async () => (await dial(a, 'replaced')).status).toBe(202);
    const clients = async (): Promise<string[]> =>
      String(await before.command('CLIENT', ['LIST', 'TYPE', 'normal']))
        .split('\n')
        .filter((each) => each !== '' && !each.includes('name=sentinel') && !each.includes('cmd=client|list'));
    await until(clients).toEqual([]);
    expect(String(await before.command('INFO', ['replication']))).toContain('role:master');
  });

  it('that wait for a copy answer 503 when nobody makes one, and say so', async () => {
    const server = await startRedis();
    ended.push(() => server.stop());
    // The worlds that a server begins with have to be there.
    const refused = await run(['serve', '--port', '0', '--store', server.address, '--redis-wait', '1']);
    expect([refused.code, refused.stderr.split('\n').length]).toEqual([2, 2]);
    expect(refused.stderr).toContain('has not copied a commit to 1 of its replicas');
    const commands = await Connection.open(server.socket);
    expect(await commands.command('DBSIZE', [])).toBe(0);
    commands.close();
    await (await start(server.address)).stop();
    const a = await start(server.address, '--redis-wait', '1');
    const { status, text } = await dial(a, 'alone');
    expect([status, text]).toEqual([503, expect.stringContaining('has not copied a commit to 1 of its replicas')]);
  });

  it('in a cluster share worlds on all nodes, with their events, keys and take-over', async () => {
    const cluster = await startCluster();
    ended.push(() => cluster.stop());
    const receiver = await receive();
    const [a, b] = (await Promise.all([1, 2].map(() => start(cluster.address)))) as [Program, Program];
    const worlds = Array.from({ length: 9 }, (_, n) => `spread-${n}`);
    for (const world of worlds) {
      await subscribe(clientOf(b.url, `svc_test_${world}`), receiver.url, 'call_busy');
      await clientOf(b.url, `svc_test_${world}`).put('/_sandbox/clock', { mode: '20x' });
      expect((await dial(a, world)).status).toBe(202);
    }
    a.signal('SIGKILL');
    await until(() => new Set(receiver.got.map(({ raw }) => raw.toString())).size).toBe(worlds.length);
    // A key of its own is found by its hash, which is on any node.
    const minted = await clientOf(b.url, 'svc_test_spread-0').post('/_sandbox/keys', {});
    expect((await clientOf(b.url, minted.body.data.key).get('/v1/calls')).status).toBe(200);
    const listed = (await clientOf(b.url).get('/_sandbox/worlds?page_size=100')).body.data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(worlds));
  });

  it('in a cluster go on while its slots move to other nodes, and lose nothing', async () => {
    const cluster = await startCluster();
    ended.push(() => cluster.stop());
    const both = (await Promise.all([1, 2].map(() => start(cluster.address, '--clock', 'manual')))) as [
      Program,
      Program,
    ];
    const worlds = ['moved-1', 'moved-2', 'moved-3'];
    const counts = new Map<string, { asked: number; accepted: number }>();
    // The fixture has calls too.
    for (const world of worlds) counts.set(world, { asked: await total(both[0], world), accepted: 0 });
    for (const count of counts.values()) count.accepted = count.asked;
    const statuses = new Set<number>();
    const stop = underLoad(
      worlds.flatMap((world) => both.map((program) => ({ world, program }))),
      async ({ world, program }) => {
        const count = counts.get(world) ?? { asked: 0, accepted: 0 };
        count.asked += 1;
        const { status } = await dial(program, world);
        statuses.add(status);
        if (status === 202) count.accepted += 1;
      },
    );
    const accepted = (): number => [...counts.values()].reduce((sum, each) => sum + each.accepted, 0);
    await until(accepted).toBeGreaterThan(50);
    expect(await cluster.moveSlots()).toBeGreaterThanOrEqual(worlds.length);
    const mark = accepted();
    await until(accepted).toBeGreaterThan(mark + 50);
    await stop();
    expect([...statuses].filter((status) => status !== 503)).toEqual([202]);
    for (const [world, count] of counts) {
      const kept = await Promise.all(both.map((each) => total(each, world)));
      expect(kept[0]).toBe(kept[1]);
      expect(kept[0]).toBeGreaterThanOrEqual(count.accepted);
      expect(kept[0]).toBeLessThanOrEqual(count.asked);
    }
  });

  it('refuse a node of a cluster that is named as a server alone, and say how to name it', async () => {
    const cluster = await startCluster();
    ended.push(() => cluster.stop());
    const { code, stderr } = await run(['serve', '--port', '0', '--store', cluster.address.replace('+cluster', '')]);
    expect(code).toBe(2);
    expect(stderr).toContain('the server is part of a cluster; name it as redis+cluster://');
  });

  it.each([
    ['sentinel', '/primary', 'no Sentinel answers: ERR unknown command'],
    ['cluster', '', 'no node answers as one of a cluster: ERR This instance has cluster support disabled'],
  ])('say why a server alone that is named as redis+%s cannot be used', async (kind, name, reason) => {
    const server = await startRedis();
    ended.push(() => server.stop());
    const address = server.address.replace('redis:', `redis+${kind}:`) + name;
    const { code, stderr } = await run(['serve', '--port', '0', '--store', address]);
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toContain(reason);
  });

  it.each(['redis+sentinel://127.0.0.1:1/primary', 'redis+cluster://127.0.0.1:1'])(
    'stop the start in one line where nobody answers at %s',
    async (address) => {
      const { code, stderr } = await run(['serve', '--port', '0', '--store', address]);
      expect([code, stderr.split('\n').length]).toEqual([2, 2]);
      expect(stderr).toContain('cannot be used');
    },
  );
});
