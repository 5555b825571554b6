// The tools for coding agents, through a client of the protocol's own SDK, in one process.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/events/catalogue.ts';
import { SandboxSession } from '../../src/mcp/sandbox-session.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { freePort } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((each) => each.close())));

/** An agent that is connected to the tools. */
async function agentOf(session: SandboxSession): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createMcpServer(session).connect(there), client.connect(here)]);
  clients.push(client);
  return client;
}

let agent: Client;
beforeAll(async () => {
  agent = await agentOf(new SandboxSession({ url: sandbox.url }, true));
});

interface Result {
  readonly text: string;
  readonly isError: boolean;
}

async function use(name: string, input: Record<string, unknown> = {}, by = agent): Promise<Result> {
  const result = await by.callTool({ name, arguments: input });
  const [content] = result.content as [{ type: string; text: string }];
  expect(content.type).toBe('text');
  return { text: content.text, isError: result.isError === true };
}

/** What a tool answers as JSON. */
async function used(name: string, input: Record<string, unknown> = {}) {
  const { text, isError } = await use(name, input);
  expect(isError, text).toBe(false);
  return JSON.parse(text);
}

describe('the tools', () => {
  it('are listed with a title, a description, and a schema in which every field is described', async () => {
    const { tools } = await agent.listTools();
    expect(tools.length).toBeGreaterThan(20);
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z_]+$/);
      expect(title && description, name).toBeTruthy();
      expect(annotations?.readOnlyHint, name).toEqual(expect.any(Boolean));
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        expect((schema as { description?: string }).description, `${name} ${field}`).toBeTruthy();
      }
    }
  });

  it('say how to use them together', () => {
    expect(agent.getInstructions()).toContain('describe_sandbox');
    expect(agent.getServerVersion()).toMatchObject({ name: 'ringback' });
  });

  it('tell where the application under test sends its requests', async () => {
    const world = 'agent-where';
    const { base_url, api_key, clock } = await used('describe_sandbox', { world });
    expect([base_url, api_key, clock.mode]).toEqual([sandbox.url, 'svc_test_agent-where', 'manual']);
    const answer = await fetch(`${base_url}/v1/account`, { headers: { Authorization: `Bearer ${api_key}` } });
    expect(answer.status).toBe(200);
  });

  it('dial, advance the clock and read the timeline', async () => {
    const world = 'agent-dials';
    await used('subscribe', {
      world,
      webhook_url: `${sandbox.url}/_sandbox/inbox/a?world=${world}`,
      event_types: ['call_busy'],
    });
    const call = await used('dial', { world, scenario: 'busy;ring=2s' });
    expect(call).toMatchObject({
      status: 'QUEUED',
      from_number: '+14155550190',
      next: expect.stringContaining('advance_clock'),
    });
    const { complete, steps, deliveries } = await used('advance_clock', { world, until: 'idle' });
    expect(complete).toBe(true);
    expect(steps.join()).toContain(`calls ${call.call_id}: QUEUED → BUSY (busy)`);
    expect(deliveries).toEqual([expect.stringMatching(/call_busy to .*: delivered, answered 200$/)]);
    const { text } = await use('read_timeline', { world, subject_id: call.call_id });
    expect(text).toMatch(/^call .*: BUSY\n {2}played busy;ring=2s, because the X-Sandbox-Scenario header/);
    expect((await use('read_timeline', { world, subject_id: call.call_id, format: 'mermaid' })).text).toMatch(
      /^sequenceDiagram/,
    );
    expect((await used('list_events', { world, event_type: 'call_busy' })).total).toBe(1);
    const { requests } = await used('list_requests', { world, operation: 'dialCall' });
    expect(requests).toEqual([expect.stringMatching(/POST \/v1\/calls\/dial → 202 \(dialCall\)$/)]);
    const [id] = requests[0].split(' ');
    expect(await used('show_request', { world, id })).toMatchObject({ operation: 'dialCall', status: 202 });
  });

  it('choose what happens next, write scenarios, and end what was chosen', async () => {
    const world = 'agent-chooses';
    const own = 'kind: call\nsummary: Busy at once.\nextends: busy\nparameters:\n  ring: 100ms\n';
    expect((await use('write_scenario', { world, name: 'own_line', source: own })).text).toContain('Saved');
    expect((await use('show_scenario', { world, name: 'own_line' })).text).toBe(own);
    expect(await used('play_scenario', { world, use: ['own_line', 'answered'] })).toEqual({
      kind: 'call',
      use: ['own_line', 'answered'],
    });
    await used('dial', { world });
    const { steps } = await used('advance_clock', { world, by: '1s' });
    expect(steps.join()).toContain('BUSY');
    expect((await use('play_scenario', { world, clear: 'call' })).text).toBe('No call scenario is active.');
    const names = (await used('list_scenarios', { world, kind: 'call' })).map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['answered', 'busy', 'own_line']));
    expect(names).not.toContain('sms_reply');
  });

  it('explain why a webhook did not arrive, and send it again', async () => {
    const world = 'agent-explains';
    expect((await use('explain_delivery', { world })).text).toMatch(/^There are no deliveries\./);
    await used('subscribe', {
      world,
      webhook_url: `http://127.0.0.1:${await freePort()}/`,
      event_types: ['call_busy'],
    });
    await used('dial', { world, scenario: 'busy' });
    await used('advance_clock', { world, until: 'idle' });
    const { text } = await use('explain_delivery', { world });
    expect(text).toMatch(
      /^Delivery dlv_\w+: call_busy to .* is failed\.\nAttempt 1 failed after \d+ ms: nothing accepts connections/,
    );
    expect(text).toContain('What that means: Nothing listens at that address and port, so nothing was sent.');
    expect(text).toContain('What to do: Start the receiver, or correct host and port');
    expect(text).toMatch(/call redeliver with the id dlv_\w+\.$/);
    const { deliveries } = await used('list_deliveries', { world, status: 'failed' });
    expect(deliveries).toHaveLength(1);
    const [, id] = /(dlv_\w+)/.exec(text) ?? [];
    expect((await use('redeliver', { world, id })).text).toContain('Attempt 2 failed');
  });

  it('make requests fail, and succeed again', async () => {
    const world = 'agent-faults';
    await used('set_fault', { world, operation: 'dialCall', error: 'provider_api_error' });
    const refused = await use('dial', { world });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^provider_api_error \(502\): /);
    await use('clear_faults', { world });
    await used('dial', { world });
    await use('reset_world', { world });
    expect((await used('list_requests', { world })).total).toBe(0);
  });

  it('verify requests, and tell what the tests have met', async () => {
    const world = 'agent-verifies';
    await used('dial', { world, to_number: '+12125550147' });
    const good = await used('verify_requests', {
      world,
      operation: 'dialCall',
      body: { to_number: '+12125550147' },
      exactly: 1,
    });
    expect(good).toMatchObject({ passed: true, actual: 1 });
    const bad = await used('verify_requests', { world, operation: 'dialCall', body: { to_number: '+12125550148' } });
    expect(bad).toMatchObject({ passed: false, actual: 0, misses: [expect.anything()] });
    expect((await use('read_coverage', { world })).text).toMatch(/dialCall|operations/);
  });

  it('let the outside world act', async () => {
    const world = 'agent-inbound';
    expect(await used('simulate_inbound_call', { world, scenario: 'inbound_answered' })).toHaveProperty('next');
    expect(await used('simulate_inbound_sms', { world, to_number: '+14155550190', body: 'Hello' })).toHaveProperty(
      'id',
    );
    expect(await used('set_clock', { world, mode: 'instant' })).toMatchObject({ mode: 'instant' });
    expect((await used('show_clock', { world })).mode).toBe('instant');
  });
});

