// `ringback mcp` as agents run it: the built program over stdio, with the client of the protocol's own SDK, and the
// settings that the guide shows.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../support/documents.ts';
import { build, commandLines, root } from '../support/program.ts';
import { useSandbox } from '../support/sandbox.ts';
import { eventually } from '../support/until.ts';

const { sandbox } = useSandbox({ clock: 'manual' });
const line = commandLines();
const program = `${root}/dist/main.js`;
beforeAll(build);

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Agent {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  use(name: string, input?: Record<string, unknown>): Promise<string>;
  /** What has been written to stderr. */
  said(): string;
}

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const client = new Client({ name: 'test', version: '1' });
  // What is written to stdout and is not the protocol.
  client.onerror = (error) => {
    said += `stdout: ${error.message}`;
  };
  await client.connect(transport);
  open.push(client);
  return {
    client,
    transport,
    async use(name, input = {}) {
      const { content } = await client.callTool({ name, arguments: input });
      return (content as [{ text: string }])[0].text;
    },
    said: () => said,
  };
}

/** The arguments of the program in the settings of agents that the guide shows, each once. */
function commandsOfGuide(): string[][] {
  const blocks = blocksOf('docs/agents.md').filter(({ language }) => language === 'json');
  const commands = blocks.flatMap(({ text }) => {
    const { mcpServers = {}, servers = {} } = JSON.parse(text);
    return Object.values<{ command: string; args: string[] }>({ ...mcpServers, ...servers });
  });
  expect(commands.map(({ command, args: [name] }) => [command, name])).toEqual(blocks.map(() => ['npx', 'ringback']));
  const texts = new Set(commands.map(({ args }) => args.slice(1).join(' ')));
  return [...texts].map((text) => text.split(' '));
}

const isAlive = (pid: number | null): boolean => {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('ringback mcp', () => {
  const [own = [], elsewhere = [], ...others] = commandsOfGuide();

  it('starts a sandbox of its own, as the guide shows, whose clock stands and which ends with the agent', async () => {
    expect([own, others]).toEqual([['mcp'], []]);
    const { client, transport, use, said } = await start(own);
    const { base_url, api_key, clock } = JSON.parse(await use('describe_sandbox'));
    expect(clock.mode).toBe('manual');
    const headers = { Authorization: `Bearer ${api_key}` };
    expect((await fetch(`${base_url}/v1/account`, { headers })).status).toBe(200);
    const { call_id } = JSON.parse(await use('dial', { scenario: 'no_answer' }));
    await use('advance_clock', { until: 'idle' });
    expect(await use('read_timeline', { subject_id: call_id })).toMatch(/^call .*: NO_ANSWER\n/);
    expect(said()).toBe('');
    const { pid } = transport;
    await client.close();
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  it('takes the settings of a server, and writes its log to stderr', async () => {
    const { use, said } = await start(['mcp', '--clock', 'instant', '--log', 'info']);
    expect(JSON.parse(await use('dial', { scenario: 'busy' }))).toMatchObject({ next: 'It has run to its end.' });
    expect(said()).toContain('"level"');
  });

  it('speaks to a server elsewhere, as the guide shows, about the world that is named', async () => {
    const { use } = await start(elsewhere.map((arg) => arg.replace('http://127.0.0.1:4747', sandbox.url)));
    await use('dial');
    await use('dial', { world: 'agent-2' });
    for (const name of ['agent', 'agent-2']) expect(await sandbox.world(name).requests()).toHaveLength(1);
    expect(JSON.parse(await use('describe_sandbox'))).toMatchObject({
      base_url: sandbox.url,
      api_key: 'svc_test_agent',
    });
  });

  const refused = (
    [
      [['--url', 'nonsense'], /^ringback: --url: "nonsense" is not valid/],
      [['--url', 'http://127.0.0.1:1', '--clock', 'manual'], /leave out clock/],
      [['--key', 'svc_test_x'], /^ringback: mcp: --key belongs to a server elsewhere/],
      [['--clock', 'fast'], /^ringback: --clock.*"fast" is not valid/],
    ] as const
  ).map(([args, says]) => [args, says, line(['mcp', ...args])] as const);

  it.each(refused)('with %j is refused with exit code 2', (_, says, result) => {
    const { code, stdout, stderr } = result();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });
});
