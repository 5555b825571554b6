// Serves the tools over stdin and stdout until the agent leaves. Nothing but the protocol is written to stdout.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ControlClientOptions } from '../client/control-client.ts';
import { SandboxSession } from './sandbox-session.ts';
import { createMcpServer } from './server.ts';

export interface StdioOptions {
  /** Ends the session when it resolves. */
  readonly stop: Promise<unknown>;
  /** Whether the sandbox ends with the session. */
  readonly isOwn?: boolean;
}

/** Resolves when the agent has closed its end, or `stop` resolves. */
export async function serveStdio(options: ControlClientOptions, { stop, isOwn = false }: StdioOptions): Promise<void> {
  const session = new SandboxSession(options, isOwn);
  const server = createMcpServer(session);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport does not report the end of its input.
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  try {
    await server.connect(new StdioServerTransport());
    await Promise.race([closed, stop]);
  } finally {
    await server.close();
    session.close();
  }
}
