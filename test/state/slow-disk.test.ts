// A disk so slow that a server cannot wait for it when it stops.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';
import { clientOf } from '../support/client.ts';
import { useRestarts } from './setup.ts';

const disk = vi.hoisted(() => ({ isStuck: false }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const rename: typeof fs.rename = (...paths) => (disk.isStuck ? new Promise(() => {}) : fs.rename(...paths));
  return { ...fs, rename };
});

const { folderOf, startServer } = useRestarts();

it('a stop does not wait for a disk that is stuck, and loses nothing', async () => {
  const state = join(folderOf(), 'state.json');
  const settings = readOptions({ state, clock: 'manual', port: 0, log: 'silent' });
  const sandbox = await openSandbox(settings, await createLog('silent', null));
  disk.isStuck = true;
  const call = await clientOf(sandbox.url).call('+12125550101');
  await sandbox.close(0, 50);
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ clean: false });
  disk.isStuck = false;
  const next = await startServer({}, state);
  expect((await next.client.get(`/v1/calls/${call}`)).status).toBe(200);
});