describe('a tool that cannot do it', () => {
  it.each([
    ['dail', {}, /^"dail" is not a tool; must be one of .*did you mean dial\?$/],
    ['dial', { to: '+12125550101' }, /^to is not a known field; allowed: to_number, from_number, scenario, world/],
    ['dial', { scenario: 'bussy' }, /^validation_error \(400\): X-Sandbox-Scenario .*did you mean busy\?/],
    ['dial', { world: 'no world!' }, /^world must be /],
    ['advance_clock', { by: 'soon' }, /^validation_error \(400\): by must be a duration/],
    ['advance_clock', {}, /^validation_error \(400\): by is required, or else to or until; exactly one/],
    ['advance_clock', { by: '1s', until: 'idle' }, /by is required, or else to or until; exactly one of the three/],
    ['play_scenario', {}, /^use is required, or else clear$/],
    ['advance_clock', { until: 'noon' }, /^until must be "idle"/],
    ['read_timeline', { subject_id: 'none' }, /^not_found \(404\): .*Pass the id of a call/s],
    ['explain_delivery', { id: 'dlv_none' }, /^not_found \(404\)/],
    ['write_scenario', { name: 'own', source: 'kind: cal\nsummary: S.\n' }, /line 1.*"cal" is not a kind/],
    [
      'subscribe',
      { webhook_url: 'x', event_types: ['call_bussy'] },
      /^event_types.0 must be one of .*did you mean call_busy\?/,
    ],
  ] as const)('%s %j says why and what is allowed', async (name, input, says) => {
    const { text, isError } = await use(name, { world: 'agent-errs', ...input });
    expect(isError).toBe(true);
    expect(text).toMatch(says);
  });

  it('says so where no server answers', async () => {
    const lost = await agentOf(new SandboxSession({ url: `http://127.0.0.1:${await freePort()}` }, false));
    const { text, isError } = await use('show_clock', {}, lost);
    expect(isError).toBe(true);
    expect(text).toMatch(/^unreachable: .*Start a server at /);
  });
});

it('the tools know every event type', async () => {
  const { tools } = await agent.listTools();
  const subscribe = tools.find(({ name }) => name === 'subscribe');
  expect(JSON.stringify(subscribe?.inputSchema)).toContain(JSON.stringify(eventTypes));
});
