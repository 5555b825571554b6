// The state file: `interface.md` section 1. When it is written, and when it refuses a start.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import type { WorldDump } from '../../src/store/store.ts';
import { eventually } from '../support/until.ts';
import { ownLine, putScenario, useRestarts } from './setup.ts';

const { startServer } = useRestarts();

describe('the file', () => {
  it('is JSON, and is created if it does not exist', async () => {
    const server = await startServer();
    await server.sandbox.close();
    expect(Object.keys(JSON.parse(readFileSync(server.file, 'utf8')).worlds)).toContain('default');
  });

  it('has changes of the control API a moment later, in case the machine fails', async () => {
    const server = await startServer();
    const { client } = server;
    const written = (check: (worlds: Record<string, WorldDump> & { default: WorldDump }) => void): Promise<unknown> =>
      eventually(() => check(JSON.parse(readFileSync(server.file, 'utf8')).worlds));
    await client.post('/_sandbox/worlds', { name: 'workshop' });
    await written((worlds) => expect(Object.keys(worlds)).toContain('workshop'));
    const { id } = (await client.post('/_sandbox/keys', {})).body.data;
    await written(({ default: { rows } }) => expect(rows.keys).toContainEqual(expect.objectContaining({ id })));
    await client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await written(({ default: { rows } }) => expect(rows.active_scenarios).toMatchObject([{ references: ['busy'] }]));
    await putScenario(client, 'own_line', ownLine());
    await written(({ default: { rows } }) => expect(rows.scenario_overlays).toMatchObject([{ id: 'own_line' }]));
    await client.put('/_sandbox/assumptions/event_order', { value: 'disposition_first' });
    await written(({ default: { state } }) => expect(state.assumptions.event_order).toBe('disposition_first'));
    await server.clientWith('svc_test_workshop').delete('/_sandbox/worlds/workshop');
    await written((worlds) => expect(Object.keys(worlds)).not.toContain('workshop'));
  });

  it('carries faults over a restart, with what they have done', async () => {
    const server = await startServer();
    await server.sandbox.fault({ operation: 'getMe', error: 'internal_error', skip: 1, times: 1 });
    expect((await server.client.get('/v1/me')).status).toBe(200);
    await server.restart();
    expect((await server.client.get('/v1/me')).status).toBe(500);
    await server.restart();
    expect((await server.client.get('/v1/me')).status).toBe(200);
  });

  it('with worlds of another seed refuses the start and names both seeds', async () => {
    const server = await startServer({ seed: 7 });
    await server.sandbox.close();
    await expect(createSandbox({ state: server.file, seed: 8 })).rejects.toThrow(
      `${server.file}:1: worlds.default: cannot be restored: the world default was created with the seed 7; --seed is 8`,
    );
    await server.restart();
    expect((await server.client.get('/v1/account')).status).toBe(200);
  });

  it('stays the same over two starts without a change between them', async () => {
    const server = await startServer();
    await server.client.call('+12125550101');
    await server.client.put('/_sandbox/active-scenarios/call', { use: 'busy' });
    await server.restart();
    const text = (): string => {
      const { worlds } = JSON.parse(readFileSync(server.file, 'utf8'));
      for (const world of Object.values(worlds) as { systemTime: unknown; state: { clock: unknown } }[]) {
        world.systemTime = null;
        world.state.clock = null;
      }
      return JSON.stringify(worlds);
    };
    await server.restart();
    const before = text();
    await server.restart();
    expect(text()).toBe(before);
  });
});
