// A scheduled task that fails: only a bug of the server makes one fail, so the test edits a record into one that no
// operation writes.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useRestarts } from '../state/setup.ts';
import { eventually } from '../support/until.ts';
import { CLOCK } from './setup.ts';

const { startServer } = useRestarts();

/** A world in which the steps of the first of two calls fail. */
async function withBrokenCall() {
  const server = await startServer();
  const broken = await server.client.call('+12125550100');
  const good = await server.client.call('+12125550100');
  await server.sandbox.close();
  const state = JSON.parse(readFileSync(server.file, 'utf8'));
  for (const call of state.worlds.default.rows.calls) if (call.id === broken) call.status = 'NO_SUCH_STATUS';
  writeFileSync(server.file, JSON.stringify(state));
  await server.start();
  return { ...server, client: server.client, sandbox: server.sandbox, broken, good };
}

describe('a scheduled task that fails', () => {
  it('is reported by the advance, which goes on, and keeps no request from being answered', async () => {
    const { client, sandbox, broken, good } = await withBrokenCall();
    const { complete, steps } = await sandbox.clock.untilIdle();
    expect(complete).toBe(true);
    const failed = steps.filter(({ subject }) => subject.id === broken);
    expect(failed[0]).toMatchObject({ trigger: 'ring', from: 'NO_SUCH_STATUS', to: 'NO_SUCH_STATUS' });
    for (const { error } of failed) expect(error).toMatch(/undefined/);
    expect((await client.readCall(good)).status).toBe('COMPLETED');
    expect((await client.get(CLOCK)).body.data.pending).toBe(0);
    expect((await client.dial('+12125550100')).status).toBe(202);
  });

  it('does not stop a running clock', async () => {
    const { client, good } = await withBrokenCall();
    expect((await client.put(CLOCK, { speed: 100_000 })).status).toBe(200);
    await eventually(async () => expect((await client.readCall(good)).status).toBe('COMPLETED'), 5);
  });
});
