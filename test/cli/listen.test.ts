// `ringback listen` as a process, over restarts of its server; test/client/restarts.test.ts has the same in one process.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createControlClient } from '../../src/client/control-client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { freePort, programs, root } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const { node, serve } = programs();
const folderOf = temporaryFolders();
const newReceiver = useReceivers();

describe.runIf(thorough)('listen', () => {
  it.each([
    ['keeps its worlds', () => ['--state', join(folderOf(), 'state.json')]],
    ['starts over', () => []],
  ])('relays 1,000 events once and in order, over two restarts of a server that %s', async (_, flags) => {
    const receiver = await newReceiver();
    const args = ['--clock', 'manual', '--port', String(await freePort()), ...flags()];
    let server = await serve(args);
    const control = createControlClient({ url: server.url });
    const main = join(root, 'dist', 'main.js');
    const listening = node(main, 'listen', '--url', server.url, '--forward-to', `${receiver.url}/hooks`, '--json');
    await until(listening.stdout).toContain('"listening":true');
    for (let n = 0; n < 1000; n++) {
      if (n === 333 || n === 667) {
        await server.stop();
        server = await serve(args);
        // What comes while nobody is connected is gone with a server that starts over.
        await until(() => listening.stderr().match(/reconnected/g)?.length).toBe(n === 333 ? 1 : 2);
      }
      await control.call('simulateNewContact', { body: { name: `${n}` } });
    }
    await until(() => receiver.got.length).toBeGreaterThanOrEqual(1000);
    listening.child.kill('SIGINT');
    const { code, stdout } = await listening.ended;
    expect(code).toBe(0);
    expect(receiver.got.map(({ body }) => body.name)).toEqual(Array.from({ length: 1000 }, (_, n) => `${n}`));
    const [, ...lines] = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => JSON.parse(line).status === 200)).toHaveLength(1000);
    await server.stop();
  });

  it('relays what happened before it reconnected, if the server keeps its worlds', async () => {
    const receiver = await newReceiver();
    const args = ['--clock', 'manual', '--port', String(await freePort()), '--state', join(folderOf(), 'state.json')];
    let server = await serve(args);
    const control = createControlClient({ url: server.url });
    const main = join(root, 'dist', 'main.js');
    const listening = node(main, 'listen', '--url', server.url, '--forward-to', `${receiver.url}/hooks`, '--json');
    await until(listening.stdout).toContain('"listening":true');
    for (let n = 0; n < 1000; n++) {
      if (n === 333 || n === 667) {
        // It has reconnected since the restart before this one.
        await until(() => receiver.got.length).toBe(n);
        // Held while the server restarts, and until half of the events have happened: it cannot be connected meanwhile.
        listening.child.kill('SIGSTOP');
        await server.stop();
        server = await serve(args);
      }
      if (n === 500 || n === 833) listening.child.kill('SIGCONT');
      await control.call('simulateNewContact', { body: { name: `${n}` } });
    }
    await until(() => receiver.got.length).toBeGreaterThanOrEqual(1000);
    listening.child.kill('SIGINT');
    const { code, stderr } = await listening.ended;
    expect(code).toBe(0);
    expect(stderr.match(/reconnected/g)).toHaveLength(2);
    expect(receiver.got.map(({ body }) => body.name)).toEqual(Array.from({ length: 1000 }, (_, n) => `${n}`));
    await server.stop();
  });
});
