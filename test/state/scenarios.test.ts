// Overlays, active scenarios and their counters over a restart: `interface.md` section 1, --state.
import { describe, expect, it } from 'vitest';
import { ownLine, putScenario, scenarioOf, useRestarts } from './setup.ts';

const { folderOf, startServer } = useRestarts();

describe('a restart', () => {
  it('keeps the scenarios of a world and the numbers that they took over', async () => {
    const server = await startServer();
    await putScenario(server.client, 'own_line', ownLine());
    await putScenario(server.client, 'busy', ownLine('unreachable').replace('"60"', '"01"'));
    await server.restart();
    expect(await scenarioOf(server.client, '+12125550160')).toBe('own_line');
    const id = await server.client.call('+12125550101');
    await server.sandbox.clock.untilIdle();
    expect((await server.client.readCall(id)).status).toBe('FAILED');
  });

  it('keeps scenarios of a world that extend one another, whichever was put last', async () => {
    const server = await startServer();
    await putScenario(server.client, 'own_base', ownLine());
    await putScenario(server.client, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await putScenario(server.client, 'own_base', ownLine('unreachable'));
    await server.restart();
    expect((await server.client.get('/v1/account')).status).toBe(200);
    expect((await server.client.get('/_sandbox/scenarios')).status).toBe(200);
    expect(await scenarioOf(server.client, '+12125550147', { 'X-Sandbox-Scenario': 'own_child' })).toBe('own_child');
  });

  it('keeps a world working whose scenario extends a deleted one', async () => {
    const server = await startServer();
    await putScenario(server.client, 'own_base', ownLine());
    await putScenario(server.client, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await server.client.delete('/_sandbox/scenarios/own_base');
    await server.restart();
    expect((await server.client.get('/v1/account')).status).toBe(200);
    expect(await scenarioOf(server.client)).toBe('answered');
  });

  it('keeps a world working whose scenario extends one of a folder that is no longer given', async () => {
    const server = await startServer({ scenarios: folderOf({ 'shared_line.yaml': ownLine() }) });
    await putScenario(server.client, 'own_child', 'kind: call\nsummary: A child.\nextends: shared_line\n');
    await server.restart({ scenarios: undefined });
    expect((await server.client.get('/v1/account')).status).toBe(200);
  });

  it('keeps active scenarios and the rest of a list', async () => {
    const server = await startServer();
    await server.client.put('/_sandbox/active-scenarios/call', { use: ['busy', 'voicemail;ring=2s', 'no_answer'] });
    await server.client.put('/_sandbox/active-scenarios/caller_id', { use: 'verification_slow' });
    await server.client.dial('+12125550147');
    await server.restart();
    const { client } = server;
    expect((await client.get('/_sandbox/active-scenarios/call')).body.data.use).toEqual([
      'voicemail;ring=2s',
      'no_answer',
    ]);
    expect((await client.get('/_sandbox/active-scenarios/caller_id')).body.data.use).toBe('verification_slow');
    expect([await scenarioOf(client), await scenarioOf(client), await scenarioOf(client)]).toEqual([
      'voicemail',
      'no_answer',
      'answered',
    ]);
  });

  it('keeps counters: flaky_provider remembers how often it has failed', async () => {
    const server = await startServer();
    const dial = async (): Promise<number> => (await server.client.dial('+12125550135')).status;
    expect(await dial()).toBe(502);
    await server.restart();
    expect(await dial()).toBe(502);
    await server.restart();
    expect([await dial(), await dial()]).toEqual([202, 502]);
  });
});
