// The Model Context Protocol server: offers the tools, checks their input, and reports failures as results that an
// agent can act on, never as protocol errors.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SandboxError } from '../client/sandbox-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { validate } from '../errors/schema-errors.ts';
import { messageOf } from '../system-errors.ts';
import { version } from '../version.ts';
import type { SandboxSession } from './sandbox-session.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

const INSTRUCTIONS = `Ringback is a sandbox of the Voice Platform API: it answers as the platform would, plays scripted scenarios, and sends real
webhooks. describe_sandbox tells where the application under test sends its requests. Choose what happens with
play_scenario, or dial yourself; advance_clock runs time; read_timeline tells what happened and why; explain_delivery says
why a webhook did not arrive.`;

export function createMcpServer(session: SandboxSession): Server {
  const server = new Server(
    { name: 'ringback', title: 'Ringback sandbox', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  let list: ListedTool[] | undefined;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    // Making the schemas takes a while.
    list ??= tools.map(listed);
    return { tools: list };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(session, params.name, params.arguments));
  return server;
}

function listed({ name, title, description, input, reads }: Tool): ListedTool {
  const schema = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  return {
    name,
    title,
    description,
    // Every input is an object.
    inputSchema: schema as ListedTool['inputSchema'],
    annotations: { title, readOnlyHint: reads, openWorldHint: false },
  };
}

async function callTool(session: SandboxSession, name: string, given: unknown = {}): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) {
    const names = tools.map((each) => each.name);
    return failed(`"${name}" is not a tool; must be one of ${names.join(', ')}${didYouMean(name, names)}`);
  }
  const { data, errors } = validate(tool.input, given);
  if (errors.length > 0) {
    return failed(
      errors.map(({ path, reason }) => `${path.map(String).join('.') || 'the input'} ${reason}`).join('\n'),
    );
  }
  try {
    const answer = await tool.run(session, data);
    return { content: [{ type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer, null, 1) }] };
  } catch (error) {
    return failed(inWords(error, session));
  }
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

/** What went wrong, and what to do about it: the message of the client has the fields, or else the hint. */
function inWords(error: unknown, { url }: SandboxSession): string {
  if (!(error instanceof SandboxError)) return messageOf(error);
  const { code, status, message } = error;
  if (status === null) return `${code}: ${message}. Start a server at ${url}, or leave --url out to have one here.`;
  return `${code} (${status}): ${message}`;
}
