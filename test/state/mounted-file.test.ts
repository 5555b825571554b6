// A state file that is mounted into a container alone: the system refuses to replace it, so it is written in place.
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { renameBy } from '../support/file-system.ts';
import { useRestarts } from './setup.ts';

const { startServer, folderOf } = useRestarts();

// What Linux says about a mount point.
const busy = Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
beforeEach(() => renameBy(() => () => Promise.reject(busy)));

/** A server whose state file is there, and empty, as a file must be to be mounted. */
async function startMounted() {
  const file = join(folderOf(), 'state.json');
  writeFileSync(file, '');
  return startServer({}, file);
}

describe('a state file that cannot be replaced', () => {
  it('may be empty at first, is written in place, and is whole after a stop', async () => {
    const server = await startMounted();
    const call = await server.client.call('+12125550101');
    await server.sandbox.close();
    expect(JSON.parse(readFileSync(server.file, 'utf8'))).toMatchObject({ clean: true });
    await server.start();
    expect((await server.client.get(`/v1/calls/${call}`)).status).toBe(200);
    expect(existsSync(join(dirname(server.file), '.state.json.tmp'))).toBe(false);
  });

  it('is found in its copy if the process ended while it was written', async () => {
    const server = await startMounted();
    const call = await server.client.call('+12125550101');
    await server.sandbox.close();
    copyFileSync(server.file, join(dirname(server.file), '.state.json.tmp'));
    truncateSync(server.file, 100);
    await server.start();
    expect((await server.client.get(`/v1/calls/${call}`)).status).toBe(200);
  });
});
