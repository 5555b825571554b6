// Live commands as processes: one JSON value a line, and how they end. They run at once, since each takes a while to start.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createControlClient } from '../../src/client/control-client.ts';
import { build, programs, root } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const { bash, node } = programs();
const newReceiver = useReceivers();

const controlOf = (world: string) => createControlClient({ url: sandbox.url, key: `svc_test_${world}` });
const addressOf = (world: string): string[] => ['--url', sandbox.url, '--key', `svc_test_${world}`];
const read = (world: string) =>
  fetch(`${sandbox.url}/v1/calls?page_size=1`, { headers: { Authorization: `Bearer svc_test_${world}` } });

describe('a live command', () => {
  it('prints one JSON value a line with --json, says on stderr that it is connected, and ends with 0 on a signal', async () => {
    await build();
    const receiver = await newReceiver();
    const start = (...args: string[]) => node(join(root, 'dist', 'main.js'), ...args, '--json', ...addressOf('live'));
    const control = controlOf('live');
    await control.call('emitEvent', { body: { event_type: 'call_busy' } });
    await read('live');
    const events = start('events', 'tail', '--from-start');
    const requests = start('requests', 'tail', '--from-start', '--operation', 'listCalls');
    const listen = start('listen', '--forward-to', `${receiver.url}/hooks`, '--events', 'contact_created');
    const all = [events, requests, listen];
    for (const { stdout } of all) await until(stdout).toMatch(/\n/);
    // The control characters of eight bits and the marks of direction are left as they are by JSON.
    const name = 'Zoë 日本 \u009b2J\u007f\u202e';
    await control.call('emitEvent', { body: { event_type: 'contact_created', data: { name } } });
    await read('live');
    for (const { stdout } of all) await until(stdout).toMatch(/\n.+\n/);
    events.child.kill('SIGINT');
    requests.child.kill('SIGTERM');
    listen.child.kill('SIGHUP');
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, `Events of live at ${sandbox.url}:\n`],
      [0, `Requests of live at ${sandbox.url}:\n`],
      [0, ''],
    ]);
    for (const { stdout } of ends) expect(stdout).not.toMatch(/[\u007f-\u009f\u202e]/);
    const values = ends.map(({ stdout }) =>
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(values).toMatchObject([
      [{ event_type: 'call_busy' }, { event_type: 'contact_created', payload: { name } }],
      [
        { operation: 'listCalls', status: 200 },
        { path: '/v1/calls', method: 'GET' },
      ],
      [
        { listening: true, world: 'live' },
        { event_type: 'contact_created', status: 200, error: null },
      ],
    ]);
  });

  it('ends with 0 when whoever reads its output has gone', async () => {
    await build();
    const control = controlOf('gone');
    const emit = () => control.call('emitEvent', { body: { event_type: 'call_busy' } });
    await emit();
    let isOver = false;
    const ended = bash(
      `node dist/main.js events tail --from-start ${addressOf('gone').join(' ')} | head -1; echo "\${PIPESTATUS[*]}"`,
    ).finally(() => {
      isOver = true;
    });
    while (!isOver) await emit();
    const { stdout, stderr } = await ended;
    expect(stdout).toMatch(/^\S+ +call_busy .*\n0 0\n$/);
    expect(stderr).toBe(`Events of gone at ${sandbox.url}:\n`);
  });
});
