// Serves the tools over stdin and stdout until the agent leaves. Nothing but the protocol is written to stdout.
import type { Readable, Writable } from 'node:stream';
import type { ControlClientOptions } from '../client/control-client.ts';
import { WrongUse } from '../wrong-use.ts';
import { AgentTransport, MAX_MESSAGE_BYTES } from './agent-transport.ts';
import { SandboxSession } from './sandbox-session.ts';
import { createMcpServer } from './server.ts';

export interface StdioOptions {
  /** Ends the session when it resolves. */
  readonly stop: Promise<unknown>;
  /** Whether the sandbox ends with the session. */
  readonly isOwn?: boolean;
  /** By default, those of the process. */
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Resolves when the agent has closed its end, or `stop` resolves. Throws WrongUse at a message that is too long to read. */
export async function serveStdio(
  options: ControlClientOptions,
  { stop, isOwn = false, input = process.stdin, output = process.stdout }: StdioOptions,
): Promise<void> {
  const session = new SandboxSession(options, isOwn);
  const server = createMcpServer(session);
  const closed = new Promise<void>((resolve, reject) => {
    // By itself, the transport closes for one reason alone.
    server.onclose = () =>
      reject(new WrongUse(`mcp: the agent sent a message of more than ${MAX_MESSAGE_BYTES} bytes`));
    // The transport does not report the end of its input, nor that nobody reads its output any more.
    for (const event of ['end', 'close']) input.once(event, resolve);
    for (const event of ['error', 'close']) output.once(event, resolve);
  });
  try {
    await server.connect(new AgentTransport(input, output));
    await Promise.race([closed, stop]);
  } finally {
    server.onclose = () => {};
    await server.close();
    session.close();
  }
}
