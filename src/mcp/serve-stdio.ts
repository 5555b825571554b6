// Serves the tools over stdin and stdout until the agent leaves: with the sandbox at an address, or one of its own. Nothing
// but the protocol is written to stdout.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ControlClientOptions } from '../client/control-client.ts';
import { createSandbox, type SandboxOptions } from '../index.ts';
import { SandboxSession } from './sandbox-session.ts';
import { createMcpServer } from './server.ts';

/** A server elsewhere, or the settings of one that is started here. */
export type McpOptions = ControlClientOptions | { readonly own: SandboxOptions };

/** Resolves when stdin ends or `stop` resolves. */
export async function serveStdio(options: McpOptions, stop: Promise<unknown>): Promise<void> {
  const sandbox = 'own' in options ? await createSandbox(options.own) : undefined;
  const target = 'own' in options ? { url: sandbox?.url ?? '' } : options;
  const session = new SandboxSession(target, sandbox !== undefined);
  const server = createMcpServer(session);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport does not tell of the end of its input.
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  try {
    await server.connect(new StdioServerTransport());
    const where = sandbox ? `a sandbox of its own at ${session.url}` : session.url;
    process.stderr.write(`ringback: tools for ${where} over stdio\n`);
    await Promise.race([closed, stop]);
  } finally {
    await server.close();
    session.close();
    await sandbox?.close();
  }
}
