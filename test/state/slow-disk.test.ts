// A disk so slow that a server cannot wait for it when it stops.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';
import { clientOf } from '../support/client.ts';
import { removeBy, renameBy } from '../support/file-system.ts';
import { thorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { deliveriesOf, fire, gate, subscribe } from '../support/webhooks.ts';
import { useRestarts } from './setup.ts';

const { folderOf, startServer, openReceiver } = useRestarts();

it('a stop does not wait for a disk that is stuck, and loses nothing', async () => {
  const state = join(folderOf(), 'state.json');
  const settings = readOptions({ state, clock: 'manual', port: 0, log: 'silent' });
  const sandbox = await openSandbox(settings, await createLog('silent', null));
  let isStuck = true;
  let waiting = 0;
  renameBy((rename) => (...paths) => {
    if (!isStuck) return rename(...paths);
    waiting += 1;
    return new Promise(() => {});
  });
  const call = await clientOf(sandbox.url).call('+12125550101');
  await until(() => waiting).toBe(1);
  await sandbox.close(0, 50);
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ clean: false });
  isStuck = false;
  const next = await startServer({}, state);
  expect((await next.client.get(`/v1/calls/${call}`)).status).toBe(200);
  // The log says that the stop was in order.
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ crashes: 0 });
});

it('the next start sends what a stop had no time to end', async () => {
  const state = join(folderOf(), 'state.json');
  const receiver = await openReceiver();
  const { opened, open } = gate();
  receiver.onDelivery = () => opened;
  const settings = readOptions({ state, clock: 'manual', port: 0, log: 'silent' });
  const sandbox = await openSandbox(settings, await createLog('silent', null));
  let isStuck = true;
  let waiting = 0;
  renameBy((rename) => (...paths) => {
    if (!isStuck) return rename(...paths);
    waiting += 1;
    return new Promise(() => {});
  });
  const client = clientOf(sandbox.url);
  await subscribe(client, receiver.url, 'contact_created');
  for (const name of ['first', 'second', 'third']) await fire(client, 'contact_created', { name });
  await until(() => receiver.got.length).toBe(1);
  await until(() => waiting).toBe(1);
  await sandbox.close(0, 0);
  isStuck = false;
  open();
  const next = await startServer({}, state);
  await next.sandbox.clock.advance('0s');
  expect(receiver.got.map(({ body }) => body.name)).toEqual(['first', 'second', 'third']);
  const statuses = (await deliveriesOf(next.client)).map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(['failed', 'delivered', 'delivered']);
});

it('a disk that keeps failing does not get more and more logs', async () => {
  const server = await startServer();
  let writes = 0;
  renameBy(() => () => {
    writes += 1;
    return Promise.reject(new Error('ENOSPC: no space left on device'));
  });
  await server.client.call('+12125550101');
  await until(() => writes).toBeGreaterThan(1);
  const logs = readdirSync(dirname(server.file)).filter((name) => name.includes('.log.'));
  // The one with the change, and the one for those that may follow.
  expect(logs).toHaveLength(2);
});

it('requests are answered, and saved, while a disk frees the space of an old change log', async () => {
  let begin = (): void => {};
  const freed = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let waiting = 0;
  removeBy((remove) => async (path, options) => {
    if (/\.log\.\d+$/.test(String(path))) {
      waiting += 1;
      await freed;
    }
    return remove(path, options);
  });
  const server = await startServer();
  const first = await server.client.call('+12125550101');
  await until(() => waiting).toBe(1);
  const second = await server.client.call('+12125550101');
  const logs = () =>
    readdirSync(dirname(server.file))
      .filter((name) => name.includes('.log.'))
      .sort();
  const newest = () => readFileSync(join(dirname(server.file), logs().at(-1) ?? ''), 'utf8');
  await until(() => newest().includes(second)).toBe(true);
  expect(newest()).not.toContain(first);
  begin();
  await until(() => logs().length).toBe(1);
  await server.restart();
  for (const call of [first, second]) expect((await server.client.get(`/v1/calls/${call}`)).status).toBe(200);
});

it.runIf(thorough)('changes during a slow write of the state file share the write after it', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let writes = 0;
  const server = await startServer();
  renameBy((rename) => async (...paths) => {
    writes += 1;
    await released;
    return rename(...paths);
  });
  await server.client.call('+12125550101');
  await until(() => writes).toBe(1);
  let last = '';
  for (let n = 0; n < 5; n++) last = await server.client.call('+12125550101');
  release();
  await until(() => readFileSync(server.file, 'utf8').includes(last)).toBe(true);
  expect(writes).toBe(2);
});
